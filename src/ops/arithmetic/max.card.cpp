#include "asg/graph/card.h"
#include "ops/arithmetic/extreme_parts.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() { ops::fold_inputs<T>(ctx, ops::larger<T>); });
}

}  // namespace

OpCard card_max() {
  return ops::extreme_op(
      {
          .name = "Max",
          .scalar = ScalarOp::max,
          .infer = ops::infer_known_broadcast([](const Dim& a, const Dim& b) { return max(a, b); }),
          .kernel = kernel,
          .onnx = {{.op = "Max", .since = 13}},
          .torch = "torch.maximum",
          .words =
              {.what =
                   {"The largest of the inputs at each place, with broadcasting; with one input, that input. NaN wins "
                    "over every number. The gradient goes to the input that was chosen, to the first of them when "
                    "several are equal.",
                    "Наибольший из входов на каждом месте, с растягиванием форм; если вход один, то он сам. NaN "
                    "побеждает любое число. Градиент идёт к выбранному входу, а при равенстве — к первому из равных."},
               .formula = "y = \\max(x_{1}, \\ldots, x_{n})",
               .why =
                   {"Relu is the maximum of x and 0, and maxout units learn which of several linear pieces to use. A "
                    "margin loss is the maximum of a violation and zero, so that satisfied examples cost nothing.",
                    "Relu — это максимум из x и 0, а блоки maxout учатся выбирать один из нескольких линейных кусков. "
                    "Потеря с зазором — максимум из нарушения границы и нуля, поэтому примеры, которые и так соблюдают "
                    "границу, ничего не стоят."}},
          .samples = ops::extreme_samples({2, -2, 3}, {1, ops::kNan, ops::kNan, 0, ops::kInfinity}),
      },
      "Greater");
}

}  // namespace asg::cards
