#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/kernels.h"
#include "ops/support/near_zero.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor tail = add_op("Exp", {-add_op("Abs", {ctx.in(0)})});
  ctx.output(add_op("Relu", {ctx.in(0)}) + ops::log1p(tail));
}

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() * add_op("Sigmoid", {ctx.in(0)})); }

}  // namespace

OpCard card_softplus() {
  return ops::float_function(
      {
          .name = "Softplus",
          .category = Category::activation,
          .body = body,
          .gradient = gradient,
          .cost = ops::cost_per_output(2 * ops::kTranscendental + 7),
          .onnx = {{.op = "Softplus", .since = 1}},
          .torch = "torch.nn.functional.softplus",
          .words =
              {.what = {"A Relu with a rounded corner: near zero for negative elements, near x for positive ones, "
                        "never negative. It is computed so that large numbers do not overflow.",
                        "Relu со скруглённым углом: около нуля для отрицательных элементов, около x для положительных, "
                        "нигде не отрицательна. Считается так, что на больших числах нет переполнения."},
               .formula = "y = \\ln(1 + e^{x})",
               .why = {"Makes a quantity that must be positive: the standard deviation in a variational autoencoder, "
                       "the step size of a Mamba block. Its derivative is the sigmoid, and binary cross-entropy on "
                       "logits is built from it.",
                       "Даёт величину, которая обязана быть положительной: стандартное отклонение в вариационном "
                       "автокодировщике, размер шага в блоке Mamba. Её производная — сигмоида, и из неё строится "
                       "двоичная перекрёстная энтропия на логитах."}},
          .samples = ops::join({ops::unary_samples(-2, 2),
                                {ops::exact("extremes", {0, -1000, 1000, ops::kInfinity, ops::kNan},
                                            {0.6931471805599453, 0, 1000, ops::kInfinity, ops::kNan})}}),
      },
      ops::softplus);
}

}  // namespace asg::cards
