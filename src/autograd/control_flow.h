#pragma once

#include "asg/graph/contexts.h"
#include "asg/graph/node.h"

namespace asg {

// Whether an op runs subgraphs and is differentiated here: cards stand below autograd and cannot do it themselves.
bool holds_subgraphs(const OpCard& op);

// Sets the gradients of a node that runs subgraphs.
//   If:    an If; each branch computes its values again and then the gradients of its captures, so that nothing has to
//          be kept from a branch that may not have run
//   Scan:  two Scans; the first computes the states before every iteration, the second walks back and applies the
//          vector-Jacobian product of the body
//   Loop:  as the Scan over the numbers of its iterations, where their count is known at entry; else no_gradient
void differentiate_subgraphs(const Node& node, GradientContext& context);

void differentiate_if(const Node& node, GradientContext& context);
void differentiate_scan(const Node& node, GradientContext& context);
void differentiate_loop(const Node& node, GradientContext& context);

// What is known of the inputs from `first` on: subgraphs may have been written for other symbols than those of the
// values passed to them here.
std::vector<OutputInfo> infos_of(GradientContext& context, int first);

// A subgraph with all ops whose gradient is that of their body replaced by it.
Graph made_differentiable(const Graph& subgraph);

}  // namespace asg
