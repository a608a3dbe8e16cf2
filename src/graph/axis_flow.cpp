#include "axis_flow.h"

#include <algorithm>
#include <array>
#include <utility>

#include "axis_rules.h"

namespace asg {

void block(const WideAxis& axis, std::string reason) { throw AxisBlocked{axis.cause, true, std::move(reason)}; }

namespace axis_rules {

void block_any(const WideAxes& axes, const std::string& reason) {
  for (const auto& axis : axes) {
    if (axis) block(*axis, reason);
  }
}

WideAxis without_zeros(WideAxis axis) {
  axis.zeros.clear();
  return axis;
}

WideAxis with_runs(const WideAxis& axis, AxisRuns runs) {
  WideAxis result = axis;
  result.runs = std::move(runs);
  result.placed_by.reset();
  return result;
}

void place_or_block(const WideAxis& axis, const AxisRuns& runs, std::string reason) {
  const bool fits = runs.length() == axis.runs.length() && runs.old_length() == axis.runs.old_length();
  if (axis.placed_by && fits && runs != axis.runs) throw OtherPlaces{*axis.placed_by, runs};
  block(axis, std::move(reason));
}

WideAxis met(const WideAxis& a, const WideAxis& b) {
  if (a.runs.old_length() != b.runs.old_length()) block(a, "where it meets an axis of another old length");
  if (a.uniform) return b;
  if (b.uniform) return a;
  if (a.runs != b.runs) {
    const bool place_b = b.placed_by.has_value();
    place_or_block(place_b ? b : a, place_b ? a.runs : b.runs, "where it meets an axis with new elements elsewhere");
  }
  WideAxis result = a;
  if (a.zeros.empty()) result.zeros = b.zeros;
  result.placed_by = a.placed_by && b.placed_by ? a.placed_by : std::nullopt;
  return result;
}

const std::vector<Dim>* known_operand(const Graph& graph, const Node& node, std::size_t input) {
  if (input >= node.inputs.size() || !node.inputs[input]) return nullptr;
  return graph.info(node.inputs[input]).known.get();
}

namespace {

// Axes of the operands lie on those of the result counted from the last, as broadcasting lays them. Where one operand
// is wide, the others are wide too or are broadcast along that axis, as they were before.
void meet(AxisFlow& flow, const std::vector<std::size_t>& operands, bool keep_zeros) {
  WideAxes& to = flow.outputs[0];
  for (const std::size_t operand : operands) {
    const WideAxes& from = flow.inputs[operand];
    const std::size_t shift = to.size() - from.size();
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
      if (!from[axis]) continue;
      auto& target = to[axis + shift];
      target = target ? met(*target, *from[axis]) : *from[axis];
    }
  }
  for (const std::size_t operand : operands) {
    const WideAxes& from = flow.inputs[operand];
    const std::size_t shift = to.size() - from.size();
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
      const auto& target = to[axis + shift];
      if (!target || from[axis] || flow.shape(operand)[static_cast<int>(axis)] == Dim(1)) continue;
      block(*target, "which was broadcast along it and is no longer");
    }
  }
  if (keep_zeros) return;
  for (auto& axis : to) {
    if (axis) axis->zeros.clear();
  }
}

}  // namespace

void elementwise(AxisFlow& flow) {
  std::vector<std::size_t> operands;
  for (std::size_t input = 0; input < flow.node.inputs.size(); ++input) {
    if (flow.has(input)) operands.push_back(input);
  }
  // 0 stays 0 through these, whatever stands beside it.
  constexpr std::array<std::string_view, 5> kKeepZero = {"Mul", "Neg", "Cast", "Identity", "Relu"};
  const bool keeps = std::find(kKeepZero.begin(), kKeepZero.end(), flow.node.op->name) != kKeepZero.end();
  meet(flow, operands, keeps);
}

void same_axes(AxisFlow& flow) {
  for (WideAxes& output : flow.outputs) output = flow.inputs[0];
}

