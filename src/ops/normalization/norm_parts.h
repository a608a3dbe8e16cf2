#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asg/graph/card.h"

// What the ops share that bring numbers to mean 0 and variance 1.
namespace asg::ops {

struct Moments {
  double mean = 0;
  double inverse_deviation = 1;
};
// By two passes, so that the variance of large numbers stays exact. `centred` false leaves the mean at 0: then the
// deviation is the root of the mean square.
Moments moments_of(std::span<const double> numbers, double epsilon, bool centred = true);

// The same as graph, along axes that are kept.
struct NormalizedTensor {
  Tensor value;
  Tensor mean;
  Tensor variance;
  Tensor deviation;  // with epsilon
};
NormalizedTensor normalized(const Tensor& x, const std::vector<std::int64_t>& axes, double epsilon);

AttrSpec epsilon_attribute();
// Powers, sums and roots are rounded one after the other.
inline constexpr Tolerance kNormTolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 1e-2, .bf16 = 8e-2};

// LayerNormalization and RMSNormalization work on the axes from `axis` on.
AttrSpec first_axis_attribute();
std::vector<std::int64_t> axes_from(const AttrReader& attributes, const Tensor& x);
// Refuses an input that has not the shape of those axes; `what` names it in the message.
void check_normalized_shape(const InferContext& ctx, int index, std::string_view what);

// InstanceNormalization and GroupNormalization: x [batch, channels, …], a scale and a bias for each channel; the
// channels are normalised in groups, or each on its own (groups 0).
std::vector<Port> grouped_norm_inputs();
std::vector<Port> grouped_norm_outputs();
void infer_grouped_norm(InferContext& ctx);
void grouped_norm_kernel(KernelContext& ctx, std::int64_t groups);
void grouped_norm_body(BodyContext& ctx, std::int64_t groups);

}  // namespace asg::ops
