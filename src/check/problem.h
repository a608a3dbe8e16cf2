#pragma once

#include <string>
#include <vector>

#include "asg/compile/executable.h"
#include "asg/graph/card.h"
#include "asg/graph/graph.h"

namespace asg {

// A sample as a graph: its inputs, the op, and values for everything it needs, in f64.
struct Problem {
  Graph graph{"gradient_check"};
  NodeId node;                            // of the op
  std::vector<Value> outputs;             // of the op: those that are floats
  std::vector<Value> targets;             // what is differentiated by: inputs and parameters
  std::vector<std::string> target_names;  // under which their values stand in `values`
  NamedArrays values;
};

Problem make_problem(const OpCard& op, const Sample& sample);

// Whether an op can be differentiated by this input of a sample.
bool is_target(const OpCard& op, std::size_t input, const Array& value);

// The value at which a variable is checked. Parameters are moved off their first values (zeros, ones), which would hide
// mistakes.
Array value_for_check(const Variable& variable);

// Fixed random numbers in [low, high) of the given sizes.
Array random_numbers(const Sizes& sizes, std::uint64_t stream, double low, double high);

// Σ weights · tensor over all tensors, with fixed random weights in [1, 3): no element is favoured or lost.
Tensor weighted_sum(Graph& graph, const std::vector<Value>& values, std::uint64_t stream);

}  // namespace asg
