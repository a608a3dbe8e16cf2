// Reductions, norms and pools.
#include <algorithm>
#include <utility>

#include "axis_rules.h"

namespace asg::axis_rules {
namespace {

void reduce_axes(AxisFlow& flow, const std::vector<int>& axes, bool keepdims, bool zeros_vanish) {
  const WideAxes& from = flow.inputs[0];
  std::size_t target = 0;
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    const bool reduced = std::find(axes.begin(), axes.end(), static_cast<int>(axis)) != axes.end();
    if (reduced && from[axis]) {
      if (!zeros_vanish || from[axis]->zeros.empty()) block(*from[axis], "which reduces over it");
      flow.zeros.insert(flow.zeros.end(), from[axis]->zeros.begin(), from[axis]->zeros.end());
    }
    if (!reduced && from[axis]) flow.outputs[0][target] = without_zeros(*from[axis]);
    if (!reduced || keepdims) ++target;
  }
}

// Axes that an op treats place by place.
void pass_axes(AxisFlow& flow, std::size_t end) {
  const WideAxes& from = flow.inputs[0];
  for (WideAxes& output : flow.outputs) {
    for (std::size_t axis = 0; axis < std::min(end, output.size()); ++axis) {
      if (from[axis]) output[axis] = without_zeros(*from[axis]);
    }
  }
}

void block_from(const AxisFlow& flow, std::size_t begin, const std::string& reason) {
  const WideAxes& from = flow.inputs[0];
  for (std::size_t axis = begin; axis < from.size(); ++axis) {
    if (from[axis]) block(*from[axis], reason);
  }
}

// Inputs from the second on have an element for each channel.
void meet_channels(AxisFlow& flow) {
  auto& channels = flow.outputs[0][1];
  for (std::size_t input = 1; input < flow.inputs.size(); ++input) {
    if (!flow.has(input) || flow.inputs[input].empty()) continue;
    const auto& other = flow.inputs[input].front();
    if (!channels && other) block(*other, "which has an element for each channel");
    if (channels && other) channels = without_zeros(met(*channels, *other));
  }
}

}  // namespace

void reduce(AxisFlow& flow) {
  const int rank = static_cast<int>(flow.inputs[0].size());
  std::vector<int> axes;
  if (flow.has(1)) {
    const auto* known = known_operand(flow.graph, flow.node, 1);
    if (known == nullptr) return block_any(flow.inputs[0], "whose axes are known only when the graph runs");
    for (const Dim& axis : *known) axes.push_back(normalize_axis(axis.value(), rank));
  }
  if (axes.empty() && !flow.attr("noop_with_empty_axes").as_boolean()) {
    for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
  }
  const std::string& op = flow.node.op->name;
  const bool zeros_vanish = op == "ReduceSum" || op == "ReduceL1" || op == "ReduceL2" || op == "ReduceSumSquare";
  reduce_axes(flow, axes, flow.attr("keepdims").as_boolean(), zeros_vanish);
}

void arg_max(AxisFlow& flow) {
  const int rank = static_cast<int>(flow.inputs[0].size());
  reduce_axes(flow, {normalize_axis(flow.attr("axis").as_integer(), rank)}, flow.attr("keepdims").as_boolean(), false);
}

void softmax(AxisFlow& flow) {
  const WideAxes& from = flow.inputs[0];
  const int axis = normalize_axis(flow.attr("axis").as_integer(), static_cast<int>(from.size()));
  if (const auto& wide = from[static_cast<std::size_t>(axis)]) block(*wide, "which normalises over it");
  pass_axes(flow, from.size());
}

void layer_normalization(AxisFlow& flow) {
  const int rank = static_cast<int>(flow.inputs[0].size());
  const auto first = static_cast<std::size_t>(normalize_axis(flow.attr("axis").as_integer(), rank));
  block_from(flow, first, "which normalises over it");
  for (std::size_t input = 1; input < flow.inputs.size(); ++input) {
    block_any(flow.inputs[input], "which normalises over it");
  }
  pass_axes(flow, first);
}

void instance_normalization(AxisFlow& flow) {
  block_from(flow, 2, "which normalises over it");
  pass_axes(flow, 2);
  meet_channels(flow);
}

// Groups of channels stay the same where whole groups of the same size are added.
void group_normalization(AxisFlow& flow) {
  constexpr const char* kNormGroups = "which normalises over groups of channels that do not stay the same";
  const auto& channels = flow.inputs[0][1];
  Attrs before = flow.earlier.attrs;
  Attrs now = flow.node.attrs;
  before.erase("num_groups");
  now.erase("num_groups");
  if (before != now) throw AxisBlocked{{}, false, "whose settings are others"};
  block_from(flow, 2, "which normalises over it");
  const Dim old_count = flow.earlier_attr("num_groups").as_integer();
  const Dim count = flow.attr("num_groups").as_integer();
  if (!channels && old_count != count) throw AxisBlocked{{}, false, kNormGroups};
  if (channels) {
    const Dim size = floor_div(channels->runs.length(), count);
    if (channels->runs.old_length() != size * old_count || !channels->runs.divided(size)) block(*channels, kNormGroups);
  }
  pass_axes(flow, 2);
  meet_channels(flow);
  if (channels) flow.outputs[0][1]->placed_by.reset();  // elsewhere they might cut a group
}

// In eval mode a scale and a shift of each channel.
void batch_normalization(AxisFlow& flow) {
  if (flow.attr("training_mode").as_boolean()) {
    for (std::size_t axis = 0; axis < flow.inputs[0].size(); ++axis) {
      if (axis != 1 && flow.inputs[0][axis]) block(*flow.inputs[0][axis], "which normalises over it");
    }
  }
  flow.outputs[0] = flow.inputs[0];
  for (auto& axis : flow.outputs[0]) {
    if (axis) axis->zeros.clear();
  }
  meet_channels(flow);
  for (std::size_t port = 1; port < flow.outputs.size(); ++port) flow.outputs[port].front() = flow.outputs[0][1];
}

void pool(AxisFlow& flow) {
  block_from(flow, 2, "which moves windows along it");
  pass_axes(flow, 2);
  // Places of maxima are counted over the whole tensor.
  if (flow.outputs.size() > 1) flow.changed.push_back(1);
}

}  // namespace asg::axis_rules
