#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  const double alpha = ctx.real("alpha");
  const double beta = ctx.real("beta");
  ops::unary<double>(ctx, [=](double x) { return ops::smaller(1.0, ops::larger(0.0, alpha * x + beta)); });
}

template <class Context>
Tensor line(const Context& ctx) {
  return ctx.real("alpha") * ctx.in(0) + ctx.real("beta");
}

void body(BodyContext& ctx) {
  const Tensor straight = line(ctx);
  const Tensor zero = ops::scalar_like(straight, 0);
  ctx.output(add_op("Clip", {straight, zero, ops::scalar_like(straight, 1)}));
}

// On the flat ends, and at their corners, the slope is 0.
void gradient(GradientContext& ctx) {
  const Tensor straight = line(ctx);
  const Tensor above = straight > 0;
  const Tensor inside = add_op("And", {above, straight < 1});
  ctx.set(0, ops::where_or_zero(inside, ctx.real("alpha") * ctx.grad()));
}

}  // namespace

OpCard card_hard_sigmoid() {
  return ops::unary_op({
      .name = "HardSigmoid",
      .category = Category::activation,
      .attributes = {{.name = "alpha",
                      .kind = AttrKind::real,
                      .fallback = Attr(0.2),
                      .words = {"slope of the middle piece", "наклон среднего куска"}},
                     {.name = "beta",
                      .kind = AttrKind::real,
                      .fallback = Attr(0.5),
                      .words = {"value at zero", "значение в нуле"}}},
      .body = body,
      .kernel = kernel,
      .gradient = gradient,
      .cost = ops::cost_per_output(4),
      .onnx = {{.op = "HardSigmoid", .since = 6}},
      .torch = "torch.nn.functional.hardsigmoid",
      .peer_differences = {{{"corners_and_extremes"}, "at the corners the slope is 0; PyTorch takes that of the line"}},
      .words = {.what = {"A Sigmoid made of three straight pieces: 0, then a line of slope alpha through beta at zero, "
                         "then 1. Its corners and flat ends get no gradient.",
                         "Сигмоида из трёх прямых кусков: 0, затем прямая с наклоном alpha, равная beta в нуле, затем "
                         "1. Углы и плоские концы градиента не получают."},
                .formula = "y = \\max(0, \\min(1, \\alpha x + \\beta))",
                .why = {"Gates that must be cheap use it: MobileNetV3 with slope 1/6, older recurrent layers with 0.2. "
                        "It needs no exponential and can be quantised exactly.",
                        "Нужна вентилям, которые обязаны быть дешёвыми: в MobileNetV3 с наклоном 1/6, в старых "
                        "рекуррентных слоях с 0,2. Обходится без экспоненты и точно квантуется."}},
      .samples =
          ops::join({ops::unary_samples(-2, 2),
                     {{.name = "flat_on_both_sides", .inputs = {in_exact(ops::reals({-4, -2.6, -1, 1.5, 2.6, 5}))}},
                      {.name = "steeper", .inputs = {in({2, 3}, -0.5, 0.5)}, .attrs = {{"alpha", 0.75}}},
                      {.name = "raised", .inputs = {in({2, 3}, -2, 1)}, .attrs = {{"beta", 0.6}}},
                      ops::exact("corners_and_extremes", {-0.5, 1.5, 0, 1000, -ops::kInfinity, ops::kNan},
                                 {0, 1, 0.25, 1, 0, ops::kNan}, {{"alpha", 0.5}, {"beta", 0.25}})}}),
  });
}

}  // namespace asg::cards
