#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) { ctx.output(1 / ctx.in(0)); }

void gradient(GradientContext& ctx) { ctx.set(0, -(ctx.grad() * ctx.out() * ctx.out())); }

}  // namespace

OpCard card_reciprocal() {
  return ops::maths_function(
      {
          .name = "Reciprocal",
          .body = body,
          .gradient = gradient,
          .cost = ops::cost_per_output(1),
          .onnx = {{.op = "Reciprocal", .since = 13}},
          .torch = "torch.reciprocal",
          .words = {.what = {"One divided by every element. Zero gives infinity with the sign of the zero, and "
                             "infinity gives zero.",
                             "Единица, делённая на каждый элемент. Ноль даёт бесконечность со знаком этого нуля, а "
                             "бесконечность — ноль."},
                    .formula = "y = \\frac{1}{x}",
                    .why = {"Where one divisor serves a whole row, as in softmax and the norms, a single reciprocal "
                            "and many products are cheaper than many divisions. LayerNormalization hands out the "
                            "reciprocal of its deviation for that reason: the backward pass multiplies by it again.",
                            "Там, где на одно число делят целую строку, как в softmax и слоях нормализации, одна "
                            "обратная величина и много умножений дешевле множества делений. LayerNormalization поэтому "
                            "и отдаёт величину, обратную отклонению: на неё же умножает обратный проход."}},
          .samples = ops::join(
              {ops::unary_samples(0.5, 2),
               {{.name = "below_zero", .inputs = {in({2, 3, 4}, -2, -0.5)}},
                ops::exact("extremes", {4, 0, -0.0, ops::kInfinity}, {0.25, ops::kInfinity, -ops::kInfinity, 0})}}),
      },
      [](double x) { return 1 / x; });
}

}  // namespace asg::cards
