// Products: matrices and convolutions.
#include <utility>

#include "axis_rules.h"

namespace asg::axis_rules {
namespace {

using MaybeWide = std::optional<WideAxis>;

// The new terms of a sum are zero if one of their two factors is: the weight, or else the other, where a variable
// decides it.
void contract(AxisFlow& flow, const MaybeWide& weight, const MaybeWide& other) {
  if (!weight && !other) return;
  if (!weight || !other) block(weight ? *weight : *other, "which sums over it, though it was not summed before");
  met(*weight, *other);
  const WideAxis& zero = weight->zeros.empty() ? *other : *weight;
  if (zero.zeros.empty()) {
    block(*weight, "which sums products of two computed values over it, so that no weight can be made zero");
  }
  flow.zeros.insert(flow.zeros.end(), zero.zeros.begin(), zero.zeros.end());
}

MaybeWide passed(const MaybeWide& axis) { return axis ? MaybeWide(without_zeros(*axis)) : std::nullopt; }

// The channels of a result and those of what is added to it.
MaybeWide with_bias(const AxisFlow& flow, MaybeWide channels, std::size_t bias) {
  if (!flow.has(bias)) return channels;
  const MaybeWide& added = flow.inputs[bias].front();
  if (!channels || !added) return channels;
  return without_zeros(met(*channels, *added));
}

void check_windows(const WideAxes& x, const WideAxes& weight) {
  constexpr std::size_t kSpatial = 2;
  for (std::size_t axis = kSpatial; axis < x.size(); ++axis) {
    if (x[axis]) block(*x[axis], "which moves windows along it");
    if (weight[axis]) block(*weight[axis], "whose window grows by it");
  }
}

bool same_settings_but(const AxisFlow& flow, std::string_view name) {
  Attrs before = flow.earlier.attrs;
  Attrs now = flow.node.attrs;
  before.erase(name);
  now.erase(name);
  return before == now;
}

constexpr const char* kGroups = "which works in groups of channels that do not stay the same";

// Whole groups may be added: then those that were there see the same channels as before.
void conv_in_groups(AxisFlow& flow) {
  const MaybeWide& x = flow.inputs[0][1];
  const MaybeWide& weight = flow.inputs[1][0];
  const std::int64_t before = flow.earlier_attr("group").as_integer();
  const std::int64_t now = flow.attr("group").as_integer();
  block_any({flow.inputs[1][1]}, kGroups);
  if (!x && !weight && before == now) return;
  const MaybeWide& any = weight ? weight : x;
  const Dim inputs = floor_div(flow.shape(0)[1], now);
  const Dim outputs = floor_div(flow.shape(1)[0], now);
  if (!x || !weight || x->runs.old_length() != inputs * Dim(before) ||
      weight->runs.old_length() != outputs * Dim(before)) {
    throw AxisBlocked{any ? any->cause : VarId{}, any.has_value(), kGroups};
  }
  const auto groups = x->runs.divided(inputs);
  if (!groups) block(*x, kGroups);
  if (groups->scaled(outputs) != weight->runs) place_or_block(*weight, groups->scaled(outputs), kGroups);
  flow.outputs[0][1] = with_bias(flow, with_runs(without_zeros(*weight), weight->runs), 2);
}

}  // namespace

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
  if (a.size() > 1) out[out.size() - 1 - columns] = passed(a[a.size() - 2]);
  if (columns > 0) out.back() = passed(b.back());
}

void gemm(AxisFlow& flow) {
  const std::size_t a_rows = flow.attr("transA").as_boolean() ? 1 : 0;
  const std::size_t b_columns = flow.attr("transB").as_boolean() ? 0 : 1;
  contract(flow, flow.inputs[1][1 - b_columns], flow.inputs[0][1 - a_rows]);
  WideAxes& out = flow.outputs[0];
  out[0] = passed(flow.inputs[0][a_rows]);
  out[1] = passed(flow.inputs[1][b_columns]);
  if (!flow.has(2)) return;
  const WideAxes& added = flow.inputs[2];
  for (std::size_t axis = 0; axis < added.size(); ++axis) {
    MaybeWide& target = out[axis + out.size() - added.size()];
    if (added[axis] && target) target = without_zeros(met(*target, *added[axis]));
  }
}

void conv(AxisFlow& flow) {
  const WideAxes& x = flow.inputs[0];
  const WideAxes& weight = flow.inputs[1];
  check_windows(x, weight);
  if (!same_settings_but(flow, "group")) throw AxisBlocked{{}, false, "whose settings are others"};
  flow.outputs[0][0] = passed(x[0]);
  if (flow.attr("group").as_integer() != 1 || flow.earlier_attr("group").as_integer() != 1) {
    return conv_in_groups(flow);
  }
  contract(flow, weight[1], x[1]);
  flow.outputs[0][1] = with_bias(flow, passed(weight[0]), 2);
}

void conv_transpose(AxisFlow& flow) {
  const WideAxes& x = flow.inputs[0];
  const WideAxes& weight = flow.inputs[1];
  check_windows(x, weight);
  if (flow.attr("group").as_integer() != 1) {
    block_any(x, kGroups);
    block_any(weight, kGroups);
  }
  contract(flow, weight[0], x[1]);
  flow.outputs[0][0] = passed(x[0]);
  flow.outputs[0][1] = with_bias(flow, passed(weight[1]), 2);
}

}  // namespace asg::axis_rules
