#pragma once

#include <vector>

#include "asg/train/step_graph.h"

// The graphs of a step that gathers gradients over micro-batches.
namespace asg::train {

inline constexpr const char* kSumSlot = "gradient_sum";
inline constexpr const char* kMicroBatches = "micro_batches";  // how many the sums hold

// Adds to step.graph a sum for each trained parameter and the number of micro-batches, and their updates. Returns the
// sums with the gradients of this micro-batch.
std::vector<Value> add_sums(StepGraph& step, const std::vector<Value>& gradients);

// The output "gradient_norm": of the mean over the micro-batches up to this one. On the last it is that of the update.
void add_norm_of_mean(StepGraph& step, const std::vector<Value>& sums);

// Makes step.apply and step.updates. `sums` lend the origins of their nodes.
void add_apply(StepGraph& step, const optim::Assignment& assignment, const std::vector<Value>& sums,
               const optim::Optimizer& optimizer);

}  // namespace asg::train
