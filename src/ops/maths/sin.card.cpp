#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::unary<double>(ctx, [](double x) { return std::sin(x); });
}

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() * add_op("Cos", {ctx.in(0)})); }

}  // namespace

OpCard card_sin() {
  return {
      .name = "Sin",
      .category = Category::maths,
      .inputs = ops::x_port(),
      .outputs = ops::y_port(),
      .traits = {.elementwise = true},
      .infer = ops::infer_same,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(ops::kTranscendental),
      .onnx = {{.op = "Sin", .since = 7}},
      .torch = "torch.sin",
      .words = {.what = {"The sine of every element, in radians. Infinity gives NaN.",
                         "Синус каждого элемента в радианах. Бесконечность даёт NaN."},
                .formula = "y = \\sin x",
                .why = {"Together with the cosine it encodes positions: waves of many lengths give every place "
                        "of a sequence its own pattern, and a shift is a rotation of that pattern. Networks that "
                        "fit pictures and sounds use it as an activation.",
                        "Вместе с косинусом кодирует позиции: волны разной длины дают каждому месту "
                        "последовательности свой узор, а сдвиг — это поворот узора. В сетях, подгоняющих "
                        "картинки и звуки, служит активацией."}},
      .samples = ops::join(
          {ops::unary_samples(-3, 3),
           {ops::exact("extremes", {0, 1.5707963267948966, ops::kInfinity, ops::kNan}, {0, 1, ops::kNan, ops::kNan})}}),
      .bad_samples = {ops::refuse_integers()},
  };
}

}  // namespace asg::cards
