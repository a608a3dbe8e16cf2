#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// atan reaches its ends through a division by zero, just where the root vanishes.
void body(BodyContext& ctx) {
  const Tensor root = add_op("Sqrt", {1 - ctx.in(0) * ctx.in(0)});
  ctx.output(add_op("Atan", {ctx.in(0) / root}));
}

void gradient(GradientContext& ctx) {
  const Tensor root = add_op("Sqrt", {1 - ctx.in(0) * ctx.in(0)});
  ctx.set(0, ctx.grad() / root);
}

}  // namespace

OpCard card_asin() {
  return ops::maths_function(
      {
          .name = "Asin",
          .body = body,
          .gradient = gradient,
          .onnx = {{.op = "Asin", .since = 7}},
          .torch = "torch.asin",
          .words = {.what = {"The angle between -π/2 and π/2 whose sine is x. Outside [-1, 1] there is none, and the "
                             "result is NaN; at the ends the slope is infinite.",
                             "Угол от −π/2 до π/2, синус которого равен x. Вне отрезка [−1, 1] такого угла нет, и "
                             "получается NaN; на концах наклон бесконечен."},
                    .formula = "y = \\arcsin x",
                    .why = {"Gets angles back from coordinates, for instance the latitude from the height of a point "
                            "on a sphere, or the pitch from a quaternion in a pose network. Rounding can push a "
                            "computed sine just past 1, so such inputs are clipped first.",
                            "Возвращает углы по координатам: широту по высоте точки на сфере, тангаж по кватерниону в "
                            "сети оценки позы. Из-за округления вычисленный синус может оказаться чуть больше 1, "
                            "поэтому такой вход сначала ограничивают."}},
          .samples = ops::join(
              {ops::unary_samples(-0.8, 0.8),
               {ops::exact("extremes", {0, 0.5, 1, -1, 2, ops::kNan},
                           {0, 0.5235987755982989, 1.5707963267948966, -1.5707963267948966, ops::kNan, ops::kNan})}}),
      },
      [](double x) { return std::asin(x); });
}

}  // namespace asg::cards
