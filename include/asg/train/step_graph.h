#pragma once

#include <string>
#include <vector>

#include "asg/graph/expand.h"
#include "asg/graph/graph.h"
#include "asg/optim/optimizer.h"

namespace asg::train {

// One training step as a graph: model, loss, gradient and updates, all of it made by graph-to-graph functions.
struct StepGraph {
  Graph graph;                    // outputs: those of the model, and "all_finite"
  Remap remap;                    // values of the model → of the step
  std::vector<VarId> parameters;  // that are trained
  optim::Updates updates;
  std::vector<std::string> warnings;
};

// `loss` names the model's output that is minimised: one float. Updates are committed only when loss and gradients are
// finite. Counters of random ops advance by one.
StepGraph make_step(const Graph& model, const std::string& loss, const optim::Optimizer& optimizer);

// The model in eval mode: no gradient work, no dropout, no updates.
Expansion make_inference(const Graph& model);

}  // namespace asg::train
