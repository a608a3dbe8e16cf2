#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/graph.h"

namespace asg::optim {

enum class Kind : std::uint8_t { sgd, adam, adamw };
std::string_view name_of(Kind kind);

// How parameters follow their gradients. Plain data. The learning rate is a variable of the step graph, so changing it
// compiles nothing anew.
struct Optimizer {
  Kind kind = Kind::adam;
  double learning_rate = 1e-3;
  double weight_decay = 0;  // sgd, adam: added to the gradient (L2); adamw: shrinks the parameter beside it
  double momentum = 0;      // sgd
  bool nesterov = false;    // sgd
  double beta1 = 0.9;       // adam, adamw
  double beta2 = 0.999;     // adam, adamw
  double epsilon = 1e-8;    // adam, adamw

  static Optimizer sgd(double learning_rate, double momentum = 0, bool nesterov = false);
  static Optimizer adam(double learning_rate = 1e-3);
  static Optimizer adamw(double learning_rate = 1e-3, double weight_decay = 0.01);
};

// State belongs to the step graph and is known by the parameter and the name of the slot, so that it can follow the
// parameter through edits of the model.
struct StateKey {
  VarId parameter;
  std::string slot;  // "velocity", "mean", "square", "count"
  friend auto operator<=>(const StateKey&, const StateKey&) = default;
};

struct Updates {
  VarId learning_rate;              // a scalar variable of the graph
  std::map<StateKey, VarId> state;  // variables of the graph, kind optimizer
};

// Adds to a joint graph the updates of `parameters` from their gradients, with the state they need. The nodes stand in
// the scope "optimizer" with Role::update.
Updates add_updates(Graph& graph, std::span<const VarId> parameters, std::span<const Value> gradients,
                    const Optimizer& optimizer);

}  // namespace asg::optim
