#include "ops/support/cost.h"

namespace asg::ops {

double bytes_moved(const CostContext& ctx) {
  double bytes = 0;
  for (const TensorType& type : ctx.inputs()) bytes += ctx.elements(type) * static_cast<double>(bytes_of(type.dtype));
  for (const TensorType& type : ctx.outputs()) bytes += ctx.elements(type) * static_cast<double>(bytes_of(type.dtype));
  return bytes;
}

std::function<Cost(const CostContext&)> cost_per_output(double flops) {
  return [flops](const CostContext& ctx) {
    return Cost{flops * ctx.elements(ctx.outputs().front()), bytes_moved(ctx), false};
  };
}

std::function<Cost(const CostContext&)> cost_per_input(double flops) {
  return [flops](const CostContext& ctx) {
    return Cost{flops * ctx.elements(ctx.inputs().front()), bytes_moved(ctx), false};
  };
}

Cost cost_nothing(const CostContext&) { return {}; }

}  // namespace asg::ops
