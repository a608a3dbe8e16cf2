#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// Asked this way round, NaN stays NaN.
void kernel(KernelContext& ctx) {
  const double alpha = ctx.real("alpha");
  ops::unary<double>(ctx, [alpha](double x) { return x <= alpha ? 0 : x; });
}

template <class Context>
Tensor closed(const Context& ctx) {
  return add_op("LessOrEqual", {ctx.in(0), ops::scalar_like(ctx.in(0), ctx.real("alpha"))});
}

void body(BodyContext& ctx) { ctx.output(ops::zero_where(closed(ctx), ctx.in(0))); }

void gradient(GradientContext& ctx) { ctx.set(0, ops::zero_where(closed(ctx), ctx.grad())); }

}  // namespace

OpCard card_thresholded_relu() {
  return ops::unary_op({
      .name = "ThresholdedRelu",
      .category = Category::activation,
      .attributes = {{.name = "alpha",
                      .kind = AttrKind::real,
                      .fallback = Attr(1.0),
                      .words = {"the threshold; only what is larger passes", "порог; проходит только то, что больше"}}},
      .body = body,
      .kernel = kernel,
      .gradient = gradient,
      .onnx = {{.op = "ThresholdedRelu", .since = 10}},
      .torch = "torch.nn.functional.threshold",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Passes elements above the threshold alpha unchanged and replaces the others by zero. Unlike "
                    "Relu it jumps: just above the threshold the output is alpha, not zero.",
                    "Пропускает элементы выше порога alpha без изменений, остальные заменяет нулём. В отличие от "
                    "Relu делает скачок: сразу за порогом выход равен alpha, а не нулю."},
           .formula = "y = \\begin{cases} x & x > \\alpha \\\\ 0 & x \\le \\alpha \\end{cases}",
           .why =
               {"Lets only strong activations through, which makes codes sparse: autoencoders trained with it need no "
                "biases to switch their units off. The jump gives no gradient, so the threshold itself is not learnt.",
                "Пропускает только сильные активации и делает коды разреженными: автокодировщикам с ней не нужны "
                "смещения, чтобы выключать нейроны. Скачок градиента не даёт, поэтому сам порог не обучается."}},
      .samples =
          ops::join({ops::unary_samples(1.2, 2),
                     {{.name = "both_sides", .inputs = {in_exact(ops::reals({-2, 0.5, 0.9, 1.1, 1.7, 3}))}},
                      {.name = "lower_threshold", .inputs = {ops::both_signs()}, .attrs = {{"alpha", -0.42}}},
                      ops::exact("threshold_and_extremes", {2, 2.5, -1, ops::kInfinity, -ops::kInfinity, ops::kNan},
                                 {0, 2.5, 0, ops::kInfinity, 0, ops::kNan}, {{"alpha", 2.0}})}}),
  });
}

}  // namespace asg::cards
