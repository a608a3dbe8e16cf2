#include "ops/support/gradients.h"

#include <utility>

#include "asg/graph/graph.h"
#include "ops/support/operands.h"

namespace asg::ops {

Tensor ints(Graph& graph, std::vector<std::int64_t> numbers) { return graph.constant(Array::ints(numbers)); }

Tensor scalar_like(const Tensor& like, double value) { return like.graph().scalar(like.dtype(), value); }

Tensor shape_of(const Tensor& tensor) {
  if (tensor.shape().is_known()) return ints(tensor.graph(), tensor.shape().sizes());
  return add_op("Shape", {tensor});
}

Tensor expand_like(const Tensor& tensor, const Tensor& like) {
  if (tensor.shape() == like.shape()) return tensor;
  return add_op("Expand", {tensor, shape_of(like)});
}

Tensor zeros_like(const Tensor& like) { return expand_like(scalar_like(like, 0), like); }

Tensor choose(const Tensor& condition, const Tensor& then, const Tensor& otherwise) {
  return add_op("Where", {condition, then, otherwise});
}

Tensor where_or_zero(const Tensor& condition, const Tensor& tensor) {
  return choose(condition, tensor, scalar_like(tensor, 0));
}

Tensor zero_where(const Tensor& condition, const Tensor& tensor) {
  return choose(condition, scalar_like(tensor, 0), tensor);
}

Tensor as_numbers(const Tensor& condition, const Tensor& like) {
  return add_op("Cast", {condition}, {{"to", like.dtype()}});
}

std::vector<std::int64_t> axes_or_all(const GradientContext& ctx, int index) {
  return axes_or_all(ctx, ctx.in(0), ctx.has(index) ? ctx.in(index) : Tensor());
}

Tensor with_reduced_axes(const GradientContext& ctx, const Tensor& reduced) {
  auto axes = axes_or_all(ctx, 1);
  if (ctx.boolean("keepdims") || axes.empty()) return reduced;
  return add_op("Unsqueeze", {reduced, ints(reduced.graph(), std::move(axes))});
}

Tensor reduce_keeping(std::string_view op, const Tensor& tensor, std::vector<std::int64_t> axes) {
  // No axes would mean all.
  if (axes.empty()) return tensor;
  return add_op(op, {tensor, ints(tensor.graph(), std::move(axes))}, {{"keepdims", true}});
}

void gradient_to_first_chosen(GradientContext& ctx) {
  const Tensor gradient = ctx.grad();
  Tensor taken;  // where an earlier input was chosen
  for (int index = 0; index < ctx.input_count(); ++index) {
    // What is left goes to the last input without a comparison, so that NaN loses no gradient either.
    const bool last = index + 1 == ctx.input_count();
    const Tensor chosen = last ? Tensor() : add_op("Equal", {ctx.in(index), ctx.out()});
    Tensor mine = chosen;
    if (taken.valid()) {
      const Tensor left = add_op("Not", {taken});
      mine = last ? left : add_op("And", {chosen, left});
    }
    if (ctx.needs(index)) ctx.set_summed(index, mine.valid() ? where_or_zero(mine, gradient) : gradient);
    if (!last) taken = taken.valid() ? add_op("Or", {taken, chosen}) : chosen;
  }
}

void gradient_to_extremes(GradientContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor reached = as_numbers(add_op("Equal", {x, with_reduced_axes(ctx, ctx.out())}), x);
  const Tensor count = reduce_keeping("ReduceSum", reached, axes_or_all(ctx, 1));
  ctx.set(0, reached * (with_reduced_axes(ctx, ctx.grad()) / count));
}

}  // namespace asg::ops
