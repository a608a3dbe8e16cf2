#pragma once

#include <optional>
#include <vector>

#include "asg/compile/kernel.h"
#include "asg/graph/graph.h"

// Which nodes kernels can compute, one by one.
namespace asg::fusion {

// A reduction as kernels know it.
struct Reduced {
  Reduction reduction = Reduction::sum;
  bool mean = false;
  std::vector<int> axes = {};  // of its input
};
std::optional<Reduced> reduced_by(const Graph& graph, const Node& node);  // nothing: another op, or nothing to reduce

bool is_gather(const Node& node);
bool is_dropout(const Node& node);

// Whether a kernel can compute the op.
bool is_fusible(const Graph& graph, const Node& node);
// How many of a fusible node's inputs may flow into it without memory: those that it reads element by element. What
// follows them are shapes and axes, known while compiling, or numbers for all elements.
std::size_t data_inputs(const Node& node);

}  // namespace asg::fusion
