#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  const double alpha = ctx.real("alpha");
  ops::unary<double>(ctx, [alpha](double x) { return x > 0 ? x : alpha * std::expm1(x); });
}

// The exponent is held at 0 where x is positive, so that no infinity arises in the branch that is not chosen.
void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor below = add_op("Min", {x, ops::scalar_like(x, 0)});
  ctx.output(ops::choose(x > 0, x, ctx.real("alpha") * (add_op("Exp", {below}) - 1)));
}

// Below zero the slope alpha * exp(x) is y + alpha.
void gradient(GradientContext& ctx) {
  const Tensor& x = ctx.in(0);
  ctx.set(0, ctx.grad() * ops::choose(x > 0, ops::scalar_like(x, 1), ctx.out() + ctx.real("alpha")));
}

}  // namespace

OpCard card_elu() {
  return {
      .name = "Elu",
      .category = Category::activation,
      .inputs = ops::x_port(),
      .outputs = ops::y_port(),
      .attributes = {{.name = "alpha",
                      .kind = AttrKind::real,
                      .fallback = Attr(1.0),
                      .words = {"The floor: very negative elements tend to -alpha.",
                                "Пол: сильно отрицательные элементы стремятся к −alpha."}}},
      .traits = {.elementwise = true},
      .infer = ops::infer_same,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(ops::kTranscendental + 2),
      .onnx = {{.op = "Elu", .since = 6}},
      .torch = "torch.nn.functional.elu",
      .words =
          {.what =
               {"Keeps positive elements; below zero it bends exponentially towards the floor -alpha. With alpha = 1 "
                "the slope has no jump at zero.",
                "Оставляет положительные элементы; ниже нуля экспоненциально загибается к полу −alpha. При alpha = 1 "
                "наклон в нуле не имеет скачка."},
           .formula = "y = \\begin{cases} x & x > 0 \\\\ \\alpha (e^{x} - 1) & x \\le 0 \\end{cases}",
           .why =
               {"Negative outputs pull the mean of the activations towards zero, which speeds up learning, and units "
                "below zero keep a gradient. The floor makes it robust to very negative inputs.",
                "Отрицательные выходы тянут среднее активаций к нулю, что ускоряет обучение, а нейроны ниже нуля "
                "сохраняют градиент. Пол делает её устойчивой к сильно отрицательным входам."}},
      .samples = ops::join({ops::kinked_samples(),
                            {{.name = "lower_floor", .inputs = {ops::both_signs()}, .attrs = {{"alpha", 2.5}}},
                             ops::exact("kink_and_extremes", {0, -1, -1000, 1000, ops::kNan},
                                        {0, -0.31606027941427883, -0.5, 1000, ops::kNan}, {{"alpha", 0.5}})}}),
      .bad_samples = {ops::refuse_integers()},
  };
}

}  // namespace asg::cards
