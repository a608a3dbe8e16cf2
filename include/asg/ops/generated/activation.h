// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "asg/graph/builder.h"

namespace asg {

// Holds every element between two bounds, either of which may be absent. Where the bounds cross the upper one wins; NaN
// stays NaN. Elements outside get no gradient: it goes to the bound.
//   y = min(max(x, min), max)
inline Tensor clip(const Tensor& x, const Tensor& min = {}, const Tensor& max = {},
                   SourceLocation where = SourceLocation::current()) {
  return add_node("Clip", {x, min, max}, {.where = where})[0];
}

struct EluOptions {
  // The floor: very negative elements tend to -alpha.
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
  // none: the exact form by the error function; tanh: the older, cheaper approximation.
  std::string approximate = "none";
};

// Multiplies every element by the probability that a normal random number is smaller than it. Large numbers pass, very
// negative ones become zero, and just below zero it dips to about -0.17.
//   y = x Φ(x) = (x / 2)(1 + erf(x / √2))
inline Tensor gelu(const Tensor& x, const GeluOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("approximate", options.approximate);
  return add_node("Gelu", {x}, std::move(call))[0];
}

struct LeakyReluOptions {
  // Slope below zero.
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
  // The axis along which the shares sum to 1; negative ones count from the end.
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

// Keeps positive elements and replaces the others by zero; NaN stays NaN. The slope is 1 above zero and 0 below; at
// zero itself it is taken to be 0.
//   y = max(x, 0)
inline Tensor relu(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Relu", {x}, {.where = where})[0];
}

// Squashes every element into the range from 0 to 1: one half at zero, towards 1 for large numbers. It is computed so
// that neither end overflows.
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
  // The axis along which the shares sum to 1; negative ones count from the end.
  std::int64_t axis = -1;
};

// Turns the numbers along one axis into probabilities: all positive, with sum 1, larger numbers getting the larger
// share. The maximum is subtracted first, which changes nothing but keeps the exponentials from overflowing.
//   y_i = e^(x_i) / (∑_j e^(x_j))
inline Tensor softmax(const Tensor& x, const SoftmaxOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("Softmax", {x}, std::move(call))[0];
}

// A Relu with a rounded corner: near zero for negative elements, near x for positive ones, always above zero. It is
// computed so that large numbers do not overflow.
//   y = ln(1 + e^x)
inline Tensor softplus(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Softplus", {x}, {.where = where})[0];
}

}  // namespace asg
