#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// tanh(x / 2) · (1 + cosh(x)), which keeps small numbers as the difference of two exponentials does not.
void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  ctx.output(add_op("Tanh", {0.5 * x}) * (1 + add_op("Cosh", {x})));
}

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() * add_op("Cosh", {ctx.in(0)})); }

}  // namespace

OpCard card_sinh() {
  return ops::maths_function(
      {
          .name = "Sinh",
          .body = body,
          .gradient = gradient,
          .onnx = {{.op = "Sinh", .since = 9}},
          .torch = "torch.sinh",
          .words =
              {.what = {"The hyperbolic sine: half the difference of e to the x and e to the -x. Near zero it is "
                        "almost x itself; far away it grows like an exponential of either sign.",
                        "Гиперболический синус: половина разности e в степени x и e в степени −x. Около нуля почти "
                        "равен самому x, а вдали растёт как экспонента соответствующего знака."},
               .formula = "y = \\sinh x = \\frac{e^{x} - e^{-x}}{2}",
               .why =
                   {"Belongs to hyperbolic geometry: models that embed trees into curved space walk along its "
                    "geodesics with Sinh and Cosh. It also undoes Asinh when a target was compressed before training.",
                    "Из гиперболической геометрии: модели, которые вкладывают деревья в искривлённое пространство, "
                    "движутся по геодезическим с помощью Sinh и Cosh. Ещё она обращает Asinh, если целевое значение "
                    "перед обучением сжимали."}},
          .samples = ops::join(
              {ops::unary_samples(-1.5, 1.5),
               {ops::exact("extremes", {0, 1, -1, 1000, -ops::kInfinity, ops::kNan},
                           {0, 1.1752011936438014, -1.1752011936438014, ops::kInfinity, -ops::kInfinity, ops::kNan})}}),
      },
      [](double x) { return std::sinh(x); });
}

}  // namespace asg::cards
