#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() / ctx.in(0)); }

}  // namespace

OpCard card_log() {
  return ops::maths_function(
      {
          .name = "Log",
          .scalar = ScalarOp::log,
          .gradient = gradient,
          .onnx = {{.op = "Log", .since = 13}},
          .torch = "torch.log",
          .words = {.what = {"The natural logarithm of every element: 1 gives 0, e gives 1. Zero gives minus infinity, "
                             "negative numbers give NaN.",
                             "Натуральный логарифм каждого элемента: 1 даёт 0, e даёт 1. Ноль даёт минус "
                             "бесконечность, отрицательные числа — NaN."},
                    .formula = "y = \\ln x",
                    .why = {"Turns products of probabilities into sums that do not underflow: the cross-entropy is the "
                            "negative logarithm of the probability of the right answer. Near zero its slope is huge, "
                            "so a confident mistake is punished hard.",
                            "Превращает произведения вероятностей в суммы, которые не обнуляются: перекрёстная "
                            "энтропия — это минус логарифм вероятности верного ответа. Около нуля наклон огромен, "
                            "поэтому уверенная ошибка наказывается строго."}},
          .samples = ops::join({ops::unary_samples(0.5, 3),
                                {ops::exact("extremes", {1, 2.718281828459045, 0, -1, ops::kInfinity},
                                            {0, 1, -ops::kInfinity, ops::kNan, ops::kInfinity})}}),
      },
      [](double x) { return std::log(x); });
}

}  // namespace asg::cards
