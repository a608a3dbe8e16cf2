#include "axis_flow.h"

#include <algorithm>
#include <array>
#include <utility>

namespace asg {
namespace {

[[noreturn]] void block(const WideAxis& axis, std::string reason) { throw AxisBlocked{axis, std::move(reason)}; }

void block_any(const WideAxes& axes, const std::string& reason) {
  for (const auto& axis : axes) {
    if (axis) block(*axis, reason);
  }
}

WideAxis without_source(WideAxis axis) {
  axis.source = {};
  return axis;
}

// Axes of `from` lie on those of `to` counted from the last, as broadcasting lays them.
void lay_over(const WideAxes& from, WideAxes& to, bool keep_source) {
  const std::size_t shift = to.size() - from.size();
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (!from[axis]) continue;
    auto& target = to[axis + shift];
    if (target && target->old != from[axis]->old) block(*from[axis], "where it meets an axis of another old length");
    if (!target) target = keep_source ? *from[axis] : without_source(*from[axis]);
  }
}

// Where one operand is wide, the others are wide too or are broadcast along that axis, as they were before.
void check_met(const WideAxes& wide, const WideAxes& operand, const Shape& shape) {
  const std::size_t shift = wide.size() - operand.size();
  for (std::size_t axis = 0; axis < operand.size(); ++axis) {
    const auto& target = wide[axis + shift];
    if (!target || operand[axis] || shape[static_cast<int>(axis)] == Dim(1)) continue;
    block(*target, "which was broadcast along it and is no longer");
  }
}

void meet(AxisFlow& flow, const std::vector<std::size_t>& operands, WideAxes& to, bool keep_source) {
  for (const std::size_t operand : operands) lay_over(flow.inputs[operand], to, keep_source);
  for (const std::size_t operand : operands) check_met(to, flow.inputs[operand], flow.shape(operand));
}

void elementwise(AxisFlow& flow) {
  std::vector<std::size_t> operands;
  for (std::size_t input = 0; input < flow.node.inputs.size(); ++input) {
    if (flow.has(input)) operands.push_back(input);
  }
  // 0 stays 0 through these, whatever stands beside it.
  constexpr std::array<std::string_view, 5> kKeepZero = {"Mul", "Neg", "Cast", "Identity", "Relu"};
  const bool keeps = std::find(kKeepZero.begin(), kKeepZero.end(), flow.node.op->name) != kKeepZero.end();
  meet(flow, operands, flow.outputs[0], keeps);
}

// The first output and a mask of the same shape.
void dropout(AxisFlow& flow) {
  for (WideAxes& output : flow.outputs) output = flow.inputs[0];
}

void same_axes(AxisFlow& flow) { flow.outputs[0] = flow.inputs[0]; }

// One of the two factors must be zero in the new slices: the weight, or else the other, where a variable decides it.
void contract(AxisFlow& flow, const std::optional<WideAxis>& weight, const std::optional<WideAxis>& other) {
  if (!weight && !other) return;
  const WideAxis& any = weight ? *weight : *other;
  if (!weight || !other || weight->old != other->old) block(any, "which sums over it, though it was not summed before");
  if (weight->source) {
    flow.zeros.push_back(*weight);
  } else if (other->source) {
    flow.zeros.push_back(*other);
  } else {
    block(any, "which sums products of two computed values over it, so that no weight can be made zero");
  }
}

void mat_mul(AxisFlow& flow) {
  const WideAxes& a = flow.inputs[0];
  const WideAxes& b = flow.inputs[1];
  const std::size_t b_rows = b.size() == 1 ? 0 : b.size() - 2;
  contract(flow, b[b_rows], a.back());
  for (const WideAxes* operand : {&a, &b}) {
    for (std::size_t axis = 0; axis + 2 < operand->size(); ++axis) {
      if ((*operand)[axis]) block(*(*operand)[axis], "which multiplies one matrix for each place along it");
    }
  }
  WideAxes& out = flow.outputs[0];
  const std::size_t columns = b.size() > 1 ? 1 : 0;
  if (a.size() > 1 && a[a.size() - 2]) out[out.size() - 1 - columns] = without_source(*a[a.size() - 2]);
  if (columns > 0 && b.back()) out.back() = without_source(*b.back());
}

void conv(AxisFlow& flow) {
  const WideAxes& x = flow.inputs[0];
  const WideAxes& weight = flow.inputs[1];
  constexpr std::size_t kSpatial = 2;
  for (std::size_t axis = kSpatial; axis < x.size(); ++axis) {
    if (x[axis]) block(*x[axis], "which moves windows along it");
    if (weight[axis]) block(*weight[axis], "whose window grows by it");
  }
  if (flow.attr("group").as_integer() != 1) {
    block_any(x, "which works in groups of channels");
    block_any(weight, "which works in groups of channels");
  }
  contract(flow, weight[1], x[1]);
  WideAxes& out = flow.outputs[0];
  if (x[0]) out[0] = without_source(*x[0]);
  if (weight[0]) out[1] = without_source(*weight[0]);
}

void transpose(AxisFlow& flow) {
  const WideAxes& from = flow.inputs[0];
  WideAxes& to = flow.outputs[0];
  const std::vector<std::int64_t>& perm = flow.attr("perm").as_integers();
  for (std::size_t axis = 0; axis < to.size(); ++axis) {
    const std::size_t source =
        perm.empty() ? from.size() - 1 - axis
                     : static_cast<std::size_t>(normalize_axis(perm[axis], static_cast<int>(from.size())));
    to[axis] = from[source];
  }
}

// Number of elements in one step along each axis of a row-major shape, counted from the first axis: the product of the
// lengths before it.
std::vector<Dim> lengths_before(const Shape& shape) {
  std::vector<Dim> before;
  Dim product = 1;
  for (const Dim& dim : shape) {
    before.push_back(product);
    product = product * dim;
  }
  return before;
}

// Reshape, Squeeze, Unsqueeze: an axis survives when the same length stands after the same number of elements.
void reshape(AxisFlow& flow) {
  const WideAxes& from = flow.inputs[0];
  WideAxes& to = flow.outputs[0];
  const Shape& in = flow.shape(0);
  const Shape& out = flow.out_shape(0);
  const std::vector<Dim> before_in = lengths_before(in);
  const std::vector<Dim> before_out = lengths_before(out);
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (!from[axis]) continue;
    bool found = false;
    for (std::size_t target = 0; target < to.size() && !found; ++target) {
      found = before_in[axis] == before_out[target] && in[static_cast<int>(axis)] == out[static_cast<int>(target)];
      if (found) to[target] = from[axis];
    }
    if (!found) block(*from[axis], "which splits or merges it (as heads do)");
  }
}

