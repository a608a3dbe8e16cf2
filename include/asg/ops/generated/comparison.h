// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

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

// Tells for each place whether the first element is smaller than the second, with broadcasting. Any comparison with NaN
// is false.
//   y = (a < b)
inline Tensor less(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("Less", {a, b}, {.where = where})[0];
}

}  // namespace asg
