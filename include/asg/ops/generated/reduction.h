// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <utility>

#include "asg/graph/builder.h"

namespace asg {

struct ArgMaxOptions {
  // the axis that is searched; -1 is the last
  std::int64_t axis = 0;
  // keep the axis with length 1, or drop it
  bool keepdims = true;
  // of several equal elements take the last, not the first
  bool select_last_index = false;
};

// Finds where along an axis the largest element stands, and gives its position as an integer, counted from 0. Of
// several equal ones it is the first, or with `select_last_index` the last; NaN counts as the largest, and an axis
// without elements is an error.
//   y = min{i : x_i = max_j x_j}
inline Tensor arg_max(const Tensor& x, const ArgMaxOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("select_last_index", options.select_last_index);
  return add_node("ArgMax", {x}, std::move(call))[0];
}

struct ArgMinOptions {
  // the axis that is searched; -1 is the last
  std::int64_t axis = 0;
  // keep the axis with length 1, or drop it
  bool keepdims = true;
  // of several equal elements take the last, not the first
  bool select_last_index = false;
};

// Says at which place along an axis, counted from 0, the smallest element stands. Where several are equally small the
// first is meant, with `select_last_index` the last; a NaN is taken for smaller than everything.
//   y = min{i : x_i = min_j x_j}
inline Tensor arg_min(const Tensor& x, const ArgMinOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("select_last_index", options.select_last_index);
  return add_node("ArgMin", {x}, std::move(call))[0];
}

struct CumSumOptions {
  // leave the element itself out of its sum, so that the first one is 0
  bool exclusive = false;
  // sum from the end of the axis to its beginning
  bool reverse = false;
};

// Running sums along an axis: place k of the result holds the sum of the elements up to and including k. [1, 2, 4]
// gives [1, 3, 7]; `exclusive` sums leave out the element itself, [0, 1, 3], and `reverse` ones run from the end, [7,
// 6, 4].
//   y_k = ∑_(i=0)^k x_i
inline Tensor cum_sum(const Tensor& x, const Tensor& axis, const CumSumOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("exclusive", options.exclusive);
  call.attrs.set("reverse", options.reverse);
  return add_node("CumSum", {x, axis}, std::move(call))[0];
}

struct ReduceL1Options {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
  // Whether no axes mean none: every element is then reduced alone. Otherwise they mean all.
  bool noop_with_empty_axes = false;
};

// Adds up the magnitudes of all elements along the given axes: the length of a path that may only follow the axes, as
// between two corners of a town laid out in blocks. The gradient is the sign of each element, and 0 where an element is
// 0.
//   y = ∑_i |x_i|
inline Tensor reduce_l1(const Tensor& x, const Ints& axes = {}, const ReduceL1Options& options = {},
                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("noop_with_empty_axes", options.noop_with_empty_axes);
  return add_node("ReduceL1", {x, axes}, std::move(call))[0];
}

struct ReduceL2Options {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
  // Whether no axes mean none: every element is then reduced alone. Otherwise they mean all.
  bool noop_with_empty_axes = false;
};

// The root of the sum of squares along the given axes: the ordinary length of a vector. Elements are scaled before they
// are squared, so that huge and tiny ones keep their length; at a vector of zeros, where the length has a kink, the
// gradient is taken as 0.
//   y = √(∑_i x_i²)
inline Tensor reduce_l2(const Tensor& x, const Ints& axes = {}, const ReduceL2Options& options = {},
                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("noop_with_empty_axes", options.noop_with_empty_axes);
  return add_node("ReduceL2", {x, axes}, std::move(call))[0];
}

struct ReduceLogSumOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
  // Whether no axes mean none: every element is then reduced alone. Otherwise they mean all.
  bool noop_with_empty_axes = false;
};

// Adds up the elements along the given axes and takes the natural logarithm of the sum. A sum of 0, or of nothing,
// gives minus infinity, a negative one NaN.
//   y = log ∑_i x_i
inline Tensor reduce_log_sum(const Tensor& x, const Ints& axes = {}, const ReduceLogSumOptions& options = {},
                             SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("noop_with_empty_axes", options.noop_with_empty_axes);
  return add_node("ReduceLogSum", {x, axes}, std::move(call))[0];
}

struct ReduceLogSumExpOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
  // Whether no axes mean none: every element is then reduced alone. Otherwise they mean all.
  bool noop_with_empty_axes = false;
};

// The logarithm of the sum of exponentials along the given axes: a smooth maximum, never below the largest element and
// close to it when that one stands out. The maximum is taken out before the exponentials, so that even 1000 does not
// overflow; of nothing it is minus infinity. Its gradient is the softmax.
//   y = m + log ∑_i e^(x_i−m),  m = max_i x_i
inline Tensor reduce_log_sum_exp(const Tensor& x, const Ints& axes = {}, const ReduceLogSumExpOptions& options = {},
                                 SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("noop_with_empty_axes", options.noop_with_empty_axes);
  return add_node("ReduceLogSumExp", {x, axes}, std::move(call))[0];
}

