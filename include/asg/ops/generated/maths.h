// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <utility>

#include "asg/graph/builder.h"

namespace asg {

// The angle between 0 and π whose cosine is x: 1 gives 0, and -1 gives π. Numbers outside [-1, 1] give NaN.
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

// Converts every element to another dtype. Floats round to nearest even; a float becomes an integer by dropping its
// fraction and stopping at the limits (NaN gives 0); integers wrap around; anything but zero is true.
//   y = cast(x)
// to: The new dtype, such as f32 or i64.
inline Tensor cast(const Tensor& x, DType to, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("to", to);
  return add_node("Cast", {x}, std::move(call))[0];
}

// Converts the first tensor to the dtype of the second, by the rules of Cast. Only the dtype of the second one is
// looked at.
//   y = cast(x)
inline Tensor cast_like(const Tensor& x, const Tensor& target, SourceLocation where = SourceLocation::current()) {
  return add_node("CastLike", {x, target}, {.where = where})[0];
}

// The cosine of every element, in radians. Infinity gives NaN.
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

// The error function: twice the area under a bell curve between 0 and x, scaled so that it runs from -1 to 1. It looks
// like Tanh and is a little steeper.
//   y = (2 / √π) ∫₀^x e^(−t²) d t
inline Tensor erf(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Erf", {x}, {.where = where})[0];
}

// Raises e = 2.718… to the power of every element. It is its own derivative. Above about 88 the result overflows in
// f32, above about 709 in f64.
//   y = e^x
inline Tensor exp(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Exp", {x}, {.where = where})[0];
}

// The natural logarithm of every element. Zero gives minus infinity, negative numbers give NaN.
//   y = ln x
inline Tensor log(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Log", {x}, {.where = where})[0];
}

// One divided by every element. Zero gives infinity with the sign of the zero.
//   y = 1 / x
inline Tensor reciprocal(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Reciprocal", {x}, {.where = where})[0];
}

// The sine of every element, in radians. Infinity gives NaN.
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

// The square root of every element; negative ones give NaN. The slope grows without bound towards zero.
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

// Squashes every element into the range from -1 to 1, with slope 1 at zero. Far from zero it is flat.
//   y = tanh x = (e^x − e^(−x)) / (e^x + e^(−x))
inline Tensor tanh(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Tanh", {x}, {.where = where})[0];
}

}  // namespace asg
