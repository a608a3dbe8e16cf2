// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "asg/graph/builder.h"

namespace asg {

struct CeluOptions {
  // the floor lies at -alpha, and the bend is as many times wider; must not be 0
  double alpha = 1.0;
};

// An Elu whose slope at zero is 1 for every alpha, because the exponential is stretched along x as much as along y.
// Positive elements pass unchanged; with a positive alpha very negative ones tend to -alpha.
//   y = max(x, 0) + min(0, α(e^(x/α) − 1))
inline Tensor celu(const Tensor& x, const CeluOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("alpha", options.alpha);
  return add_node("Celu", {x}, std::move(call))[0];
}

// Holds every element between two bounds, either of which may be absent. Where the lower bound lies above the upper one
// the upper one wins; NaN stays NaN. Elements outside get no gradient: it goes to the bound that replaced them.
//   y = min(max(x, min), max)
inline Tensor clip(const Tensor& x, const Tensor& min = {}, const Tensor& max = {},
                   SourceLocation where = SourceLocation::current()) {
  return add_node("Clip", {x, min, max}, {.where = where})[0];
}

struct EluOptions {
  // the floor: very negative elements tend to -alpha
  double alpha = 1.0;
};

// Keeps positive elements; below zero it bends exponentially towards the floor -alpha. With alpha = 1 the slope has no
// jump at zero.
//   y = { x, x > 0; α(e^x − 1), x ≤ 0 }
inline Tensor elu(const Tensor& x, const EluOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("alpha", options.alpha);
  return add_node("Elu", {x}, std::move(call))[0];
}

struct GeluOptions {
  // none: the exact form by the error function; tanh: the older, cheaper approximation
  std::string approximate = "none";
};

// Multiplies every element by the probability that a standard normal random number is smaller than it. Large numbers
// pass, very negative ones become zero, and just below zero it dips to about -0.17.
//   y = { (x / 2)(1 + erf(x / √2)), none; (x / 2)(1 + tanh(√(2 / π)(x + 0.044715x³))), tanh }
inline Tensor gelu(const Tensor& x, const GeluOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("approximate", options.approximate);
  return add_node("Gelu", {x}, std::move(call))[0];
}

struct GluOptions {
  // the axis that is split in two; negative ones count from the end
  std::int64_t axis = -1;
};

// Splits x along one axis into two halves a and b and gives a times the sigmoid of b. The axis must have an even length
// and comes out half as long.
//   y = a · σ(b)
inline Tensor glu(const Tensor& x, const GluOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("Glu", {x}, std::move(call))[0];
}

struct HardSigmoidOptions {
  // slope of the middle piece
  double alpha = 0.2;
  // value at zero
  double beta = 0.5;
};

// A Sigmoid made of three straight pieces: 0, then a line of slope alpha through beta at zero, then 1. Its corners and
// flat ends get no gradient.
//   y = max(0, min(1, α x + β))
inline Tensor hard_sigmoid(const Tensor& x, const HardSigmoidOptions& options = {},
                           SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("alpha", options.alpha);
  call.attrs.set("beta", options.beta);
  return add_node("HardSigmoid", {x}, std::move(call))[0];
}

// Multiplies every element by a straight-line sigmoid: zero below -3, x itself above 3, and a parabola in between that
// dips to -0.375 at -1.5.
//   y = x max(0, min(1, x / 6 + 1 / 2))
inline Tensor hard_swish(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("HardSwish", {x}, {.where = where})[0];
}

struct HardmaxOptions {
  // the axis along which elements compete; negative ones count from the end
  std::int64_t axis = -1;
};

// Along one axis puts 1 at the largest element and 0 everywhere else. Of several equal ones the first wins, and NaN
// counts as larger than any number.
//   y_i = (i = arg max_j x_j)
inline Tensor hardmax(const Tensor& x, const HardmaxOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("Hardmax", {x}, std::move(call))[0];
}

struct LeakyReluOptions {
  // slope below zero
  double alpha = 0.01;
};

// Keeps positive elements and multiplies the others by a small slope alpha. At zero itself the slope is taken to be
// alpha.
//   y = { x, x > 0; α x, x ≤ 0 }
inline Tensor leaky_relu(const Tensor& x, const LeakyReluOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("alpha", options.alpha);
  return add_node("LeakyRelu", {x}, std::move(call))[0];
}

struct LogSoftmaxOptions {
  // the axis along which elements compete; negative ones count from the end
  std::int64_t axis = -1;
};

// The logarithm of Softmax along one axis, computed in one piece: x minus the logarithm of the sum of the exponentials.
// A tiny probability stays a finite number, where Log after Softmax would give minus infinity.
//   y_i = x_i − ln ∑_j e^(x_j)
inline Tensor log_softmax(const Tensor& x, const LogSoftmaxOptions& options = {},
                          SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("LogSoftmax", {x}, std::move(call))[0];
}

// Multiplies every element by the Tanh of its Softplus. It passes large numbers, sends very negative ones to zero and
// dips to about -0.31 in between.
//   y = x tanh(ln(1 + e^x))
inline Tensor mish(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Mish", {x}, {.where = where})[0];
}

// Keeps positive elements and multiplies the others by a slope that is an input and can be learnt, one for all or one
// per channel. At zero itself the derivative is that slope.
//   y = { x, x > 0; slope · x, x ≤ 0 }
inline Tensor p_relu(const Tensor& x, const Tensor& slope, SourceLocation where = SourceLocation::current()) {
  return add_node("PRelu", {x, slope}, {.where = where})[0];
}

// Keeps positive elements and replaces the others by zero; NaN stays NaN. The slope is 1 above zero and 0 below; at
// zero itself it is taken to be 0.
//   y = max(x, 0)
inline Tensor relu(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Relu", {x}, {.where = where})[0];
}

struct SeluOptions {
  // depth of the bend below zero, before scaling
  double alpha = 1.6732632423543772;
  // scale of the whole function, its slope above zero
  double gamma = 1.0507009873554805;
};

// A scaled Elu with two constants. Their default values are chosen so that inputs of mean 0 and variance 1 give outputs
// of mean 0 and variance 1 again; other values give that up.
//   y = γ { x, x > 0; α(e^x − 1), x ≤ 0 }
inline Tensor selu(const Tensor& x, const SeluOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("alpha", options.alpha);
  call.attrs.set("gamma", options.gamma);
  return add_node("Selu", {x}, std::move(call))[0];
}

struct ShrinkOptions {
  // how far what passes is moved towards zero
  double bias = 0.0;
  // half the width of the gap around zero
  double lambd = 0.5;
};

// Sets elements from -lambd to lambd, ends included, to zero and moves the others towards zero by bias. With bias 0
// that is hard shrinkage, with bias equal to lambd soft shrinkage, which has no jump.
//   y = { x + bias, x < −λ; x − bias, x > λ; 0, |x| ≤ λ }
inline Tensor shrink(const Tensor& x, const ShrinkOptions& options = {},
                     SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("bias", options.bias);
  call.attrs.set("lambd", options.lambd);
  return add_node("Shrink", {x}, std::move(call))[0];
}

// Squashes every element into the range from 0 to 1: one half at zero, towards 1 for large numbers, towards 0 for very
// negative ones. It is computed so that neither end overflows.
//   y = 1 / (1 + e^(−x))
inline Tensor sigmoid(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Sigmoid", {x}, {.where = where})[0];
}

// Multiplies every element by its own sigmoid; also called swish. Large numbers pass, very negative ones become zero,
// and in between it dips to about -0.28.
//   y = x / (1 + e^(−x))
inline Tensor silu(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Silu", {x}, {.where = where})[0];
}

struct SoftmaxOptions {
  // the axis along which elements compete; negative ones count from the end
  std::int64_t axis = -1;
};

// Turns the numbers along one axis into shares of 1, larger numbers getting the larger share. The maximum is subtracted
// first, which changes nothing but keeps the exponentials from overflowing. Minus infinity gets a share of exactly 0,
// but where all are minus infinity the result is NaN.
//   y_i = e^(x_i) / (∑_j e^(x_j))
inline Tensor softmax(const Tensor& x, const SoftmaxOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("Softmax", {x}, std::move(call))[0];
}

// A Relu with a rounded corner: near zero for negative elements, near x for positive ones, never negative. It is
// computed so that large numbers do not overflow.
//   y = ln(1 + e^x)
inline Tensor softplus(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Softplus", {x}, {.where = where})[0];
}

// Squashes every element into the range from -1 to 1 by dividing it by one plus its size. It approaches the ends
// slowly: 9 gives 0.9 and 99 gives 0.99. An infinity gives NaN.
//   y = x / (1 + |x|)
inline Tensor softsign(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Softsign", {x}, {.where = where})[0];
}

struct ThresholdedReluOptions {
  // the threshold; only what is larger passes
  double alpha = 1.0;
};

// Passes elements above the threshold alpha unchanged and replaces the others by zero. Unlike Relu it jumps: just above
// the threshold the output is alpha, not zero.
//   y = { x, x > α; 0, x ≤ α }
inline Tensor thresholded_relu(const Tensor& x, const ThresholdedReluOptions& options = {},
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("alpha", options.alpha);
  return add_node("ThresholdedRelu", {x}, std::move(call))[0];
}

}  // namespace asg
