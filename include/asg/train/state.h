#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "asg/core/array.h"
#include "asg/graph/edit.h"
#include "asg/graph/graph.h"
#include "asg/optim/optimizer.h"
#include "asg/train/step_graph.h"

namespace asg::train {

// All that a training has learnt, on the host: variables of the model by id, optimiser state by (parameter, slot). It
// does not depend on how the step is compiled, so it can follow the model through edits.
struct TrainingState {
  std::map<VarId, Array> variables;
  std::map<optim::StateKey, Array> optimizer;
  double learning_rate = 0;
  std::int64_t steps = 0;      // that ran
  std::int64_t committed = 0;  // of these, that changed the variables
  std::int64_t updates = 0;    // of the parameters: fewer, where several micro-batches make one

  std::int64_t bytes() const;
};

// What a training starts from: first values by seed and id, optimiser state as its slots begin: mostly zero, and means
// of parameters with the parameters.
TrainingState initial_state(const StepGraph& step, const Graph& model, const optim::Optimizer& optimizer,
                            std::uint64_t seed);

// One version of the model becomes another.
struct Transition {
  const Graph& after;
  std::vector<ResizeRule> resizes = {};  // see plan_resize; what is resized without a rule begins anew
  std::uint64_t seed = 0;
  // Variables that begin anew, with their optimizer state, although they have values.
  const std::set<VarId>* anew = nullptr;

  // ---- Of undo and redo, which bring back values of the other side of a change (see Change in history.h).
  const TrainingState* other = nullptr;  // null: new parts come from the initialisers
  // No step was made since the change: all of `other` comes back as it was.
  bool is_whole = false;
};

// The state after an edit.
//   kept variables      their values and their optimiser state, bit by bit
//   resized ones        by their rules; optimiser state follows the same slices, as it begins in the new part; counts
//                       stay
//   new ones            their initial value, by seed and id; optimiser state as it begins
// Where there is the other side of a change, its values come back: of resized variables the elements that the state
// lacks.
TrainingState carry_over(const TrainingState& state, const Transition& transition, const StepGraph& step);

}  // namespace asg::train
