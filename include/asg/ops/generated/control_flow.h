// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

// Holds a part of the graph that a device wants to run as a whole. It computes exactly what the nodes inside would
// compute one by one.
//   y = f(x₁, …, x_n)
// body: the graph that is run as one
inline std::vector<Tensor> carrier(const std::vector<Tensor>& inputs, const GraphPtr& body,
                                   SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("body", body);
  return add_node("Carrier", node_inputs({}, inputs), std::move(call));
}

// Runs one of two graphs, chosen by a single condition while the program runs; the other one costs nothing. Both take
// the same captures and must give outputs of the same types.
//   y = { f(x), c; g(x), otherwise }
// then_branch: what to compute when the condition holds
// else_branch: what to compute when it does not
inline std::vector<Tensor> if_(const Tensor& condition, const std::vector<Tensor>& captures,
                               const GraphPtr& then_branch, const GraphPtr& else_branch,
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("then_branch", then_branch);
  call.attrs.set("else_branch", else_branch);
  return add_node("If", node_inputs({condition}, captures), std::move(call));
}

}  // namespace asg
