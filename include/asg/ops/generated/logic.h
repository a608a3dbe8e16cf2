// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include "asg/graph/builder.h"

namespace asg {

// True where both elements are true, with broadcasting.
//   y = a ∧ b
inline Tensor and_(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("And", {a, b}, {.where = where})[0];
}

// Turns true into false and false into true.
//   y = ¬x
inline Tensor not_(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Not", {x}, {.where = where})[0];
}

// True where at least one of the two elements is true, with broadcasting.
//   y = a ∨ b
inline Tensor or_(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("Or", {a, b}, {.where = where})[0];
}

}  // namespace asg