// Stretching to a longer shape repeats what was there, so new slices are like the old.
void expand_shape(AxisFlow& flow) {
  WideAxes& to = flow.outputs[0];
  meet(flow, {0}, to, false);
}

void reduce_axes(AxisFlow& flow, const std::vector<int>& axes, bool keepdims) {
  const WideAxes& from = flow.inputs[0];
  std::size_t target = 0;
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    const bool reduced = std::find(axes.begin(), axes.end(), static_cast<int>(axis)) != axes.end();
    if (reduced && from[axis]) block(*from[axis], "which reduces over it");
    if (!reduced && from[axis]) flow.outputs[0][target] = without_source(*from[axis]);
    if (!reduced || keepdims) ++target;
  }
}

void reduce(AxisFlow& flow) {
  const int rank = static_cast<int>(flow.inputs[0].size());
  std::vector<int> axes;
  if (flow.has(1)) {
    const auto& known = flow.graph.info(flow.node.inputs[1]).known;
    if (!known) block_any(flow.inputs[0], "whose axes are known only when the graph runs");
    if (known) {
      for (const Dim& axis : *known) axes.push_back(normalize_axis(axis.value(), rank));
    }
  }
  if (axes.empty() && !flow.attr("noop_with_empty_axes").as_boolean()) {
    for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
  }
  reduce_axes(flow, axes, flow.attr("keepdims").as_boolean());
}

void arg_max(AxisFlow& flow) {
  const int rank = static_cast<int>(flow.inputs[0].size());
  reduce_axes(flow, {normalize_axis(flow.attr("axis").as_integer(), rank)}, flow.attr("keepdims").as_boolean());
}

void softmax(AxisFlow& flow) {
  const WideAxes& from = flow.inputs[0];
  const int axis = normalize_axis(flow.attr("axis").as_integer(), static_cast<int>(from.size()));
  if (const auto& wide = from[static_cast<std::size_t>(axis)]) block(*wide, "which normalises over it");
  for (std::size_t other = 0; other < from.size(); ++other) {
    if (from[other]) flow.outputs[0][other] = without_source(*from[other]);
  }
}

