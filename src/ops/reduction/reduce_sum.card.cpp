#include <cstdint>

#include "asg/graph/card.h"
#include "ops/reduction/reduction_parts.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/operands.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  const auto axes = ops::kernel_axes(ctx, 1);
  ops::dispatch_numeric(ctx.in(0),
                        [&]<class T>() { ops::fold_axes<T>(ctx.in(0), axes, ctx.out(), 0, ops::wrapping_add<T>); });
}

void gradient(GradientContext& ctx) {
  ctx.set(0, ops::expand_like(ops::with_reduced_axes(ctx, ctx.grad()), ctx.in(0)));
}

}  // namespace

OpCard card_reduce_sum() {
  OpCard card = ops::reduction_card("ReduceSum", kNumbers);
  card.infer = ops::infer_known_reduction([](const Dim& a, const Dim& b) { return std::optional(a + b); });
  card.kernel = kernel;
  card.gradient = gradient;
  card.onnx = {{.op = "ReduceSum", .since = 13}};
  card.torch = "torch.sum";
  card.words = {
      .what = {"Adds up all elements along the given axes, or along all of them. The sum of nothing is 0; NaN spreads; "
               "integers wrap around.",
               "Складывает все элементы вдоль данных осей или вдоль всех сразу. Сумма пустого набора равна 0; NaN "
               "распространяется; целые при переполнении заворачиваются по модулю."},
      .formula = "y = \\sum_{i} x_{i}",
      .why = {"Losses are sums over examples, dot products sums of products, and graph networks sum the messages of a "
              "node's neighbours. It is the mirror of broadcasting: whatever was stretched forward is summed backward.",
              "Потери — суммы по примерам, скалярные произведения — суммы произведений, а графовые сети суммируют "
              "сообщения соседей вершины. Это зеркало растягивания: что при прямом проходе растянули, то при обратном "
              "суммируется."}};
  card.samples = ops::join({ops::reduction_samples(),
                            {{.name = "by_hand",
                              .inputs = {in_exact(Array::of<double>({2, 2}, {1, 2, 3, ops::kNan})), in_ints({1}, {0})},
                              .attrs = {{"keepdims", false}},
                              .gradient = false,
                              .expected = {ops::reals({4, ops::kNan})}},
                             {.name = "integers",
                              .inputs = {in_exact(Array::of<std::int64_t>({2, 2}, {1, 2, 3, -4})), in_ints({1}, {-1})},
                              .attrs = {{"keepdims", false}},
                              .gradient = false,
                              .expected = {Array::ints({3, -1})}},
                             {.name = "sum_of_nothing",
                              .inputs = {in({2, 0}), in_ints({1}, {1})},
                              .attrs = {{"keepdims", false}},
                              .gradient = false,
                              .expected = {ops::reals({0, 0})}}}});
  return card;
}

}  // namespace asg::cards
