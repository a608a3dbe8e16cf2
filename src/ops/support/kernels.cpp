#include "ops/support/kernels.h"

#include "asg/core/dim.h"
#include "ops/support/operands.h"

namespace asg::ops {

Sizes broadcast_strides(const Sizes& from, const Sizes& to) {
  const Sizes dense = dense_strides(from);
  Sizes strides(to.size(), 0);
  const std::size_t lead = to.size() - from.size();
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (from[axis] != 1) strides[lead + axis] = dense[axis];
  }
  return strides;
}

Sizes reduced_strides(const Sizes& sizes, std::span<const int> axes) {
  Sizes kept = sizes;
  for (int axis : axes) kept[static_cast<std::size_t>(axis)] = 1;
  Sizes strides = dense_strides(kept);
  for (int axis : axes) strides[static_cast<std::size_t>(axis)] = 0;
  return strides;
}

Lanes lanes_of(const Sizes& sizes, int axis) {
  const auto at = static_cast<std::size_t>(axis);
  const std::span<const std::int64_t> all(sizes);
  return {element_count(all.first(at)), sizes[at], element_count(all.subspan(at + 1))};
}

std::vector<std::int64_t> ints_of(const Array& array) {
  const auto values = array.data<std::int64_t>();
  return {values.begin(), values.end()};
}

std::vector<int> kernel_axes(const KernelContext& ctx, int index) {
  const auto given = ctx.has(index) ? ints_of(ctx.in(index)) : std::vector<std::int64_t>{};
  return axes_or_all(ctx, given, ctx.in(0).rank());
}

void fail_division_by_zero() {
  fail(ErrorCode::computation_error, "an integer divided by 0", "a divisor that is not 0",
       "cast to a float dtype first, where x / 0 is infinite, or replace the zeros with where");
}

}  // namespace asg::ops
