#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void gradient(GradientContext& ctx) { ctx.set(0, -(ctx.grad() * add_op("Sin", {ctx.in(0)}))); }

}  // namespace

OpCard card_cos() {
  return ops::maths_function(
      {
          .name = "Cos",
          .scalar = ScalarOp::cos,
          .gradient = gradient,
          .onnx = {{.op = "Cos", .since = 7}},
          .torch = "torch.cos",
          .words = {.what = {"The cosine of every element, taken as an angle in radians: 0 gives 1, π gives -1. "
                             "Infinity has no angle and gives NaN.",
                             "Косинус каждого элемента, взятого как угол в радианах: 0 даёт 1, π даёт −1. У "
                             "бесконечности угла нет, и она даёт NaN."},
                    .formula = "y = \\cos x",
                    .why = {"The other half of positional codes: sinusoidal ones put it beside the sine, rotary ones "
                            "turn queries and keys with both. Half a period of it is the usual curve along which a "
                            "learning rate falls.",
                            "Вторая половина позиционных кодов: в синусоидальных косинус стоит рядом с синусом, во "
                            "вращательных оба поворачивают запросы и ключи. Половина его периода — обычная кривая, по "
                            "которой снижают темп обучения."}},
          .samples = ops::join({ops::unary_samples(-3, 3),
                                {ops::exact("extremes", {0, 3.141592653589793, ops::kInfinity, ops::kNan},
                                            {1, -1, ops::kNan, ops::kNan})}}),
      },
      [](double x) { return std::cos(x); });
}

}  // namespace asg::cards
