// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <utility>

#include "asg/graph/builder.h"

namespace asg {

// Converts every element to another dtype. Floats round to nearest even; a float becomes an integer by dropping its
// fraction and stopping at the limits (NaN gives 0); integers wrap around; anything but zero is true.
//   y = cast(x)
// to: The new dtype, such as f32 or i64.
inline Tensor cast(const Tensor& x, DType to, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("to", to);
  return add_node("Cast", {x}, std::move(call))[0];
}

// The cosine of every element, in radians. Infinity gives NaN.
//   y = cos x
inline Tensor cos(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Cos", {x}, {.where = where})[0];
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

// The square root of every element; negative ones give NaN. The slope grows without bound towards zero.
//   y = √x
inline Tensor sqrt(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Sqrt", {x}, {.where = where})[0];
}

// Squashes every element into the range from -1 to 1, with slope 1 at zero. Far from zero it is flat.
//   y = tanh x = (e^x − e^(−x)) / (e^x + e^(−x))
inline Tensor tanh(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Tanh", {x}, {.where = where})[0];
}

}  // namespace asg
