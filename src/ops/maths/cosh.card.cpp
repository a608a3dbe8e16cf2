#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor rising = add_op("Exp", {ctx.in(0)});
  const Tensor falling = add_op("Exp", {-ctx.in(0)});
  ctx.output(0.5 * (rising + falling));
}

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() * add_op("Sinh", {ctx.in(0)})); }

}  // namespace

OpCard card_cosh() {
  return ops::maths_function(
      {
          .name = "Cosh",
          .body = body,
          .gradient = gradient,
          .onnx = {{.op = "Cosh", .since = 9}},
          .torch = "torch.cosh",
          .words = {.what = {"The hyperbolic cosine: the mean of e to the x and e to the -x. It is the shape of a "
                             "hanging chain, 1 at zero and growing exponentially on both sides.",
                             "Гиперболический косинус: среднее e в степени x и e в степени −x. Это форма висящей цепи: "
                             "в нуле 1, в обе стороны экспоненциальный рост."},
                    .formula = "y = \\cosh x = \\frac{e^{x} + e^{-x}}{2}",
                    .why = {"Its logarithm is a smooth loss that acts as a square near zero and as an absolute value "
                            "far away, so outliers weigh little. It overflows beyond about 89 in f32, hence log-cosh "
                            "losses are written with Softplus instead.",
                            "Логарифм гиперболического косинуса — гладкая функция потерь: около нуля она ведёт себя "
                            "как квадрат, вдали — как модуль, поэтому выбросы весят мало. Примерно за 89 в f32 "
                            "наступает переполнение, и потому log-cosh записывают через Softplus."}},
          .samples = ops::join(
              {ops::unary_samples(-1.5, 1.5),
               {ops::exact("extremes", {0, 1, -1, -1000, ops::kInfinity, ops::kNan},
                           {1, 1.5430806348152437, 1.5430806348152437, ops::kInfinity, ops::kInfinity, ops::kNan})}}),
      },
      [](double x) { return std::cosh(x); });
}

}  // namespace asg::cards