// Stretching to a longer shape repeats what was there, so new slices are like the old.
void expand_shape(AxisFlow& flow) {
  if (!flow.inputs.empty() && flow.node.op->name == "Expand") meet(flow, {0}, false);
  WideAxes& to = flow.outputs[0];
  const Shape& before = flow.earlier_out_shape(0);
  const Shape& now = flow.out_shape(0);
  for (std::size_t axis = 0; axis < to.size() && before.rank() == now.rank(); ++axis) {
    const int number = static_cast<int>(axis);
    if (to[axis] || before[number] == now[number]) continue;
    const auto more = (now[number] - before[number]).lower_bound();
    if (!more || *more < 0) throw AxisBlocked{{}, true, "which becomes shorter"};
    to[axis] = WideAxis{.runs = AxisRuns::appended(before[number], now[number]), .uniform = true};
  }
}

}  // namespace axis_rules

namespace {

struct AxisRow {
  std::string_view op;
  AxisRule rule;
};

constexpr AxisRule operands_of(void (*run)(AxisFlow&)) { return {.run = run, .reads_operands = true}; }
constexpr AxisRule lengths_of(void (*run)(AxisFlow&)) { return {.run = run, .reads_operands = true, .of_any = true}; }
constexpr AxisRule settings_of(void (*run)(AxisFlow&)) {
  return {.run = run, .reads_attributes = true, .of_any = true};
}

constexpr AxisRow kAxisRows[] = {
    {"MatMul", {axis_rules::mat_mul}},
    {"Gemm", {axis_rules::gemm}},
    {"Conv", settings_of(axis_rules::conv)},
    {"ConvTranspose", {axis_rules::conv_transpose}},
    {"Transpose", {axis_rules::transpose}},
    {"Reshape", operands_of(axis_rules::reshape)},
    {"Flatten", {axis_rules::reshape}},
    {"Squeeze", {axis_rules::reshape}},
    {"Unsqueeze", {axis_rules::reshape}},
    {"Expand", lengths_of(axis_rules::expand_shape)},
    {"ConstantOfShape", lengths_of(axis_rules::expand_shape)},
    {"ReduceSum", {axis_rules::reduce}},
    {"ReduceMean", {axis_rules::reduce}},
    {"ReduceMax", {axis_rules::reduce}},
    {"ReduceMin", {axis_rules::reduce}},
    {"ReduceProd", {axis_rules::reduce}},
    {"ReduceL1", {axis_rules::reduce}},
    {"ReduceL2", {axis_rules::reduce}},
    {"ReduceSumSquare", {axis_rules::reduce}},
    {"ReduceLogSum", {axis_rules::reduce}},
    {"ReduceLogSumExp", {axis_rules::reduce}},
    {"ArgMax", {axis_rules::arg_max}},
    {"ArgMin", {axis_rules::arg_max}},
    {"Softmax", {axis_rules::softmax}},
    {"LogSoftmax", {axis_rules::softmax}},
    {"LayerNormalization", {axis_rules::layer_normalization}},
    {"RMSNormalization", {axis_rules::layer_normalization}},
    {"InstanceNormalization", {axis_rules::instance_normalization}},
    {"GroupNormalization", settings_of(axis_rules::group_normalization)},
    {"BatchNormalization", {axis_rules::batch_normalization}},
    {"MaxPool", {axis_rules::pool}},
    {"AveragePool", {axis_rules::pool}},
    {"LpPool", {axis_rules::pool}},
    {"AdaptiveAveragePool", {axis_rules::pool}},
    {"AdaptiveMaxPool", {axis_rules::pool}},
    {"GlobalAveragePool", {axis_rules::pool}},
    {"GlobalMaxPool", {axis_rules::pool}},
    {"GlobalLpPool", {axis_rules::pool}},
    {"Gather", {axis_rules::gather}},
    {"Concat", {axis_rules::concat}},
    {"Split", operands_of(axis_rules::split)},
    {"Slice", operands_of(axis_rules::slice)},
    {"Pad", {axis_rules::pad}},
    {"Dropout", {axis_rules::same_axes}},
    {"Trilu", {axis_rules::trilu}},
    {"Shape", {axis_rules::shape_of}},
};

}  // namespace

AxisRule axis_rule(const OpCard& op) {
  const auto* row =
      std::find_if(std::begin(kAxisRows), std::end(kAxisRows), [&](const AxisRow& each) { return each.op == op.name; });
  if (row != std::end(kAxisRows)) return row->rule;
  return op.traits.elementwise ? AxisRule{axis_rules::elementwise} : AxisRule{};
}

}  // namespace asg
