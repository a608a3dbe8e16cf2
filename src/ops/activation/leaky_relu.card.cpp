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
  ops::unary<double>(ctx, [alpha](double x) { return x > 0 ? x : alpha * x; });
}

void body(BodyContext& ctx) {
  const Tensor positive = ctx.in(0) > 0;
  ctx.output(ops::choose(positive, ctx.in(0), ctx.real("alpha") * ctx.in(0)));
}

void gradient(GradientContext& ctx) {
  const Tensor positive = ctx.in(0) > 0;
  ctx.set(0, ops::choose(positive, ctx.grad(), ctx.real("alpha") * ctx.grad()));
}

}  // namespace

OpCard card_leaky_relu() {
  return ops::unary_op({
      .name = "LeakyRelu",
      .category = Category::activation,
      .attributes = {{.name = "alpha",
                      .kind = AttrKind::real,
                      .fallback = Attr(0.01),
                      .words = {"slope below zero", "наклон ниже нуля"}}},
      .body = body,
      .kernel = kernel,
      .gradient = gradient,
      .cost = ops::cost_per_output(2),
      .onnx = {{.op = "LeakyRelu", .since = 16}},
      .torch = "torch.nn.functional.leaky_relu",
      .words = {.what = {"Keeps positive elements and multiplies the others by a small slope alpha. At zero itself the "
                         "slope is taken to be alpha.",
                         "Оставляет положительные элементы, а остальные умножает на малый наклон alpha. В самом нуле "
                         "наклон принят равным alpha."},
                .formula = "y = \\begin{cases} x & x > 0 \\\\ \\alpha x & x \\le 0 \\end{cases}",
                .why = {"A Relu that cannot die: units below zero still get a little gradient and may come back. The "
                        "discriminator of DCGAN uses it with slope 0.2, the Darknet backbone of YOLO with 0.1.",
                        "Relu, которая не умирает: нейроны ниже нуля всё же получают немного градиента и могут ожить. "
                        "В дискриминаторе DCGAN её наклон 0,2, в сети Darknet детектора YOLO — 0,1."}},
      .samples = ops::join({ops::kinked_samples(),
                            {{.name = "steeper", .inputs = {ops::both_signs()}, .attrs = {{"alpha", 0.25}}},
                             {.name = "negative_slope", .inputs = {ops::both_signs()}, .attrs = {{"alpha", -0.5}}},
                             ops::exact("kink_and_extremes", {0, -2, -ops::kInfinity, ops::kInfinity, ops::kNan},
                                        {0, -1, -ops::kInfinity, ops::kInfinity, ops::kNan}, {{"alpha", 0.5}})}}),
  });
}

}  // namespace asg::cards
