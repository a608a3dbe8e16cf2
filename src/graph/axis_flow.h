#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"

// How a widened axis goes through one op. See preserve.h for what it is for.
namespace asg {

// An axis that is longer than it was. Along it the first `old` slices are as before; the others hold anything.
struct WideAxis {
  Dim old;
  VarId cause;  // the variable that was widened; none where it is an input of the graph
  // The new slices are zero if those of this variable along this axis are.
  VarId source = {};
  int source_axis = 0;
};
using WideAxes = std::vector<std::optional<WideAxis>>;  // of one value, by axis

// What the rule of an op sees and fills in.
struct AxisFlow {
  const Graph& graph;
  const Node& node;
  const Node* earlier;            // the same node before the edit; null where there was none
  std::vector<WideAxes> inputs;   // each of the rank of its input; absent ones are empty
  std::vector<WideAxes> outputs;  // each of the rank of its output; the rule sets what is wide
  std::vector<WideAxis> zeros;    // sources that must be zero

  const Shape& shape(std::size_t input) const { return graph.type(node.inputs[input]).shape; }
  const Shape& out_shape(std::size_t output) const { return node.outputs[output].type.shape; }
  bool has(std::size_t input) const { return input < node.inputs.size() && node.inputs[input]; }
  const Attr& attr(std::string_view name) const { return AttrReader(*node.op, node.attrs).attr(name); }
};

// Why the function cannot be kept; whoever calls the rule adds the node and the variable.
struct AxisBlocked {
  WideAxis axis;
  std::string reason;  // "which normalises over it"
};

using AxisRule = void (*)(AxisFlow&);  // throws AxisBlocked
AxisRule axis_rule(const OpCard& op);  // null where there is none

}  // namespace asg
