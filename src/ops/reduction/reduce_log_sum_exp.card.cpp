#include <cmath>

#include "asg/graph/card.h"
#include "ops/reduction/reduction_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/operands.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// With the maximum of each group taken out, no exponential overflows; an infinite one is the result itself.
void kernel(KernelContext& ctx) {
  const auto shifted = [](double x, double largest) { return std::exp(std::isfinite(largest) ? x - largest : x); };
  const auto found =
      ops::fold_around_pivots(ctx.in(0), ops::kernel_axes(ctx, 1), -ops::kInfinity, ops::larger<double>, shifted);
  const auto largest = found.pivots.data<double>();
  const auto sums = found.sums.data<double>();
  const auto out = ctx.out().mutable_data<double>();
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] = std::isfinite(largest[k]) ? largest[k] + std::log(sums[k]) : largest[k];
  }
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const auto axes = ops::axes_or_all(ctx, x, ctx.has(1) ? ctx.in(1) : Tensor());
  const Tensor largest = ops::reduce_keeping("ReduceMax", x, axes);
  const Tensor is_finite = add_op("Less", {add_op("Abs", {largest}), ops::scalar_like(x, ops::kInfinity)});
  const Tensor shift = ops::where_or_zero(is_finite, largest);
  const Tensor sum = ops::reduce_keeping("ReduceSum", add_op("Exp", {x - shift}), axes);
  const Tensor kept = add_op("Log", {sum}) + shift;
  ops::output_reduced(ctx, kept, axes);
}

// The softmax of each group; nothing but −∞ has a sum of 0, and no gradient.
void gradient(GradientContext& ctx) {
  const Tensor result = ops::with_reduced_axes(ctx, ctx.out());
  const Tensor grad = ops::with_reduced_axes(ctx, ctx.grad());
  const Tensor is_empty = add_op("Equal", {result, ops::scalar_like(result, -ops::kInfinity)});
  ctx.set(0, add_op("Exp", {ctx.in(0) - ops::zero_where(is_empty, result)}) * grad);
}

}  // namespace

OpCard card_reduce_log_sum_exp() {
  const double inf = ops::kInfinity;
  OpCard card = ops::reduction_card("ReduceLogSumExp", kFloats);
  card.body = body;
  card.kernel = kernel;
  card.gradient = gradient;
  card.cost = ops::cost_per_input(ops::kTranscendental);
  card.onnx = {{.op = "ReduceLogSumExp", .since = 18}};
  card.torch = "torch.logsumexp";
  card.peer_differences = {{{"infinite"}, "where all elements are -inf the gradient is 0; PyTorch gives NaN"}};
  card.words = {
      .what =
          {"The logarithm of the sum of exponentials along the given axes: a smooth maximum, never below the largest "
           "element and close to it when that one stands out. The maximum is taken out before the exponentials, so "
           "that even 1000 does not overflow; of nothing it is minus infinity. Its gradient is the softmax.",
           "Логарифм суммы экспонент вдоль данных осей: гладкий максимум, который не меньше наибольшего элемента и "
           "близок к нему, если тот выделяется. Максимум выносится до экспонент, так что даже 1000 не приводит к "
           "переполнению; для пустого набора это минус бесконечность. Его градиент — softmax."},
      .formula = R"(y = m + \log \sum_{i} e^{x_i - m}, \quad m = \max_{i} x_i)",
      .why = {"Cross-entropy on logits is this number minus the logit of the right class. Probabilities that are kept "
              "as logarithms are added with it, as in CTC and in hidden Markov models.",
              "Перекрёстная энтропия по логитам — это число минус логит верного класса. С его помощью складывают "
              "вероятности, записанные логарифмами, как в CTC и в скрытых марковских моделях."}};
  card.samples = ops::join({ops::reduction_samples(),
                            {ops::exact_rows("large_and_small", {{1000, 1000}, {-1000, -1000}, {3, -inf}},
                                             {1000.69314718055994530942, -999.30685281944005469058, 3}),
                             ops::exact_rows("infinite", {{-inf, -inf}, {1, inf}, {inf, -inf}, {ops::kNan, inf}},
                                             {-inf, inf, inf, ops::kNan}),
                             {.name = "of_nothing",
                              .inputs = {in({1, 0}), in_ints({1}, {1})},
                              .attrs = {{"keepdims", false}},
                              .gradient = false,
                              .expected = {ops::reals({-inf})}}}});
  return card;
}

}  // namespace asg::cards
