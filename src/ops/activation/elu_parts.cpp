#include "ops/activation/elu_parts.h"

#include <cmath>
#include <utility>

#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/near_zero.h"

namespace asg::ops {
namespace {

void kernel(KernelContext& ctx, const Bend& bend) {
  unary<double>(ctx, [&](double x) { return x > 0 ? bend.slope * x : bend.floor * std::expm1(x / bend.width); });
}

// The exponent is held at 0 where x is positive, so that no infinity arises in the branch that is not chosen.
void body(BodyContext& ctx, const Bend& bend) {
  const Tensor& x = ctx.in(0);
  const Tensor below = add_op("Min", {x, scalar_like(x, 0)});
  const Tensor bent = bend.floor * expm1(bend.width == 1 ? below : below / bend.width);
  const Tensor straight = bend.slope == 1 ? x : bend.slope * x;
  ctx.output(choose(x > 0, straight, bent));
}

// Below zero the slope floor / width * exp(x / width) is (y + floor) / width.
void gradient(GradientContext& ctx, const Bend& bend) {
  const Tensor& x = ctx.in(0);
  const Tensor positive = x > 0;
  const Tensor above = scalar_like(x, bend.slope);
  const Tensor raised = ctx.out() + bend.floor;
  const Tensor below = bend.width == 1 ? raised : raised / bend.width;
  ctx.set(0, ctx.grad() * choose(positive, above, below));
}

}  // namespace

OpCard bent_activation(OpCard own, Bend (*read)(const AttrReader& attributes)) {
  own.category = Category::activation;
  own.kernel = [read](KernelContext& ctx) { kernel(ctx, read(ctx)); };
  own.body = [read](BodyContext& ctx) { body(ctx, read(ctx)); };
  own.gradient = [read](GradientContext& ctx) { gradient(ctx, read(ctx)); };
  own.cost = cost_per_output(2 * kTranscendental + 4);
  return unary_op(std::move(own));
}

}  // namespace asg::ops
