#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/graph.h"
#include "asg/optim/group.h"

namespace asg::optim {

// A mean of each trained parameter over the past steps: e ← e + (1 − d)(w − e), beginning with the parameter itself.
struct Ema {
  double decay = 0;     // d; 0: no mean is kept
  bool warmup = false;  // d is min(decay, (1 + t) / (10 + t)) in the update of number t, from 0
};

// How parameters follow their gradients: everything between the two. Plain data.
struct Optimizer {
  std::string kind = "adam";  // a name of `optimizer_names`
  Attrs settings = {};        // of the kind, "learning_rate" among them; those left out have their defaults
  std::vector<Group> groups = {};

  double clip_norm = 0;         // above 0: gradients are scaled down to this norm, all of them taken together
  double clip_value = 0;        // above 0: each element of a gradient is held in [−v, v], after clip_norm
  bool gradient_norm = false;   // the step has the output "gradient_norm": before clipping. With clip_norm always
  std::int64_t accumulate = 1;  // micro-batches whose mean gradient makes one update
  Ema ema = {};

  // The usual ones in short; all others, and all settings, by `optimizer_named` and `set`.
  static Optimizer sgd(double learning_rate, double momentum = 0, bool nesterov = false);
  static Optimizer adam(double learning_rate = 1e-3);
  static Optimizer adamw(double learning_rate = 1e-3, double weight_decay = 0.01);

  double learning_rate() const;
  // Throws unknown_attribute, bad_attribute.
  Optimizer& set(std::string_view setting, Attr value);
};

// "adagrad", "adam", … for help and messages.
std::vector<std::string> optimizer_names();
// Throws bad_attribute for a name that is not known, and what `check_optimizer` throws.
Optimizer optimizer_named(std::string_view kind, Attrs settings = {});
// Looks at every setting, those of groups included. Throws unknown_attribute, bad_attribute, bad_name, duplicate_name.
void check_optimizer(const Optimizer& optimizer);

// State belongs to the step graph and is known by the parameter and the name of the slot, so that it can follow the
// parameter through edits of the model. What belongs to the whole training has no parameter: "<group>.factor",
// "ema.count", "micro_batches".
struct StateKey {
  VarId parameter;
  std::string slot;  // "velocity", "mean", "square", "count", "ema" …
  friend auto operator<=>(const StateKey&, const StateKey&) = default;
};
inline constexpr std::string_view kEmaSlot = "ema";
inline constexpr std::string_view kGradientNorm = "gradient_norm";  // the output of the step

struct Updates {
  // A scalar variable of the graph: f64 where a trained parameter is, else f32. Changing it compiles nothing anew.
  VarId learning_rate;
  std::map<StateKey, VarId> state;  // variables of the graph, kind optimizer
};

// Adds to a joint graph the updates of assignment.trained from their gradients, with the state they need. The nodes
// stand in the scope "optimizer" with Role::update. Does not look at `accumulate`: gradients are those to be applied.
Updates add_updates(Graph& graph, const Assignment& assignment, std::span<const Value> gradients,
                    const Optimizer& optimizer);

// The norm of all gradients taken together, in the widest of their dtypes.
Tensor norm_of(std::span<const Tensor> gradients);

// For each trained parameter the variable that holds its mean; empty without one. A model is evaluated by the means
// when their values stand in place of the parameters'.
std::map<VarId, VarId> ema_variables(const Updates& updates);

}  // namespace asg::optim
