// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

// Applies a function that was defined once, as a graph of its own, to arguments. Many calls may share one definition,
// and each is typed by its own arguments. Random ops inside draw other numbers in every call.
//   (y₁, …, y_m) = f(x₁, …, x_n)
// body: the function: a closed graph, whose name is the name of the function
inline std::vector<Tensor> call_(const std::vector<Tensor>& inputs, const GraphPtr& body,
                                 SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("body", body);
  return add_node("Call", node_inputs({}, inputs), std::move(call));
}

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

struct LoopOptions {
  // how many inputs, the last ones, are the same in every iteration
  std::int64_t num_captures = 0;
};

// Runs its body again and again, up to a number of times, as long as the body says that it wants to go on. States
// travel from one iteration to the next; other results are stacked along a new first axis, one row per iteration.
//   (c_(t+1), s_(t+1), y_t) = f(t, s_t),  t = 0, 1, … while c_t ∧ t < n
// body: one iteration: (its number, condition, states, captures) → (whether to go on, next states, what is stacked)
inline std::vector<Tensor> loop(const Ints& trip_count, const Tensor& condition, const std::vector<Tensor>& inputs,
                                const GraphPtr& body, const LoopOptions& options = {},
                                SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("body", body);
  call.attrs.set("num_captures", options.num_captures);
  return add_node("Loop", node_inputs({trip_count, condition}, inputs), std::move(call));
}

struct PrintOptions {
  // what stands before the value
  std::string message = "";
  // the most elements that are shown; of longer tensors the middle is left out
  std::int64_t summarize = 64;
};

// Passes its input through unchanged and hands type and value to the log of the program on the way. Long tensors are
// shortened in the middle. Only the reference kernel shows anything; an exported model holds an Identity instead.
//   y = x
inline Tensor print(const Tensor& x, const PrintOptions& options = {},
                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("message", options.message);
  call.attrs.set("summarize", options.summarize);
  return add_node("Print", {x}, std::move(call))[0];
}

struct ScanOptions {
  // how many inputs, the last ones, are the same in every iteration
  std::int64_t num_captures = 0;
  // the axis of each scanned tensor; empty: 0
  std::vector<std::int64_t> scan_input_axes = {};
  // 0: from the first element, 1: from the last; empty: 0
  std::vector<std::int64_t> scan_input_directions = {};
  // the axis along which each result is stacked; empty: 0
  std::vector<std::int64_t> scan_output_axes = {};
  // 0: appended at the end, 1: put in front; empty: 0
  std::vector<std::int64_t> scan_output_directions = {};
  // the number of an iteration is part of the key of its random numbers; a gradient, which walks back, counts backward
  // to draw the same ones
  std::string numbering = "forward";
};

// Walks along one or more sequences and runs its body once per element, handing the states that the body returns to the
// next run. What else the body returns is stacked into sequences of the same length. With no elements the states come
// out as they went in.
//   (s_t, y_t) = f(s_(t−1), x_t),  t = 1… n
// body: one iteration: (states, an element of each scanned tensor, captures) → (next states, what is stacked)
// num_scan_inputs: how many inputs are walked along
inline std::vector<Tensor> scan(const std::vector<Tensor>& inputs, const GraphPtr& body, std::int64_t num_scan_inputs,
                                const ScanOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("body", body);
  call.attrs.set("num_scan_inputs", num_scan_inputs);
  call.attrs.set("num_captures", options.num_captures);
  call.attrs.set("scan_input_axes", options.scan_input_axes);
  call.attrs.set("scan_input_directions", options.scan_input_directions);
  call.attrs.set("scan_output_axes", options.scan_output_axes);
  call.attrs.set("scan_output_directions", options.scan_output_directions);
  call.attrs.set("numbering", options.numbering);
  return add_node("Scan", node_inputs({}, inputs), std::move(call));
}

}  // namespace asg
