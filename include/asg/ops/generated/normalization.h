// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

struct BatchNormalizationOptions {
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
  // how much of the running statistics stays when a batch is added; PyTorch counts the other way round
  double momentum = 0.9;
  // whether x is normalised by its own statistics, which also move the running ones; else by those given
  bool training_mode = false;
};

struct BatchNormalizationOutputs {
  // x normalised, scaled and shifted
  Tensor y;
  // the running mean after this batch; outside training the one given
  Tensor running_mean;
  // the running variance after this batch, moved towards that of the batch as a whole population; outside training the
  // one given
  Tensor running_var;
};

// Brings every channel to mean 0 and variance 1, then multiplies it by a scale and adds a bias of its own. While
// training, the statistics are those of the batch, over all pictures and positions; afterwards the running ones,
// gathered during training, take their place.
//   y = γ_c ((x − μ_c) / √(σ_c² + ε)) + β_c
inline BatchNormalizationOutputs batch_normalization(const Tensor& x, const Tensor& scale, const Tensor& bias,
                                                     const Tensor& input_mean, const Tensor& input_var,
                                                     const BatchNormalizationOptions& options = {},
                                                     SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("epsilon", options.epsilon);
  call.attrs.set("momentum", options.momentum);
  call.attrs.set("training_mode", options.training_mode);
  const std::vector<Tensor> outputs = add_node("BatchNormalization", {x, scale, bias, input_mean, input_var},
                                               std::move(call));
  return {outputs[0], outputs[1], outputs[2]};
}

struct GroupNormalizationOptions {
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
};

// Divides the channels into groups and brings each group of each picture to mean 0 and variance 1 over its channels and
// all positions. Scale and bias belong to single channels, as in ONNX since opset 21.
//   y = γ_c ((x − μ_ng) / √(σ_ng² + ε)) + β_c
// num_groups: into how many groups the channels are divided, in their order
inline Tensor group_normalization(const Tensor& x, const Tensor& scale, const Tensor& bias, std::int64_t num_groups,
                                  const GroupNormalizationOptions& options = {},
                                  SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("num_groups", num_groups);
  call.attrs.set("epsilon", options.epsilon);
  return add_node("GroupNormalization", {x, scale, bias}, std::move(call))[0];
}

struct InstanceNormalizationOptions {
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
};

// Brings every channel of every picture, on its own, to mean 0 and variance 1 over its spatial axes, then applies a
// scale and a bias for each channel. A channel with a single position has nothing to compare with and becomes its bias.
//   y_nci = γ_c ((x_nci − μ_nc) / √(σ_nc² + ε)) + β_c
inline Tensor instance_normalization(const Tensor& x, const Tensor& scale, const Tensor& bias,
                                     const InstanceNormalizationOptions& options = {},
                                     SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("epsilon", options.epsilon);
  return add_node("InstanceNormalization", {x, scale, bias}, std::move(call))[0];
}

struct LRNOptions {
  // weight of the mean square
  double alpha = 0.0001;
  // the exponent
  double beta = 0.75;
  // added before the power is taken
  double bias = 1.0;
};

// Local response normalisation: divides each element by (bias + alpha · the mean square of the `size` channels around
// its own) to the power `beta`, at the same position. At the first and last channels fewer neighbours exist, but their
// sum is still divided by `size`.
//   y_c = x_c / (k + (α / n) ∑_(j∈N(c)) x_j²)^β
// size: how many channels are summed; of an even number one more lies after the channel than before it
inline Tensor lrn(const Tensor& x, std::int64_t size, const LRNOptions& options = {},
                  SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("size", size);
  call.attrs.set("alpha", options.alpha);
  call.attrs.set("beta", options.beta);
  call.attrs.set("bias", options.bias);
  return add_node("LRN", {x}, std::move(call))[0];
}

struct LayerNormalizationOptions {
  // the first axis to normalise over; all after it are included
  std::int64_t axis = -1;
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
};

struct LayerNormalizationOutputs {
  // x normalised, scaled and shifted
  Tensor y;
  // the mean of each row, of the dtype of x; normalised axes have length 1
  Tensor mean;
  // one divided by the standard deviation of each row
  Tensor inv_std_dev;
};

// Brings the numbers of each row (of the axes from `axis` on) to mean 0 and variance 1, then multiplies them by a scale
// and adds a bias, both learned. Every row is treated on its own, so the result does not depend on the rest of the
// batch.
//   y = ((x − μ) / √(σ² + ε)) · γ + β
inline LayerNormalizationOutputs layer_normalization(const Tensor& x, const Tensor& scale, const Tensor& bias = {},
                                                     const LayerNormalizationOptions& options = {},
                                                     SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("epsilon", options.epsilon);
  const std::vector<Tensor> outputs = add_node("LayerNormalization", {x, scale, bias}, std::move(call));
  return {outputs[0], outputs[1], outputs[2]};
}

struct LpNormalizationOptions {
  // the axis along which vectors lie
  std::int64_t axis = -1;
  // 1 divides by the sum of magnitudes, 2 by the length of the vector
  std::int64_t p = 2;
};

// Divides every vector along the axis by its own norm, so that all get norm 1 and only their directions remain. A
// vector of zeros stays as it is.
//   y = x / (∑_i |x_i|^p)^(1/p)
inline Tensor lp_normalization(const Tensor& x, const LpNormalizationOptions& options = {},
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("p", options.p);
  return add_node("LpNormalization", {x}, std::move(call))[0];
}

struct MeanVarianceNormalizationOptions {
  // the axes over which mean and variance are taken; usually all but that of the channels
  std::vector<std::int64_t> axes = {0, 2, 3};
};

// Brings the numbers along the given axes to mean 0 and standard deviation 1, without scale, bias or memory of earlier
// batches. A tiny number is added to the deviation, so that equal numbers give 0.
//   y = (x − μ) / (σ + 10⁻⁹)
inline Tensor mean_variance_normalization(const Tensor& x, const MeanVarianceNormalizationOptions& options = {},
                                          SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axes", options.axes);
  return add_node("MeanVarianceNormalization", {x}, std::move(call))[0];
}

struct RMSNormalizationOptions {
  // the first axis to normalise over; all after it are included
  std::int64_t axis = -1;
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
};

// Divides each row by the root of the mean of its squares and multiplies it by a learned scale. Unlike
// LayerNormalization it neither subtracts the mean nor adds a bias.
//   y = (x / √((1 / n) ∑_i x_i² + ε)) · γ
inline Tensor rms_normalization(const Tensor& x, const Tensor& scale, const RMSNormalizationOptions& options = {},
                                SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("epsilon", options.epsilon);
  return add_node("RMSNormalization", {x, scale}, std::move(call))[0];
}

}  // namespace asg
