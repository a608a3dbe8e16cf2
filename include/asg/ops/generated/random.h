// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

// Throws a coin for each element: 1 with the probability that the element says, else 0. Probabilities below 0 count as
// 0, those above 1 as 1, and NaN stays NaN.
//   P(y_i = 1) = x_i
inline Tensor bernoulli(const Tensor& x, const Tensor& seed, const Tensor& step,
                        SourceLocation where = SourceLocation::current()) {
  return add_node("Bernoulli", {x, seed, step}, {.where = where})[0];
}

struct DropoutOptions {
  // the probability with which an element is dropped
  double ratio = 0.5;
};

struct DropoutOutputs {
  // x with elements dropped and the rest scaled up
  Tensor y;
  // true where an element was kept
  Tensor mask;
};

// Sets each element to zero with probability `ratio` and divides the others by 1 - ratio, so that sums keep their
// expected value; with ratio 1 all become zero. Which elements go depends only on seed, step and the node, so a run can
// be repeated exactly; the mask is an output, because the gradient passes the same places.
//   y_i = m_i x_i / (1 − r),  P(m_i = 1) = 1 − r
inline DropoutOutputs dropout(const Tensor& x, const Tensor& seed, const Tensor& step,
                              const DropoutOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("ratio", options.ratio);
  const std::vector<Tensor> outputs = add_node("Dropout", {x, seed, step}, std::move(call));
  return {outputs[0], outputs[1]};
}

struct RandomNormalOptions {
  // the mean of the numbers
  double mean = 0.0;
  // their standard deviation
  double scale = 1.0;
  // the type of the numbers, one of floats
  DType dtype = DType::f32;
};

// A tensor of the given shape whose numbers follow the bell curve with the given mean and standard deviation. The same
// seed, step and node give the same numbers, on every device.
//   y_i ∼ N(μ, σ²)
// shape: the lengths of the axes of the result
inline Tensor random_normal(const Tensor& seed, const Tensor& step, const std::vector<std::int64_t>& shape,
                            const RandomNormalOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("shape", shape);
  call.attrs.set("mean", options.mean);
  call.attrs.set("scale", options.scale);
  call.attrs.set("dtype", options.dtype);
  return add_node("RandomNormal", {seed, step}, std::move(call))[0];
}

struct RandomNormalLikeOptions {
  // the mean of the numbers
  double mean = 0.0;
  // their standard deviation
  double scale = 1.0;
};

// Draws a number from the bell curve for each element of another tensor, of which only shape and type matter. Any batch
// size therefore gets as much noise as it needs.
//   y_i ∼ N(μ, σ²),  shape(y) = shape(x)
inline Tensor random_normal_like(const Tensor& x, const Tensor& seed, const Tensor& step,
                                 const RandomNormalLikeOptions& options = {},
                                 SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("mean", options.mean);
  call.attrs.set("scale", options.scale);
  return add_node("RandomNormalLike", {x, seed, step}, std::move(call))[0];
}

struct RandomUniformOptions {
  // the least number
  double low = 0.0;
  // the number below which all lie
  double high = 1.0;
  // the type of the numbers, one of floats
  DType dtype = DType::f32;
};

// A tensor of the given shape whose numbers lie anywhere between two bounds with equal probability; the upper bound
// itself is never drawn before rounding. The same seed, step and node give the same numbers again.
//   y_i ∼ U[a, b)
// shape: the lengths of the axes of the result
inline Tensor random_uniform(const Tensor& seed, const Tensor& step, const std::vector<std::int64_t>& shape,
                             const RandomUniformOptions& options = {},
                             SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("shape", shape);
  call.attrs.set("low", options.low);
  call.attrs.set("high", options.high);
  call.attrs.set("dtype", options.dtype);
  return add_node("RandomUniform", {seed, step}, std::move(call))[0];
}

struct RandomUniformLikeOptions {
  // the least number
  double low = 0.0;
  // the number below which all lie
  double high = 1.0;
};

// One uniform number between `low` and `high` for every element of x, `high` itself excluded before rounding. The
// result takes shape and type from x; its values are not looked at.
//   y_i ∼ U[a, b),  shape(y) = shape(x)
inline Tensor random_uniform_like(const Tensor& x, const Tensor& seed, const Tensor& step,
                                  const RandomUniformLikeOptions& options = {},
                                  SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("low", options.low);
  call.attrs.set("high", options.high);
  return add_node("RandomUniformLike", {x, seed, step}, std::move(call))[0];
}

}  // namespace asg
