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
    const T start = ops::lowest_of<T>(ctx.output_dtypes.front());
    ops::fold_axes<T>(ctx.in(0), axes, ctx.out(), start, ops::larger<T>);
  });
}

}  // namespace

OpCard card_reduce_max() {
  OpCard card = ops::reduction_card("ReduceMax", kNumbers);
  card.kernel = kernel;
  card.gradient = ops::gradient_to_extremes;
  card.onnx = {{.op = "ReduceMax", .since = 18}};
  card.torch = "torch.amax";
  card.tolerance = ops::kExact;
  card.words = {.what = {"The largest element along the given axes, or of all. NaN wins over every number; the maximum "
                         "of nothing is minus infinity, or the smallest integer. The gradient is shared evenly among "
                         "all elements that reach the maximum.",
                         "Наибольший элемент вдоль данных осей или из всех. NaN побеждает любое число; максимум "
                         "пустого набора — минус бесконечность или наименьшее целое. Градиент делится поровну между "
                         "всеми элементами, достигшими максимума."},
                .formula = "y = \\max_{i} x_{i}",
                .why = {"Softmax subtracts it from the scores to keep exponentials finite, and PointNet takes it over "
                        "all points of a cloud, so that their order does not matter. Only the elements that reach it "
                        "get a gradient, so it learns from the strongest response alone.",
                        "Softmax вычитает его из оценок, чтобы экспоненты оставались конечными, а PointNet берёт его "
                        "по всем точкам облака, и порядок точек не важен. Градиент получают только достигшие максимума "
                        "элементы, то есть обучение идёт по самому сильному отклику."}};
  card.samples =
      ops::join({ops::reduction_samples(),
                 {{.name = "ties_and_nan",
                   .inputs = {in_exact(Array::of<double>({2, 3}, {3, 3, 1, ops::kNan, 2, 5})), in_ints({1}, {1})},
                   .attrs = {{"keepdims", false}},
                   .gradient = false,
                   .expected = {ops::reals({3, ops::kNan})}},
                  {.name = "integers",
                   .inputs = {in_exact(Array::of<std::int64_t>({2, 2}, {1, 7, -3, -4})), in_ints({1}, {-1})},
                   .attrs = {{"keepdims", false}},
                   .gradient = false,
                   .expected = {Array::ints({7, -3})}},
                  {.name = "of_nothing",
                   .inputs = {in({1, 0}), in_ints({1}, {1})},
                   .attrs = {{"keepdims", false}},
                   .gradient = false,
                   .expected = {ops::reals({-ops::kInfinity})}}}});
  return card;
}

}  // namespace asg::cards
