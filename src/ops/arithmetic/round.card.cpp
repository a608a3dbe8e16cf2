#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/gradients.h"

namespace asg::cards {
namespace {

// Up from the floor where more than one half is left, and at exactly one half where the floor is odd.
void body(BodyContext& ctx) {
  const Tensor floor = add_op("Floor", {ctx.in(0)});
  const Tensor rest = ctx.in(0) - floor;
  const Tensor odd = floor - 2 * add_op("Floor", {0.5 * floor});
  const Tensor tie = add_op("Equal", {rest, ops::scalar_like(rest, 0.5)});
  const Tensor tie_up = add_op("And", {tie, odd > 0.5});
  const Tensor up = add_op("Or", {rest > 0.5, tie_up});
  ctx.output(ops::choose(up, floor + 1, floor));
}

}  // namespace

OpCard card_round() {
  return ops::rounding(
      {
          .name = "Round",
          .scalar = ScalarOp::round,
          .body = body,
          .gradient_reason = "Round has the same value all around a point and jumps halfway between integers, so its "
                             "slope is 0 wherever it has one.",
          .onnx = {{.op = "Round", .since = 11}},
          .torch = "torch.round",
          .words =
              {.what =
                   {"Rounds every element to the nearest whole number; halves go to the even neighbour, so 0.5 becomes "
                    "0 while 1.5 and 2.5 become 2. That keeps sums of rounded numbers from drifting upwards.",
                    "Округляет каждый элемент до ближайшего целого; половины идут к чётному соседу: 0,5 становится "
                    "0, а 1,5 и 2,5 становятся 2. Благодаря этому суммы округлённых чисел не уползают вверх."},
               .formula = "y = \\text{round}(x)",
               .why = {"Quantisation is a division by a step, this rounding and a multiplication back. Training "
                       "through it pretends that the slope is 1 (straight-through), since the true one is zero.",
                       "Квантование — это деление на шаг, такое округление и обратное умножение. При обучении сквозь "
                       "него делают вид, что наклон равен 1 (straight-through), ведь настоящий равен нулю."}},
          .samples = ops::rounding_samples(
              {0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, -1.25, 1.75, 4503599627370497},
              {0, 2, 2, 0, -2, -2, 0, -1, 2, 4503599627370497}),
      },
      // To the nearest, ties to even: what the processor does unless a program asks for something else.
      [](double x) { return std::nearbyint(x); });
}

}  // namespace asg::cards