void layer_normalization(AxisFlow& flow) {
  const WideAxes& from = flow.inputs[0];
  const int first = normalize_axis(flow.attr("axis").as_integer(), static_cast<int>(from.size()));
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (!from[axis]) continue;
    if (static_cast<int>(axis) >= first) block(*from[axis], "which normalises over it");
    for (WideAxes& output : flow.outputs) output[axis] = without_source(*from[axis]);
  }
}

// Rows that are looked up are old ones, so growing the table changes nothing; the other axes pass.
void gather(AxisFlow& flow) {
  const WideAxes& data = flow.inputs[0];
  const WideAxes& indices = flow.inputs[1];
  const auto axis =
      static_cast<std::size_t>(normalize_axis(flow.attr("axis").as_integer(), static_cast<int>(data.size())));
  WideAxes& out = flow.outputs[0];
  for (std::size_t from = 0; from < data.size(); ++from) {
    if (from == axis) continue;
    out[from < axis ? from : from + indices.size() - 1] = data[from];
  }
  for (std::size_t from = 0; from < indices.size(); ++from) out[axis + from] = indices[from];
}

void concat(AxisFlow& flow) {
  WideAxes& out = flow.outputs[0];
  const int rank = static_cast<int>(out.size());
  const auto joined = static_cast<std::size_t>(normalize_axis(flow.attr("axis").as_integer(), rank));
  for (std::size_t input = 0; input < flow.inputs.size(); ++input) {
    const WideAxes& from = flow.inputs[input];
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
      if (!from[axis]) continue;
      if (axis != joined) {
        out[axis] = without_source(*from[axis]);
        continue;
      }
      if (input + 1 < flow.inputs.size()) block(*from[axis], "which puts other values after it");
      Dim before;
      for (std::size_t other = 0; other < input; ++other) before = before + flow.shape(other)[static_cast<int>(axis)];
      out[axis] = without_source(*from[axis]);
      out[axis]->old = before + from[axis]->old;
    }
  }
}

void split(AxisFlow& flow) {
  const WideAxes& from = flow.inputs[0];
  const int axis = normalize_axis(flow.attr("axis").as_integer(), static_cast<int>(from.size()));
  if (const auto& wide = from[static_cast<std::size_t>(axis)]) block(*wide, "which cuts it into parts");
  for (WideAxes& output : flow.outputs) output = from;
}

// Slice and Pad: an axis that they leave alone keeps its length.
void untouched_axes(AxisFlow& flow) {
  const WideAxes& from = flow.inputs[0];
  const bool steps = flow.node.op->name == "Slice" && flow.has(4);
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (!from[axis]) continue;
    const int number = static_cast<int>(axis);
    if (steps || flow.shape(0)[number] != flow.out_shape(0)[number]) block(*from[axis], "which cuts or pads it");
    flow.outputs[0][axis] = without_source(*from[axis]);
  }
}

void shape_of(AxisFlow&) {}  // integers, which are followed by their known contents

struct Row {
  std::string_view op;
  AxisRule rule;
};

constexpr Row kRules[] = {
    {"MatMul", mat_mul},       {"Conv", conv},          {"Transpose", transpose},
    {"Reshape", reshape},      {"Squeeze", reshape},    {"Unsqueeze", reshape},
    {"Expand", expand_shape},  {"ReduceSum", reduce},   {"ReduceMean", reduce},
    {"ReduceMax", reduce},     {"ReduceMin", reduce},   {"ArgMax", arg_max},
    {"Softmax", softmax},      {"LogSoftmax", softmax}, {"LayerNormalization", layer_normalization},
    {"Gather", gather},        {"Concat", concat},      {"Split", split},
    {"Slice", untouched_axes}, {"Pad", untouched_axes}, {"Dropout", dropout},
    {"Trilu", same_axes},      {"Shape", shape_of},     {"ArgMin", arg_max},
};

}  // namespace

AxisRule axis_rule(const OpCard& op) {
  const auto* row = std::find_if(std::begin(kRules), std::end(kRules), [&](const Row& r) { return r.op == op.name; });
  if (row != std::end(kRules)) return row->rule;
  return op.traits.elementwise ? elementwise : nullptr;
}

}  // namespace asg
