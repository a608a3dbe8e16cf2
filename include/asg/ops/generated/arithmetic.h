// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

// The distance of every element from zero. The gradient is the sign of x, and 0 at x = 0, where the function has a
// kink. The smallest signed integer has no positive counterpart and stays negative.
//   y = |x|
inline Tensor abs(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Abs", {x}, {.where = where})[0];
}

// Adds two tensors element by element. A missing axis or one of length 1 is stretched to match the other operand
// (broadcasting). Integers wrap around on overflow.
//   y = a + b
inline Tensor add(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("Add", {a, b}, {.where = where})[0];
}

// Rounds every element up to the nearest whole number: 1.2 becomes 2 and -1.7 becomes -1. The dtype does not change.
//   y = ⌈x⌉
inline Tensor ceil(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Ceil", {x}, {.where = where})[0];
}

// Divides the first tensor by the second, element by element, with broadcasting. Floats divided by zero give infinity
// or NaN; integers round toward zero, and a zero divisor is an error.
//   y = a / b
inline Tensor div(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("Div", {a, b}, {.where = where})[0];
}

// Rounds every element down to the nearest whole number: 1.7 becomes 1 and -1.2 becomes -2. The result stays a float.
//   y = ⌊x⌋
inline Tensor floor(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Floor", {x}, {.where = where})[0];
}

// The largest of the inputs at each place, with broadcasting; with one input, that input. NaN wins over every number.
// The gradient goes to the input that was chosen, to the first of them when several are equal.
//   y = max(x₁, …, x_n)
inline Tensor max(const Tensor& x, const std::vector<Tensor>& others,
                  SourceLocation where = SourceLocation::current()) {
  return add_node("Max", node_inputs({x}, others), {.where = where})[0];
}

// The mean of several tensors at each place, with broadcasting; with one input, that input. For the mean of the
// elements of one tensor there is ReduceMean.
//   y = (1 / n) ∑_(i=1)^n x_i
inline Tensor mean(const Tensor& x, const std::vector<Tensor>& others,
                   SourceLocation where = SourceLocation::current()) {
  return add_node("Mean", node_inputs({x}, others), {.where = where})[0];
}

// The smallest of the inputs at each place, with broadcasting; with one input, that input. NaN wins over every number.
// The gradient goes to the input that was chosen, to the first of them when several are equal.
//   y = min(x₁, …, x_n)
inline Tensor min(const Tensor& x, const std::vector<Tensor>& others,
                  SourceLocation where = SourceLocation::current()) {
  return add_node("Min", node_inputs({x}, others), {.where = where})[0];
}

struct ModOptions {
  // false: the remainder has the sign of b, integers only; true: the sign of a, as fmod in C, and the only choice for
  // floats
  bool fmod = false;
};

// What is left of the first tensor after dividing by the second a whole number of times, with broadcasting. The
// attribute fmod says whose sign the remainder has: -7 by 3 gives 2 without it and -1 with it. An integer divisor of 0
// is an error, a float one gives NaN.
//   y = { a − b⌊a / b⌋, fmod = false; a − b trunc(a / b), fmod = true }
inline Tensor mod(const Tensor& a, const Tensor& b, const ModOptions& options = {},
                  SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("fmod", options.fmod);
  return add_node("Mod", {a, b}, std::move(call))[0];
}

// Multiplies two tensors element by element, with broadcasting. It is not the matrix product: that is MatMul. Integers
// wrap around on overflow.
//   y = a b
inline Tensor mul(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("Mul", {a, b}, {.where = where})[0];
}

// Changes the sign of every element. Unsigned integers and booleans have no sign and are refused; the smallest signed
// integer has no positive counterpart and stays as it is.
//   y = −x
inline Tensor neg(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Neg", {x}, {.where = where})[0];
}

// Raises the first tensor to the power of the second, element by element, with broadcasting. A negative float base
// needs a whole exponent, else the result is NaN; integers wrap, and a negative exponent rounds their result toward
// zero, except that 0 is then an error. The result has the dtype of the base.
//   y = a^b
inline Tensor pow(const Tensor& base, const Tensor& exponent, SourceLocation where = SourceLocation::current()) {
  return add_node("Pow", {base, exponent}, {.where = where})[0];
}

// Rounds every element to the nearest whole number; halves go to the even neighbour, so 0.5 becomes 0 while 1.5 and 2.5
// become 2. That keeps sums of rounded numbers from drifting upwards.
//   y = round(x)
inline Tensor round(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Round", {x}, {.where = where})[0];
}

// Gives 1 for positive elements, -1 for negative ones and 0 for zero of either sign; NaN stays NaN. The dtype does not
// change, and no gradient passes.
//   y = { 1, x > 0; 0, x = 0; −1, x < 0 }
inline Tensor sign(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Sign", {x}, {.where = where})[0];
}

// Subtracts the second tensor from the first, element by element, with broadcasting. Integers wrap around on overflow,
// unsigned ones already below zero.
//   y = a − b
inline Tensor sub(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("Sub", {a, b}, {.where = where})[0];
}

// Adds any number of tensors element by element, with broadcasting; with one input, that input. To add up the elements
// of one tensor use ReduceSum.
//   y = ∑_i x_i
inline Tensor sum(const Tensor& x, const std::vector<Tensor>& others,
                  SourceLocation where = SourceLocation::current()) {
  return add_node("Sum", node_inputs({x}, others), {.where = where})[0];
}

}  // namespace asg
