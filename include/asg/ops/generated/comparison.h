// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <utility>

#include "asg/graph/builder.h"

namespace asg {

// Tells for each place whether the two elements are equal, with broadcasting. NaN equals nothing, not even itself; 0
// equals -0.
//   y = (a = b)
inline Tensor equal(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("Equal", {a, b}, {.where = where})[0];
}

// Tells for each place whether the first element is larger than the second, with broadcasting. Any comparison with NaN
// is false.
//   y = (a > b)
inline Tensor greater(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("Greater", {a, b}, {.where = where})[0];
}

// Tells for each place whether the first element is at least as large as the second, with broadcasting. NaN is neither
// greater than, equal to, nor less than anything, so beside it the answer is false.
//   y = (a ≥ b)
inline Tensor greater_or_equal(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("GreaterOrEqual", {a, b}, {.where = where})[0];
}

struct IsInfOptions {
  // whether minus infinity counts
  bool detect_negative = true;
  // whether plus infinity counts
  bool detect_positive = true;
};

// True where an element is infinite; two attributes choose which of the two infinities count. NaN is not infinite.
//   y = (|x| = ∞)
inline Tensor is_inf(const Tensor& x, const IsInfOptions& options = {},
                     SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("detect_negative", options.detect_negative);
  call.attrs.set("detect_positive", options.detect_positive);
  return add_node("IsInf", {x}, std::move(call))[0];
}

// True where an element is NaN, the mark of a computation without an answer such as 0/0 or the logarithm of a negative
// number. Infinities are numbers here.
//   y = (x ≠ x)
inline Tensor is_nan(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("IsNaN", {x}, {.where = where})[0];
}

// Tells for each place whether the first element is smaller than the second, with broadcasting. Any comparison with NaN
// is false.
//   y = (a < b)
inline Tensor less(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("Less", {a, b}, {.where = where})[0];
}

// Tells for each place whether the first element is at most as large as the second, with broadcasting. Equal numbers
// count; a NaN on either side makes it false.
//   y = (a ≤ b)
inline Tensor less_or_equal(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("LessOrEqual", {a, b}, {.where = where})[0];
}

}  // namespace asg
