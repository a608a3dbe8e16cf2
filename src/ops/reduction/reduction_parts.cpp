#include "ops/reduction/reduction_parts.h"

#include "asg/graph/graph.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::ops {

OpCard reduction_card(std::string name, DTypeSet dtypes) {
  return {
      .name = std::move(name),
      .category = Category::reduction,
      .inputs = reduction_inputs(dtypes),
      .outputs = reduction_output(dtypes),
      .attributes = reduction_attributes(),
      .traits = {.reduction = true},
      .infer = infer_reduction,
      .gradient_kind = GradientKind::rule,
      .cost = cost_per_input(1),
      .bad_samples = bad_reductions(),
  };
}

std::vector<Sample> reduction_samples(double low, double high) {
  std::vector<Sample> samples = reduction_samples();
  for (Sample& sample : samples) {
    sample.inputs.front().low = low;
    sample.inputs.front().high = high;
  }
  return samples;
}

Sample exact_rows(std::string name, const std::vector<std::vector<double>>& rows, const std::vector<double>& expected,
                  Attrs attrs) {
  std::vector<double> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  const auto count = static_cast<std::int64_t>(rows.size());
  const auto length = static_cast<std::int64_t>(all.size()) / count;
  attrs.set("keepdims", false);
  return {.name = std::move(name),
          .inputs = {in_exact(Array::of<double>({count, length}, all)), in_ints({1}, {1})},
          .attrs = std::move(attrs),
          .gradient = false,
          .expected = {reals(expected)}};
}

Tensor reduce_same(const BodyContext& ctx, std::string_view op, const Tensor& tensor) {
  return add_op(op, {tensor, ctx.has(1) ? ctx.in(1) : Tensor()}, ctx.attrs());
}

void output_reduced(BodyContext& ctx, const Tensor& kept, const std::vector<std::int64_t>& axes) {
  const bool drop = !ctx.boolean("keepdims") && !axes.empty();
  ctx.output(drop ? add_op("Squeeze", {kept, ints(ctx.graph(), axes)}) : kept);
}

Tensor reciprocal_count(const Tensor& x, const std::vector<std::int64_t>& axes, std::int64_t less) {
  double known = 1;
  Tensor unknown;
  for (std::int64_t axis : axes) {
    const Dim& length = x.shape()[static_cast<int>(axis)];
    if (length.is_known()) {
      known *= static_cast<double>(length.value());
      continue;
    }
    const Tensor counted = length_of(x, static_cast<int>(axis));
    unknown = unknown.valid() ? unknown * counted : counted;
  }
  const auto taken = static_cast<double>(less);
  if (!unknown.valid()) return scalar_like(x, 1 / (known - taken));
  const DType wide = x.dtype() == DType::f64 ? DType::f64 : DType::f32;
  const Tensor scalar = add_op("Squeeze", {unknown, ints(x.graph(), {0})});
  const Tensor product = known * add_op("Cast", {scalar}, {{"to", wide}});
  const Tensor count = less == 0 ? product : product - taken;
  return add_op("Cast", {add_op("Reciprocal", {count})}, {{"to", x.dtype()}});
}

}  // namespace asg::ops
