#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() * add_op("Cos", {ctx.in(0)})); }

}  // namespace

OpCard card_sin() {
  return ops::maths_function(
      {
          .name = "Sin",
          .scalar = ScalarOp::sin,
          .gradient = gradient,
          .onnx = {{.op = "Sin", .since = 7}},
          .torch = "torch.sin",
          .words = {.what = {"The sine of every element, taken as an angle in radians: 0 gives 0, π/2 gives 1. "
                             "Infinity has no angle and gives NaN.",
                             "Синус каждого элемента, взятого как угол в радианах: 0 даёт 0, π/2 даёт 1. У "
                             "бесконечности угла нет, и она даёт NaN."},
                    .formula = "y = \\sin x",
                    .why = {"Together with the cosine it encodes positions: waves of many lengths give every place of "
                            "a sequence its own pattern, and a shift is a rotation of that pattern. Networks that "
                            "store a picture or a sound in their weights (SIREN) use it as an activation.",
                            "Вместе с косинусом кодирует позиции: волны разной длины дают каждому месту "
                            "последовательности свой узор, а сдвиг — это поворот узора. В сетях, хранящих изображение "
                            "или звук в своих весах (SIREN), служит функцией активации."}},
          .samples = ops::join({ops::unary_samples(-3, 3),
                                {ops::exact("extremes", {0, 1.5707963267948966, ops::kInfinity, ops::kNan},
                                            {0, 1, ops::kNan, ops::kNan})}}),
      },
      [](double x) { return std::sin(x); });
}

}  // namespace asg::cards
