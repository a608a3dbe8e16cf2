#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "axis_runs.h"

// How a widened axis goes through one op. See preserve.h for what it is for.
namespace asg {

struct VarAxis {
  VarId variable;
  int axis = 0;
  friend auto operator<=>(const VarAxis&, const VarAxis&) = default;
};

// An axis that is longer than it was. Its old slices hold what they did; the others hold anything.
struct WideAxis {
  AxisRuns runs;
  VarId cause = {};                 // the variable that was widened; none where it is an input of the graph
  std::vector<VarAxis> zeros = {};  // the new slices are zero if those of these are; with none they are not
  // Whose new elements decide which slices are new here, where they may still be put elsewhere.
  std::optional<VarAxis> placed_by = {};
  bool uniform = false;  // all slices are the same, so any may be the new ones
};
using WideAxes = std::vector<std::optional<WideAxis>>;  // of one value, by axis

// What the rule of an op sees and fills in. `earlier` computes from the same values before the edit.
struct AxisFlow {
  const Graph& graph;
  const Node& node;
  const Graph& earlier_graph;
  const Node& earlier;
  std::vector<WideAxes> inputs;             // each of the rank of its input; absent ones are empty
  std::vector<WideAxes> outputs;            // each of the rank of its output; the rule sets what is wide
  std::vector<VarAxis> zeros = {};          // whose new slices must be zero
  std::vector<std::uint32_t> changed = {};  // outputs that hold other numbers than before

  const Shape& shape(std::size_t input) const { return graph.type(node.inputs[input]).shape; }
  const Shape& out_shape(std::size_t output) const { return node.outputs[output].type.shape; }
  const Shape& earlier_out_shape(std::size_t output) const { return earlier.outputs[output].type.shape; }
  bool has(std::size_t input) const { return input < node.inputs.size() && node.inputs[input]; }
  const Attr& attr(std::string_view name) const { return AttrReader(*node.op, node.attrs).attr(name); }
  const Attr& earlier_attr(std::string_view name) const { return AttrReader(*earlier.op, earlier.attrs).attr(name); }
};

// Why the function cannot be kept; whoever calls the rule adds the node.
struct AxisBlocked {
  VarId cause;         // the variable whose new size it is about, where there is one
  bool is_size;        // whether it is about a new size at all
  std::string reason;  // "which normalises over it"
};
[[noreturn]] void block(const WideAxis& axis, std::string reason);  // throws AxisBlocked

// Thrown by a rule: all may be well if this variable had its new elements at other places.
struct OtherPlaces {
  VarAxis axis;
  AxisRuns runs;
};

struct AxisRule {
  void (*run)(AxisFlow&) = nullptr;  // throws AxisBlocked, OtherPlaces
  bool reads_operands = false;       // judges integer operands by itself: they may differ from those before
  bool reads_attributes = false;     // likewise attributes
  bool of_any = false;               // has something to say where no input is wide
};
// Without `run` where there is none.
AxisRule axis_rule(const OpCard& op);

}  // namespace asg
