#include <cmath>

#include "asg/graph/card.h"
#include "ops/activation/softmax_parts.h"
#include "ops/support/gradients.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::softmax_lanes(ctx, [](double shifted, double sum) { return std::exp(shifted) / sum; });
}

void body(BodyContext& ctx) {
  const auto parts = ops::softmax_parts(ctx);
  ctx.output(parts.exponentials / parts.sum);
}

// Each lane apart: y * (g - sum(g * y)).
void gradient(GradientContext& ctx) {
  const Tensor weighted = ctx.grad() * ctx.out();
  const Tensor sum = ops::reduce_keeping("ReduceSum", weighted, {ops::lane_axis(ctx)});
  ctx.set(0, weighted - ctx.out() * sum);
}

}  // namespace

OpCard card_softmax() {
  return ops::softmax_op({
      .name = "Softmax",
      .body = body,
      .kernel = kernel,
      .gradient = gradient,
      .onnx = {{.op = "Softmax", .since = 13}},
      .torch = "torch.softmax",
      .words =
          {.what = {"Turns the numbers along one axis into shares of 1, larger numbers getting the larger share. The "
                    "maximum is subtracted first, which changes nothing but keeps the exponentials from overflowing. "
                    "Minus infinity gets a share of exactly 0, but where all are minus infinity the result is NaN.",
                    "Превращает числа вдоль одной оси в доли с суммой 1: большему числу — большая доля. Сначала "
                    "вычитается максимум: это ничего не меняет, но не даёт экспонентам переполниться. Доля минус "
                    "бесконечности ровно 0, но если вдоль оси нет ничего другого, получается NaN."},
           .formula = "y_{i} = \\frac{e^{x_{i}}}{\\sum_{j} e^{x_{j}}}",
           .why = {"The last step of a classifier, and the step by which attention shares out its weight among tokens. "
                   "Raising one number lowers the share of all others along the axis, so the gradient of each depends "
                   "on all of them.",
                   "Последний шаг классификатора и тот шаг, которым внимание делит свой вес между токенами. Рост "
                   "одного числа отнимает долю у всех остальных вдоль оси, поэтому градиент каждого зависит от всех."}},
      .samples =
          ops::join({ops::softmax_samples(),
                     {ops::exact("by_hand", {1, 2, 3}, {0.09003057317038046, 0.24472847105479767, 0.6652409557748219}),
                      ops::exact("large_numbers", {1000, 1000, -1000}, {0.5, 0.5, 0}),
                      ops::exact("minus_infinity_is_masked", {0, -ops::kInfinity}, {1, 0}),
                      ops::exact("nan_spreads_over_its_lane", {1, ops::kNan}, {ops::kNan, ops::kNan})}}),
  });
}

}  // namespace asg::cards
