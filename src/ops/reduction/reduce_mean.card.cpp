#include <cstdint>

#include "asg/graph/card.h"
#include "ops/reduction/reduction_parts.h"
#include "ops/support/gradients.h"
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

void gradient(GradientContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor grad = ops::with_reduced_axes(ctx, ctx.grad());
  const Tensor share = ops::reciprocal_count(x, ops::axes_or_all(ctx, 1), 0);
  ctx.set(0, ops::expand_like(grad * share, x));
}

}  // namespace

OpCard card_reduce_mean() {
  OpCard card = ops::reduction_card("ReduceMean", kFloats);
  card.kernel = kernel;
  card.gradient = gradient;
  card.onnx = {{.op = "ReduceMean", .since = 18}};
  card.torch = "torch.mean";
  card.words = {
      .what = {"The average of all elements along the given axes, or along all of them. NaN spreads, and the mean of "
               "nothing is NaN.",
               "Среднее всех элементов вдоль данных осей или вдоль всех сразу. NaN распространяется, а среднее пустого "
               "набора — NaN."},
      .formula = "y = \\frac{1}{n} \\sum_{i=1}^{n} x_{i}",
      .why = {"A mean loss does not grow with the batch, so one learning rate serves batches of any size. "
              "Normalisation layers subtract means, and global average pooling is a mean over all places of a picture.",
              "Средняя потеря не растёт с размером пакета, и один темп обучения годится для любого. Слои нормализации "
              "вычитают средние, а глобальный усредняющий пулинг — это среднее по всем местам изображения."}};
  card.samples =
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
                   .expected = {ops::reals({ops::kNan, ops::kNan})}}}});
  return card;
}

}  // namespace asg::cards
