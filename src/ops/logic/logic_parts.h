#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "asg/graph/card.h"
#include "ops/support/kernels.h"

// What logic on bools, and on the bits of integers, has in common.
namespace asg::ops {

// The card of y = f(a, b) on bools, which ignores the order of a and b.
OpCard logic_op(OpCard own, bool (*f)(bool, bool));
// All four pairs (false, false) (false, true) (true, false) (true, true), shapes and broadcasting.
std::vector<Sample> logic_samples(const std::vector<bool>& truth_table);

// The card of an op on the bits of two integers, with broadcasting.
OpCard bit_op(OpCard own, DTypeSet dtypes = kInts);
// Shapes and broadcasting of drawn integers, and the pairs (12, 10) (-1, 255) (0, -7) with their results.
std::vector<Sample> bit_samples(const std::vector<std::int64_t>& expected);

// out = f(a, b) on the bits of integers.
template <class F>
void combine_bits(KernelContext& ctx, F f) {
  dispatch_numeric(ctx.in(0), [&]<class T>() {
    if constexpr (std::is_integral_v<T>) binary<T>(ctx, f);
  });
}

inline constexpr std::string_view kBitsHaveNoSlope =
    "Integers move in whole steps and their bits flip at once, so there is no slope.";

}  // namespace asg::ops
