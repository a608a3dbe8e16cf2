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
};

// Finds where along an axis the largest element stands, and gives its position as an integer. Of several equal ones it
// is the first; NaN counts as the largest.
//   y = min{i : x_i = max_j x_j}
inline Tensor arg_max(const Tensor& x, const ArgMaxOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("keepdims", options.keepdims);
  return add_node("ArgMax", {x}, std::move(call))[0];
}

struct ReduceMaxOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
};

// The largest element along the given axes, or of all. NaN wins over every number; the maximum of nothing is minus
// infinity, or the smallest integer. The gradient is shared evenly among all elements that reach the maximum.
//   y = max_i x_i
inline Tensor reduce_max(const Tensor& x, const Ints& axes = {}, const ReduceMaxOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  return add_node("ReduceMax", {x, axes}, std::move(call))[0];
}

struct ReduceMeanOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
};

// The average of all elements along the given axes, or along all of them. NaN spreads, and the mean of nothing is NaN.
//   y = (1 / n) ∑_(i=1)^n x_i
inline Tensor reduce_mean(const Tensor& x, const Ints& axes = {}, const ReduceMeanOptions& options = {},
                          SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  return add_node("ReduceMean", {x, axes}, std::move(call))[0];
}

struct ReduceMinOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
};

// The smallest element along the given axes, or of all. NaN wins over every number; the minimum of nothing is infinity,
// or the largest integer. The gradient is shared evenly among all elements that reach the minimum.
//   y = min_i x_i
inline Tensor reduce_min(const Tensor& x, const Ints& axes = {}, const ReduceMinOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  return add_node("ReduceMin", {x, axes}, std::move(call))[0];
}

struct ReduceSumOptions {
  // Whether reduced axes stay, with length 1, so that the result broadcasts against x.
  bool keepdims = true;
};

// Adds up all elements along the given axes, or along all of them. The sum of nothing is 0; NaN spreads; integers wrap
// around.
//   y = ∑_i x_i
inline Tensor reduce_sum(const Tensor& x, const Ints& axes = {}, const ReduceSumOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("keepdims", options.keepdims);
  return add_node("ReduceSum", {x, axes}, std::move(call))[0];
}

}  // namespace asg
