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
  const auto axes = ops::kernel_axes(ctx, 1);
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() {
    const T start = ops::highest_of<T>(ctx.output_dtypes.front());
    ops::fold_axes<T>(ctx.in(0), axes, ctx.out(), start, ops::smaller<T>);
  });
}

}  // namespace

OpCard card_reduce_min() {
  OpCard card = ops::reduction_card("ReduceMin", kNumbers);
  card.kernel = kernel;
  card.gradient = ops::gradient_to_extremes;
  card.onnx = {{.op = "ReduceMin", .since = 18}};
  card.torch = "torch.amin";
  card.tolerance = ops::kExact;
  card.words = {
      .what =
          {"The smallest element along the given axes, or of all. NaN wins over every number; the minimum of nothing "
           "is infinity, or the largest integer. The gradient is shared evenly among all elements that reach the "
           "minimum.",
           "Наименьший элемент вдоль данных осей или из всех. NaN побеждает любое число; минимум пустого набора — "
           "бесконечность или наибольшее целое. Градиент делится поровну между всеми элементами, достигшими минимума."},
      .formula = "y = \\min_{i} x_{i}",
      .why = {"Gives the distance to the nearest neighbour, as the Chamfer loss of point clouds needs it, and the "
              "lower end of a tensor's range for quantisation. Worst-case training maximises a minimum: only the "
              "weakest element gets a gradient.",
              "Даёт расстояние до ближайшего соседа, как в потере Чамфера для облаков точек, и нижнюю границу значений "
              "тензора для квантования. Обучение на худший случай повышает минимум: градиент получает лишь самый "
              "слабый элемент."}};
  card.samples =
      ops::join({ops::reduction_samples(),
                 {{.name = "ties_and_nan",
                   .inputs = {in_exact(Array::of<double>({2, 3}, {1, 1, 3, ops::kNan, 2, 5})), in_ints({1}, {1})},
                   .attrs = {{"keepdims", false}},
                   .gradient = false,
                   .expected = {ops::reals({1, ops::kNan})}},
                  {.name = "integers",
                   .inputs = {in_exact(Array::of<std::int64_t>({2, 2}, {1, 7, -3, -4})), in_ints({1}, {-1})},
                   .attrs = {{"keepdims", false}},
                   .gradient = false,
                   .expected = {Array::ints({1, -4})}},
                  {.name = "of_nothing",
                   .inputs = {in({1, 0}), in_ints({1}, {1})},
                   .attrs = {{"keepdims", false}},
                   .gradient = false,
                   .expected = {ops::reals({ops::kInfinity})}}}});
  return card;
}

}  // namespace asg::cards
