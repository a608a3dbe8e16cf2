// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <utility>

#include "asg/graph/builder.h"

namespace asg {

// The angle between 0 and π whose cosine is x: 1 gives 0, 0 gives π/2, and -1 gives π. Numbers outside [-1, 1] give
// NaN.
//   y = arccos x
inline Tensor acos(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Acos", {x}, {.where = where})[0];
}

// The inverse of Cosh, with results of at least 0. Numbers below 1 have none and give NaN; at 1 the slope is infinite.
//   y = arcosh x = ln(x + √(x² − 1))
inline Tensor acosh(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Acosh", {x}, {.where = where})[0];
}

// The angle between -π/2 and π/2 whose sine is x. Outside [-1, 1] there is none, and the result is NaN; at the ends
// the slope is infinite.
//   y = arcsin x
inline Tensor asin(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Asin", {x}, {.where = where})[0];
}

// The inverse of Sinh. It is almost x near zero and grows like the logarithm of 2|x| far away, with the sign of x.
//   y = arsinh x = ln(x + √(x² + 1))
inline Tensor asinh(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Asinh", {x}, {.where = where})[0];
}

// The angle between -π/2 and π/2 whose tangent is x. It takes every number, and infinities give exactly the ends.
//   y = arctan x
inline Tensor atan(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Atan", {x}, {.where = where})[0];
}

// The inverse of Tanh: stretches the range from -1 to 1 over all numbers. The ends give infinities, and what lies
// outside gives NaN.
//   y = artanh x = (1 / 2) ln ((1 + x) / (1 − x))
inline Tensor atanh(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Atanh", {x}, {.where = where})[0];
}

// Converts every element to another dtype. A float becomes the nearest number of a narrower float, ties going to the
// even one; it becomes an integer by dropping its fraction and stopping at the limits (NaN gives 0). Integers wrap
// around when they do not fit, and as a bool anything but zero is true, NaN too.
//   y = cast(x)
// to: The new dtype, such as f32 or i64.
inline Tensor cast(const Tensor& x, DType to, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("to", to);
  return add_node("Cast", {x}, std::move(call))[0];
}

// Converts the first tensor to the dtype of the second, by the rules of Cast: floats lose their fraction on the way to
// integers, anything but zero becomes true. Of the second tensor only the dtype is looked at.
//   y = cast(x)
inline Tensor cast_like(const Tensor& x, const Tensor& target, SourceLocation where = SourceLocation::current()) {
  return add_node("CastLike", {x, target}, {.where = where})[0];
}

// The cosine of every element, taken as an angle in radians: 0 gives 1, π gives -1. Infinity has no angle and gives
// NaN.
//   y = cos x
inline Tensor cos(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Cos", {x}, {.where = where})[0];
}

// The hyperbolic cosine: the mean of e to the x and e to the -x. It is the shape of a hanging chain, 1 at zero and
// growing exponentially on both sides.
//   y = cosh x = (e^x + e^(−x)) / 2
inline Tensor cosh(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Cosh", {x}, {.where = where})[0];
}

// The error function: the area under the bell curve e^(-t²) between -x and x as a share of the whole, negative for
// negative x, so it runs from -1 to 1. It looks like Tanh but is a little steeper: its slope at zero is 1.128.
//   y = (2 / √π) ∫₀^x e^(−t²) d t
inline Tensor erf(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Erf", {x}, {.where = where})[0];
}

// Raises e = 2.718… to the power of every element; the function is its own derivative. Above about 88 the result
// overflows to infinity in f32, above about 709 in f64; large negative numbers give 0.
//   y = e^x
inline Tensor exp(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Exp", {x}, {.where = where})[0];
}

// The natural logarithm of every element: 1 gives 0, e gives 1. Zero gives minus infinity, negative numbers give NaN.
//   y = ln x
inline Tensor log(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Log", {x}, {.where = where})[0];
}

// One divided by every element. Zero gives infinity with the sign of the zero, and infinity gives zero.
//   y = 1 / x
inline Tensor reciprocal(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Reciprocal", {x}, {.where = where})[0];
}

// The sine of every element, taken as an angle in radians: 0 gives 0, π/2 gives 1. Infinity has no angle and gives
// NaN.
//   y = sin x
inline Tensor sin(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Sin", {x}, {.where = where})[0];
}

// The hyperbolic sine: half the difference of e to the x and e to the -x. Near zero it is almost x itself; far away it
// grows like an exponential of either sign.
//   y = sinh x = (e^x − e^(−x)) / 2
inline Tensor sinh(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Sinh", {x}, {.where = where})[0];
}

// The square root of every element; negative ones give NaN. The slope grows without bound towards zero, where it is
// infinite.
//   y = √x
inline Tensor sqrt(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Sqrt", {x}, {.where = where})[0];
}

// The tangent of every element, in radians: sine over cosine. It climbs without bound towards odd multiples of π/2 and
// starts again from minus infinity behind them.
//   y = tan x = sin x / (cos x)
inline Tensor tan(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Tan", {x}, {.where = where})[0];
}

// Squashes every element into the range from -1 to 1 and keeps its sign; the slope is 1 at zero. Beyond about ±3 it is
// nearly flat, and infinities give exactly ±1.
//   y = tanh x = (e^x − e^(−x)) / (e^x + e^(−x))
inline Tensor tanh(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Tanh", {x}, {.where = where})[0];
}

}  // namespace asg
