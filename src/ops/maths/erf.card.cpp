#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

constexpr double kTwoBySqrtPi = 1.1283791670955126;

void gradient(GradientContext& ctx) {
  const Tensor& x = ctx.in(0);
  ctx.set(0, ctx.grad() * (kTwoBySqrtPi * add_op("Exp", {-(x * x)})));
}

}  // namespace

OpCard card_erf() {
  return ops::maths_function(
      {
          .name = "Erf",
          .scalar = ScalarOp::erf,
          .gradient = gradient,
          .onnx = {{.op = "Erf", .since = 13}},
          .torch = "torch.erf",
          .words = {.what = {"The error function: the area under the bell curve e^(-t²) between -x and x as a share of "
                             "the whole, negative for negative x, so it runs from -1 to 1. It looks like Tanh but is a "
                             "little steeper: its slope at zero is 1.128.",
                             "Функция ошибок: доля площади под колоколом e^(−t²) между −x и x, со знаком минус для "
                             "отрицательных x, поэтому значения лежат от −1 до 1. Похожа на Tanh, только немного "
                             "круче: наклон в нуле 1,128."},
                    .formula = "y = \\frac{2}{\\sqrt{\\pi}} \\int_{0}^{x} e^{-t^{2}} dt",
                    .why = {"It gives the share of a normal distribution that lies below x, and so the exact form of "
                            "Gelu in the feed-forward layers of BERT. It has no closed form; processors use fitted "
                            "polynomials, and GPT-2 takes an approximation by Tanh instead.",
                            "Через неё выражается доля нормального распределения ниже x, а значит, и точная форма Gelu "
                            "в полносвязных слоях BERT. Замкнутой формулы нет: процессоры считают её подобранными "
                            "многочленами, а GPT-2 берёт вместо неё приближение через Tanh."}},
          .samples = ops::join({ops::unary_samples(-1.5, 1.5),
                                {ops::exact("extremes", {0, 1, -1, 10, -ops::kInfinity, ops::kNan},
                                            {0, 0.8427007929497149, -0.8427007929497149, 1, -1, ops::kNan})}}),
      },
      [](double x) { return std::erf(x); });
}

}  // namespace asg::cards
