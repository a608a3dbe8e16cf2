#include <cstdint>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  if (ctx.in(0).dtype() == DType::f64) return ops::unary<double>(ctx, [](double x) { return ops::larger(0.0, x); });
  ops::unary<std::int64_t>(ctx, [](std::int64_t x) { return x > 0 ? x : 0; });
}

void body(BodyContext& ctx) { ctx.output(add_op("Max", {ctx.in(0), ops::scalar_like(ctx.in(0), 0)})); }

void gradient(GradientContext& ctx) { ctx.set(0, ops::where_or_zero(ctx.in(0) > 0, ctx.grad())); }

}  // namespace

OpCard card_relu() {
  return ops::unary_op(
      {
          .name = "Relu",
          .category = Category::activation,
          .body = body,
          .kernel = kernel,
          .gradient = gradient,
          .onnx = {{.op = "Relu", .since = 14}},
          .torch = "torch.nn.functional.relu",
          .tolerance = ops::kExact,
          .words = {.what = {"Keeps positive elements and replaces the others by zero; NaN stays NaN. The slope is 1 "
                             "above zero and 0 below; at zero itself it is taken to be 0.",
                             "Оставляет положительные элементы, остальные заменяет нулём; NaN остаётся NaN. Наклон "
                             "равен 1 выше нуля и 0 ниже; в самом нуле он принят равным 0."},
                    .formula = "y = \\max(x, 0)",
                    .why = {"The plain activation that made deep networks trainable: it costs next to nothing and does "
                            "not flatten the gradient of active units, and the authors of AlexNet saw networks learn "
                            "several times faster with it than with Tanh. A unit that is negative for every example "
                            "gets no gradient and stays dead, which LeakyRelu and Elu mend.",
                            "Простая активация, с которой глубокие сети стали учиться: почти ничего не стоит и не "
                            "гасит градиент активных нейронов, и авторы AlexNet увидели, что сети с ней учатся в "
                            "несколько раз быстрее, чем с Tanh. Нейрон, отрицательный на всех примерах, градиента не "
                            "получает и остаётся мёртвым; это лечат LeakyRelu и Elu."}},
          .samples = ops::join({ops::kinked_samples(),
                                {{.name = "integers",
                                  .inputs = {in_ints({3}, {-5, 0, 7})},
                                  .gradient = false,
                                  .expected = {Array::ints({0, 0, 7})}},
                                 ops::exact("kink_and_extremes", {0, -1, ops::kInfinity, -ops::kInfinity, ops::kNan},
                                            {0, 0, ops::kInfinity, 0, ops::kNan})}}),
      },
      kSigned);
}

}  // namespace asg::cards
