#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "asg/graph/card.h"
#include "ops/support/kernels.h"

// What Softmax, LogSoftmax and Hardmax have in common: they work on every lane along `axis` apart.
namespace asg::ops {

// The card with ports, the attribute `axis`, its type rule and what is refused; with the cost of exponentials.
OpCard softmax_op(OpCard own);

std::vector<AttrSpec> softmax_attributes();
std::vector<Sample> softmax_samples();
std::vector<BadSample> bad_softmax_samples();

// The type of input 0; refuses an axis that it does not have.
void infer_lanes(InferContext& ctx);
// The attribute `axis`, counted from 0.
std::int64_t lane_axis(const GradientContext& ctx);

// x minus its lane's maximum, the exponentials of that, and their sum, in smaller ops.
struct SoftmaxParts {
  Tensor shifted;
  Tensor exponentials;
  Tensor sum;
};
SoftmaxParts softmax_parts(BodyContext& ctx);

// out = finish(x - maximum of its lane, sum of the exponentials of that over the lane).
template <class Finish>
void softmax_lanes(KernelContext& ctx, Finish finish) {
  const Array& in = ctx.in(0);
  const double* from = in.data<double>().data();
  double* to = ctx.out().mutable_data<double>().data();
  const Lanes lanes = lanes_of(in.sizes(), normalize_axis(ctx.integer("axis"), in.rank()));
  const std::int64_t step = lanes.after_count;
  for_each_lane(lanes, [&](std::int64_t first) {
    const std::int64_t last = first + lanes.length * step;
    double maximum = -std::numeric_limits<double>::infinity();
    for (std::int64_t at = first; at < last; at += step) maximum = larger(maximum, from[at]);
    double sum = 0;
    for (std::int64_t at = first; at < last; at += step) sum += std::exp(from[at] - maximum);
    for (std::int64_t at = first; at < last; at += step) to[at] = finish(from[at] - maximum, sum);
  });
}

}  // namespace asg::ops
