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
          .gradient = gradient,
          .onnx = {{.op = "Erf", .since = 13}},
          .torch = "torch.erf",
          .words = {.what = {"The error function: twice the area under a bell curve between 0 and x, scaled so that it "
                             "runs from -1 to 1. It looks like Tanh and is a little steeper.",
                             "Функция ошибок: удвоенная площадь под колоколом от 0 до x, приведённая к промежутку от "
                             "−1 до 1. Похожа на Tanh, только немного круче."},
                    .formula = "y = \\frac{2}{\\sqrt{\\pi}} \\int_{0}^{x} e^{-t^{2}} dt",
                    .why = {"It gives the share of a normal distribution that lies below x, and so the exact form of "
                            "Gelu. It has no closed form; processors use fitted polynomials.",
                            "Через неё выражается доля нормального распределения ниже x, а значит, и точная форма "
                            "Gelu. Замкнутой формулы нет, процессоры считают её подобранными многочленами."}},
          .samples = ops::join({ops::unary_samples(-1.5, 1.5),
                                {ops::exact("extremes", {0, 1, -1, 10, -ops::kInfinity, ops::kNan},
                                            {0, 0.8427007929497149, -0.8427007929497149, 1, -1, ops::kNan})}}),
      },
      [](double x) { return std::erf(x); });
}

}  // namespace asg::cards
