#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asg/graph/expand.h"
#include "asg/graph/graph.h"
#include "asg/optim/optimizer.h"

namespace asg::train {

// One training step as a graph: model, loss, gradient and updates, all of it made by graph-to-graph functions.
//
// With micro-batches (Optimizer::accumulate) it is two: `graph` runs on each of them and adds the gradients to sums,
// `apply` has no inputs and turns the sums into one update. So forward and backward are compiled once, no optimiser
// work is done for a micro-batch that is not the last, the sums live beside the parameters and not in the work memory,
// and each graph commits as a whole: a micro-batch that is not finite is left out and the next one takes its place.
// Both have the same variables under the same ids. See accumulation.h for running them.
struct StepGraph {
  Graph graph;  // outputs: those of the model, "all_finite", and "gradient_norm" where asked
  std::optional<Graph> apply;
  std::int64_t micro_batches = 1;
  Remap remap;                    // values of the model → of the step
  Value loss;                     // of the step
  std::vector<VarId> parameters;  // that are trained
  optim::Updates updates;
  std::vector<std::string> warnings;
};

// `loss` names the model's output that is minimised: one float. Updates are committed only when loss and gradients are
// finite. Counters of random ops advance by one. Throws missing_output, duplicate_name for an output that the step has
// itself, and what `check_optimizer` and `assign_groups` throw.
StepGraph make_step(const Graph& model, const std::string& loss, const optim::Optimizer& optimizer,
                    optim::EmptyGroup empty = optim::EmptyGroup::is_error);

// The model in eval mode: no gradient work, no dropout, no updates.
Expansion make_inference(const Graph& model);
// The part of it that needs only these inputs. Throws missing_value where every output needs others.
Graph make_inference_graph(const Graph& model, std::span<const std::string> given);

}  // namespace asg::train
