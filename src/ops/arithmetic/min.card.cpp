#include "asg/graph/card.h"
#include "ops/arithmetic/extreme_parts.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() { ops::fold_inputs<T>(ctx, ops::smaller<T>); });
}

}  // namespace

OpCard card_min() {
  return ops::extreme_op(
      {
          .name = "Min",
          .scalar = ScalarOp::min,
          .infer = ops::infer_known_broadcast([](const Dim& a, const Dim& b) { return min(a, b); }),
          .kernel = kernel,
          .onnx = {{.op = "Min", .since = 13}},
          .torch = "torch.minimum",
          .words =
              {.what =
                   {"The smallest of the inputs at each place, with broadcasting; with one input, that input. NaN wins "
                    "over every number. The gradient goes to the input that was chosen, to the first of them when "
                    "several are equal.",
                    "Наименьший из входов на каждом месте, с растягиванием форм; если вход один, то он сам. NaN "
                    "побеждает любое число. Градиент идёт к выбранному входу, а при равенстве — к первому из равных."},
               .formula = "y = \\min(x_{1}, \\ldots, x_{n})",
               .why =
                   {"Keeps a quantity below a ceiling: the loss of PPO takes the smaller of a clipped and an unclipped "
                    "estimate, so that a lucky batch does not carry the policy too far. Only the branch that was "
                    "chosen learns.",
                    "Держит величину под потолком: потеря PPO берёт меньшую из двух оценок, обрезанной и необрезанной, "
                    "чтобы удачный пакет не увёл стратегию слишком далеко. Учится только та ветвь, которую выбрали."}},
          .samples = ops::extreme_samples({1, -5, 3}, {1, ops::kNan, ops::kNan, -ops::kInfinity, 2}),
      },
      "Less");
}

}  // namespace asg::cards
