#include <cmath>

#include "asg/graph/card.h"
#include "ops/activation/softmax_parts.h"
#include "ops/support/gradients.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::softmax_lanes(ctx, [](double shifted, double sum) { return shifted - std::log(sum); });
}

void body(BodyContext& ctx) {
  const auto parts = ops::softmax_parts(ctx);
  ctx.output(parts.shifted - add_op("Log", {parts.sum}));
}

// Each lane apart: g - softmax(x) * sum(g).
void gradient(GradientContext& ctx) {
  const Tensor sum = ops::reduce_keeping("ReduceSum", ctx.grad(), {ops::lane_axis(ctx)});
  ctx.set(0, ctx.grad() - add_op("Exp", {ctx.out()}) * sum);
}

}  // namespace

OpCard card_log_softmax() {
  return ops::softmax_op({
      .name = "LogSoftmax",
      .body = body,
      .kernel = kernel,
      .gradient = gradient,
      .onnx = {{.op = "LogSoftmax", .since = 13}},
      .torch = "torch.log_softmax",
      .words =
          {.what = {"The logarithm of Softmax along one axis, computed in one piece: x minus the logarithm of the sum "
                    "of the exponentials. A tiny probability stays a finite number, where Log after Softmax would give "
                    "minus infinity.",
                    "Логарифм Softmax вдоль одной оси, посчитанный одной формулой: x минус логарифм суммы экспонент. "
                    "Крошечная вероятность остаётся конечным числом там, где Log после Softmax дал бы минус "
                    "бесконечность."},
           .formula = "y_{i} = x_{i} - \\ln \\sum_{j} e^{x_{j}}",
           .why = {"Cross-entropy is its entry for the right class with the sign turned. The gradient of that loss by "
                   "the scores is simply the probability that was given minus the one that was wanted, which is why "
                   "classification trains so smoothly.",
                   "Перекрёстная энтропия — это её значение на месте верного класса с обратным знаком. Градиент такой "
                   "потери по оценкам — просто предсказанная вероятность минус желаемая, поэтому классификаторы учатся "
                   "так ровно."}},
      .samples =
          ops::join({ops::softmax_samples(),
                     {ops::exact("by_hand", {1, 2, 3}, {-2.40760596444438, -1.4076059644443801, -0.4076059644443801}),
                      ops::exact("large_numbers", {1000, 1000, -1000},
                                 {-0.6931471805599453, -0.6931471805599453, -2000.6931471805599}),
                      ops::exact("minus_infinity_is_masked", {0, -ops::kInfinity}, {0, -ops::kInfinity}),
                      ops::exact("nan_spreads_over_its_lane", {1, ops::kNan}, {ops::kNan, ops::kNan})}}),
  });
}

}  // namespace asg::cards
