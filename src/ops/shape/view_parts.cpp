#include "ops/shape/view_parts.h"

#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"

namespace asg::ops {

void output_reshaped(InferContext& ctx, Shape shape) {
  const TensorType type{ctx.dtype(0), std::move(shape)};
  ctx.output(type);
  if (auto known = ctx.known(0)) set_known(ctx, type, *std::move(known));
}

void reshape_kernel(KernelContext& ctx) { ctx.out().assign(ctx.in(0).reshaped(ctx.out().sizes())); }

void reshape_gradient(GradientContext& ctx) { ctx.set(0, add_op("Reshape", {ctx.grad(), shape_of(ctx.in(0))})); }

OpCard view_card(std::string name) {
  return {
      .name = std::move(name),
      .category = Category::shape,
      .inputs = {any_tensor()},
      .traits = {.view = true},
      .kernel = reshape_kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = reshape_gradient,
      .cost = cost_nothing,
      .tolerance = kExact,
  };
}

Port any_tensor() { return {.name = "x", .dtypes = kAnyType, .words = {"any tensor", "любой тензор"}}; }

std::vector<Port> same_elements(Words words) { return {{.name = "y", .dtypes = kAnyType, .words = words}}; }

}  // namespace asg::ops
