#include <cstdint>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  const Array& in = ctx.in(0);
  ops::fold_axes<double>(in, ops::kernel_axes(ctx, 1), ctx.out(), 0, ops::wrapping_add<double>);
  // The mean of nothing is 0 / 0.
  const double count = static_cast<double>(in.count()) / static_cast<double>(ctx.out().count());
  for (double& value : ctx.out().mutable_data<double>()) value /= count;
}

// 1 / the number of elements that each mean is taken of, as a scalar of the dtype of x. Lengths that are symbols are
// multiplied when the graph runs, in a dtype that holds large counts.
Tensor share_of_each(const Tensor& x, const std::vector<std::int64_t>& axes) {
  double known = 1;
  Tensor unknown;
  Graph& graph = x.graph();
  for (std::int64_t axis : axes) {
    const Dim& length = x.shape()[static_cast<int>(axis)];
    if (length.is_known()) {
      known *= static_cast<double>(length.value());
      continue;
    }
    const Tensor counted = add_op("Gather", {add_op("Shape", {x}), graph.constant(Array::scalar_i64(axis))});
    unknown = unknown.valid() ? unknown * counted : counted;
  }
  // Where there are no elements there is no gradient either; the share only has to be a number.
  if (known == 0) known = 1;
  if (!unknown.valid()) return ops::scalar_like(x, 1 / known);
  const DType wide = x.dtype() == DType::f64 ? DType::f64 : DType::f32;
  const Tensor count = known * add_op("Cast", {unknown}, {{"to", wide}});
  return add_op("Cast", {add_op("Reciprocal", {count})}, {{"to", x.dtype()}});
}

void gradient(GradientContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor shared = ops::with_reduced_axes(ctx, ctx.grad()) * share_of_each(x, ops::axes_or_all(ctx, 1));
  ctx.set(0, ops::expand_like(shared, x));
}

}  // namespace

OpCard card_reduce_mean() {
  return {
      .name = "ReduceMean",
      .category = Category::reduction,
      .inputs = ops::reduction_inputs(kFloats),
      .outputs = ops::reduction_output(kFloats),
      .attributes = ops::reduction_attributes(),
      .traits = {.reduction = true},
      .infer = ops::infer_reduction,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_input(1),
      .onnx = {{.op = "ReduceMean", .since = 18}},
      .torch = "torch.mean",
      .words =
          {.what =
               {"The average of all elements along the given axes, or along all of them. NaN spreads, and the mean of "
                "nothing is NaN.",
                "Среднее всех элементов вдоль данных осей или вдоль всех сразу. NaN распространяется, а среднее "
                "пустого — NaN."},
           .formula = "y = \\frac{1}{n} \\sum_{i=1}^{n} x_{i}",
           .why = {"A mean loss does not depend on the size of the batch, so one learning rate serves them all. Norms "
                   "subtract means, and global pooling is a mean over all places of a picture.",
                   "Средняя потеря не зависит от размера пакета, и один темп обучения годится для всех. Нормализации "
                   "вычитают средние, а глобальный пулинг — это среднее по всем местам картинки."}},
      .samples =
          ops::join({ops::reduction_samples(),
                     {{.name = "by_hand",
                       .inputs = {in_exact(Array::of<double>({2, 2}, {1, 2, 3, ops::kInfinity})), in_ints({1}, {0})},
                       .attrs = {{"keepdims", false}},
                       .gradient = false,
                       .expected = {ops::reals({2, ops::kInfinity})}},
                      {.name = "mean_of_nothing",
                       .inputs = {in({2, 0}), in_ints({1}, {1})},
                       .attrs = {{"keepdims", false}},
                       .gradient = false,
                       .expected = {ops::reals({ops::kNan, ops::kNan})}}}}),
      .bad_samples = ops::bad_reductions(),
  };
}

}  // namespace asg::cards