struct ReduceMaxOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
  // Whether no axes mean none: every element is then reduced alone. Otherwise they mean all.
  bool noop_with_empty_axes = false;
};

// The largest element along the given axes, or of all. NaN wins over every number; the maximum of nothing is minus
// infinity, or the smallest integer. The gradient is shared evenly among all elements that reach the maximum.
//   y = max_i x_i
inline Tensor reduce_max(const Tensor& x, const Ints& axes = {}, const ReduceMaxOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("noop_with_empty_axes", options.noop_with_empty_axes);
  return add_node("ReduceMax", {x, axes}, std::move(call))[0];
}

struct ReduceMeanOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
  // Whether no axes mean none: every element is then reduced alone. Otherwise they mean all.
  bool noop_with_empty_axes = false;
};

// The average of all elements along the given axes, or along all of them. NaN spreads, and the mean of nothing is NaN.
//   y = (1 / n) ∑_(i=1)^n x_i
inline Tensor reduce_mean(const Tensor& x, const Ints& axes = {}, const ReduceMeanOptions& options = {},
                          SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("noop_with_empty_axes", options.noop_with_empty_axes);
  return add_node("ReduceMean", {x, axes}, std::move(call))[0];
}

struct ReduceMinOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
  // Whether no axes mean none: every element is then reduced alone. Otherwise they mean all.
  bool noop_with_empty_axes = false;
};

// The smallest element along the given axes, or of all. NaN wins over every number; the minimum of nothing is infinity,
// or the largest integer. The gradient is shared evenly among all elements that reach the minimum.
//   y = min_i x_i
inline Tensor reduce_min(const Tensor& x, const Ints& axes = {}, const ReduceMinOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("noop_with_empty_axes", options.noop_with_empty_axes);
  return add_node("ReduceMin", {x, axes}, std::move(call))[0];
}

struct ReduceProdOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
  // Whether no axes mean none: every element is then reduced alone. Otherwise they mean all.
  bool noop_with_empty_axes = false;
};

// Multiplies all elements along the given axes, or along all of them. The product of nothing is 1, NaN spreads,
// integers wrap around. The gradient of an element is the product of all the others, which is right also where some of
// them are 0.
//   y = ∏_i x_i
inline Tensor reduce_prod(const Tensor& x, const Ints& axes = {}, const ReduceProdOptions& options = {},
                          SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("noop_with_empty_axes", options.noop_with_empty_axes);
  return add_node("ReduceProd", {x, axes}, std::move(call))[0];
}

struct ReduceSumOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
  // Whether no axes mean none: every element is then reduced alone. Otherwise they mean all.
  bool noop_with_empty_axes = false;
};

// Adds up all elements along the given axes, or along all of them. The sum of nothing is 0; NaN spreads; integers wrap
// around.
//   y = ∑_i x_i
inline Tensor reduce_sum(const Tensor& x, const Ints& axes = {}, const ReduceSumOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("noop_with_empty_axes", options.noop_with_empty_axes);
  return add_node("ReduceSum", {x, axes}, std::move(call))[0];
}

struct ReduceSumSquareOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
  // Whether no axes mean none: every element is then reduced alone. Otherwise they mean all.
  bool noop_with_empty_axes = false;
};

// Squares every element and adds the squares up along the given axes. It is the Euclidean norm before the root is
// taken, so it has no kink at 0: its gradient is simply twice the element. Unlike ReduceL2 it does not scale first, and
// in f16 the square of 256 is already infinite.
//   y = ∑_i x_i²
inline Tensor reduce_sum_square(const Tensor& x, const Ints& axes = {}, const ReduceSumSquareOptions& options = {},
                                SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("noop_with_empty_axes", options.noop_with_empty_axes);
  return add_node("ReduceSumSquare", {x, axes}, std::move(call))[0];
}

struct ReduceVarianceOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
  // Divide by n - correction: 0 for the variance of these elements, 1 to estimate that of the population they were
  // drawn from.
  std::int64_t correction = 0;
};

// The mean squared distance of the elements from their mean, along the given axes. With `correction` 1 the sum is
// divided by n - 1, because a mean taken from the same elements lies too close to them; a single element then gives
// NaN, and so do no elements. Every element moves the mean too, and the gradient counts that.
//   y = (1 / (n − c)) ∑_(i=1)^n (x_i − x̄)²
inline Tensor reduce_variance(const Tensor& x, const Ints& axes = {}, const ReduceVarianceOptions& options = {},
                              SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  call.attrs.set("correction", options.correction);
  return add_node("ReduceVariance", {x, axes}, std::move(call))[0];
}

}  // namespace asg
