#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// Two roots instead of one of x² - 1, whose square could overflow.
void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor low = add_op("Sqrt", {x - 1});
  const Tensor high = add_op("Sqrt", {x + 1});
  ctx.output(add_op("Log", {x + low * high}));
}

// sinh(y) is sqrt(x² - 1), without a square that could overflow.
void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() / add_op("Sinh", {ctx.out()})); }

}  // namespace

OpCard card_acosh() {
  return ops::maths_function(
      {
          .name = "Acosh",
          .body = body,
          .gradient = gradient,
          .onnx = {{.op = "Acosh", .since = 9}},
          .torch = "torch.acosh",
          .words = {.what = {"The inverse of Cosh, with results of at least 0. Numbers below 1 have none and give NaN; "
                             "at 1 the slope is infinite.",
                             "Функция, обратная Cosh; результат не меньше 0. Для чисел меньше 1 обратного значения "
                             "нет, и получается NaN; в точке 1 наклон бесконечен."},
                    .formula = "y = \\operatorname{arcosh} x = \\ln(x + \\sqrt{x^{2} - 1})",
                    .why = {"The distance between two points of hyperbolic space is an Acosh of an expression in their "
                            "coordinates, so Poincaré embeddings of hierarchies train through it. Equal points sit "
                            "exactly at 1, where only a small offset keeps the gradient finite.",
                            "Расстояние между двумя точками гиперболического пространства — Acosh от выражения с их "
                            "координатами, и через неё обучаются эмбеддинги Пуанкаре для иерархий. Совпавшие точки "
                            "попадают ровно в 1, где градиент остаётся конечным лишь благодаря малой добавке."}},
          .samples = ops::join(
              {ops::unary_samples(1.2, 3),
               {ops::exact("extremes", {1, 2, 0.5, 1e300, ops::kInfinity, ops::kNan},
                           {0, 1.3169578969248168, ops::kNan, 691.4686750787737, ops::kInfinity, ops::kNan})}}),
      },
      [](double x) { return std::acosh(x); });
}

}  // namespace asg::cards
