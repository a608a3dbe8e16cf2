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
          .gradient = gradient,
          .onnx = {{.op = "Cos", .since = 7}},
          .torch = "torch.cos",
          .words = {.what = {"The cosine of every element, in radians. Infinity gives NaN.",
                             "Косинус каждого элемента в радианах. Бесконечность даёт NaN."},
                    .formula = "y = \\cos x",
                    .why = {"The other half of positional codes, sinusoidal and rotary. Half a period of it is the "
                            "usual shape along which a learning rate falls.",
                            "Вторая половина позиционных кодов, синусоидальных и вращательных. Половина его периода — "
                            "обычная кривая, по которой снижают темп обучения."}},
          .samples = ops::join({ops::unary_samples(-3, 3),
                                {ops::exact("extremes", {0, 3.141592653589793, ops::kInfinity, ops::kNan},
                                            {1, -1, ops::kNan, ops::kNan})}}),
      },
      [](double x) { return std::cos(x); });
}

}  // namespace asg::cards
