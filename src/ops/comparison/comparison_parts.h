#pragma once

#include <vector>

#include "asg/graph/card.h"
#include "ops/support/kernels.h"

// What the comparisons of two tensors have in common.
namespace asg::ops {

// The card with two operands of numbers, a result of bools, a gradient that is zero, and what is refused.
OpCard comparison(OpCard own, DTypeSet dtypes = kNumbers);
// The same for a question about each element of x, a tensor of floats.
OpCard question(OpCard own);

// out = holds(a, b), for numbers and bools.
template <class Holds>
void compare(KernelContext& ctx, Holds holds) {
  dispatch_any(ctx.in(0), [&]<class T>() { binary<T, bool>(ctx, holds); });
}

// Samples of shapes and broadcasting, of (1, 1) (2, 1) (NaN, 0) (infinity, 5) (0, -0) (3, NaN), and of the integers
// (1, 1) (2, -2) (-3, -1).
std::vector<Sample> comparison_samples(const std::vector<bool>& of_floats, const std::vector<bool>& of_integers);

// Samples of a question about floats, with the given extremes.
std::vector<Sample> question_samples(const std::vector<double>& extremes, const std::vector<bool>& expected,
                                     const Attrs& attrs = {});

}  // namespace asg::ops
