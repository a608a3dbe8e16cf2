#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

double mish(double x) { return x * std::tanh(ops::softplus(x)); }

// The share of x that passes, between 0 and 1.
Tensor gate_of(const Tensor& x) { return add_op("Tanh", {add_op("Softplus", {x})}); }

void body(BodyContext& ctx) { ctx.output(ctx.in(0) * gate_of(ctx.in(0))); }

// gate + x * gate', where gate' = (1 - gate²) * sigmoid(x)
void gradient(GradientContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor gate = gate_of(x);
  const Tensor flat = 1 - gate * gate;
  const Tensor gate_slope = flat * add_op("Sigmoid", {x});
  ctx.set(0, ctx.grad() * (gate + x * gate_slope));
}

}  // namespace

OpCard card_mish() {
  return ops::float_function(
      {
          .name = "Mish",
          .category = Category::activation,
          .body = body,
          .gradient = gradient,
          .cost = ops::cost_per_output(3 * ops::kTranscendental + 4),
          .onnx = {{.op = "Mish", .since = 18}},
          .torch = "torch.nn.functional.mish",
          .words =
              {.what = {"Multiplies every element by the Tanh of its Softplus. It passes large numbers, sends very "
                        "negative ones to zero and dips to about -0.31 in between.",
                        "Умножает каждый элемент на Tanh от его Softplus. Большие числа проходят, сильно отрицательные "
                        "уходят в ноль, а между ними есть впадина примерно до −0,31."},
               .formula = "y = x \\tanh(\\ln(1 + e^{x}))",
               .why =
                   {"A smooth rival of Silu, known from the YOLOv4 detector. It often gains a little accuracy but "
                    "costs three transcendental functions per element, which fusion into one kernel makes bearable.",
                    "Гладкая соперница Silu, известная по детектору YOLOv4. Часто даёт чуть большую точность, но "
                    "требует трёх трансцендентных функций на элемент; слияние в одно ядро делает эту цену терпимой."}},
          .samples = ops::join({ops::unary_samples(-2, 2),
                                {ops::exact("extremes", {0, 1, -1, 30, -1000, 1000, ops::kNan},
                                            {0, 0.8650983882673103, -0.30340146137410895, 30, 0, 1000, ops::kNan})}}),
      },
      mish);
}

}  // namespace asg::cards
