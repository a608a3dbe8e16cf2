#include <cstdint>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
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
  return {
      .name = "ReduceMin",
      .category = Category::reduction,
      .inputs = ops::reduction_inputs(kNumbers),
      .outputs = ops::reduction_output(kNumbers),
      .attributes = ops::reduction_attributes(),
      .traits = {.reduction = true},
      .infer = ops::infer_reduction,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = ops::gradient_to_extremes,
      .cost = ops::cost_per_input(1),
      .onnx = {{.op = "ReduceMin", .since = 18}},
      .torch = "torch.amin",
      .tolerance = ops::kExact,
      .words = {.what = {"The smallest element along the given axes, or of all. NaN wins over every number; the "
                         "minimum of nothing is infinity, or the largest integer. The gradient is shared evenly "
                         "among all elements that reach the minimum.",
                         "Наименьший элемент вдоль данных осей или из всех. NaN побеждает любое число; минимум "
                         "пустого — бесконечность или наибольшее целое. Градиент делится поровну между всеми "
                         "элементами, достигшими минимума."},
                .formula = "y = \\min_{i} x_{i}",
                .why = {"Finds the nearest neighbour among distances and the range of a tensor for quantisation. "
                        "Worst-case training maximises a minimum: only the weakest element gets a gradient.",
                        "Находит ближайшего соседа по расстояниям и размах тензора для квантования. Обучение на "
                        "худший случай повышает минимум: градиент получает лишь самый слабый элемент."}},
      .samples =
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
                       .expected = {ops::reals({ops::kInfinity})}}}}),
      .bad_samples = ops::bad_reductions(),
  };
}

}  // namespace asg::cards
