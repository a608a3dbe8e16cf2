#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

double hard_swish(double x) { return x * ops::smaller(1.0, ops::larger(0.0, x / 6 + 0.5)); }

void body(BodyContext& ctx) {
  ctx.output(ctx.in(0) * add_op("HardSigmoid", {ctx.in(0)}, {{"alpha", 1.0 / 6}, {"beta", 0.5}}));
}

}  // namespace

OpCard card_hard_swish() {
  return ops::float_function(
      {
          .name = "HardSwish",
          .category = Category::activation,
          .body = body,
          .gradient_kind = GradientKind::body,
          .cost = ops::cost_per_output(5),
          .onnx = {{.op = "HardSwish", .since = 14}},
          .torch = "torch.nn.functional.hardswish",
          .peer_differences =
              {{{"corners_and_extremes"},
                "at the corners the slope is that of the outer piece, 0 and 1; PyTorch takes the parabola's"}},
          .words =
              {.what = {"Multiplies every element by a straight-line sigmoid: zero below -3, x itself above 3, "
                        "and a parabola in between that dips to -0.375 at -1.5.",
                        "Умножает каждый элемент на сигмоиду из прямых: ниже −3 ноль, выше 3 сам x, а между ними "
                        "парабола с впадиной −0,375 в точке −1,5."},
               .formula = "y = x \\max(0, \\min(1, \\frac{x}{6} + \\frac{1}{2}))",
               .why = {"MobileNetV3 put it in place of Silu, whose exponential is slow on phones. The curve is "
                       "almost the same, and on eight-bit hardware it costs a clip and two products.",
                       "В MobileNetV3 она заменила Silu, экспонента которой медленно считается на телефонах. Кривая "
                       "почти та же, а на восьмибитном железе обходится в одно ограничение и два умножения."}},
          .samples = ops::join(
              {ops::unary_samples(-2, 2),
               {{.name = "all_three_pieces", .inputs = {in_exact(ops::reals({-5, -3.2, -2.5, 0.4, 2.8, 3.3, 6}))}},
                ops::exact("corners_and_extremes", {0, 1, -1, 3, -3, -1.5, 1000, -1000, ops::kNan},
                           {0, 0.6666666666666666, -0.3333333333333333, 3, 0, -0.375, 1000, 0, ops::kNan})}}),
      },
      hard_swish);
}

}  // namespace asg::cards
