#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) { ctx.output(ctx.in(0) / (1 + add_op("Abs", {ctx.in(0)}))); }

void gradient(GradientContext& ctx) {
  const Tensor scale = 1 + add_op("Abs", {ctx.in(0)});
  ctx.set(0, ctx.grad() / scale / scale);
}

}  // namespace

OpCard card_softsign() {
  return ops::float_function(
      {
          .name = "Softsign",
          .category = Category::activation,
          .body = body,
          .gradient = gradient,
          .cost = ops::cost_per_output(3),
          .onnx = {{.op = "Softsign", .since = 1}},
          .torch = "torch.nn.functional.softsign",
          .words = {.what = {"Squashes every element into the range from -1 to 1 by dividing it by one plus its size. "
                             "It approaches the ends slowly: 9 gives 0.9 and 99 gives 0.99. An infinity gives NaN.",
                             "Сжимает каждый элемент в промежуток от −1 до 1, деля его на единицу плюс модуль. К "
                             "концам подходит медленно: 9 даёт 0,9, а 99 даёт 0,99. Бесконечность даёт NaN."},
                    .formula = "y = \\frac{x}{1 + |x|}",
                    .why = {"A Tanh without exponentials whose ends flatten polynomially, so units that have gone far "
                            "out still get some gradient: Glorot and Bengio saw deep networks saturate less with it in "
                            "2010. It is cheap enough for hardware without an exponential.",
                            "Tanh без экспонент: концы выравниваются по степенному закону, поэтому далеко ушедшие "
                            "нейроны всё ещё получают градиент; Глоро и Бенджио в 2010 году видели, что глубокие сети "
                            "с ней насыщаются меньше. Достаточно дёшева для устройств, у которых нет экспоненты."}},
          .samples = ops::join({ops::kinked_samples(),
                                {ops::exact("kink_and_extremes", {0, 9, -99, -1e15, ops::kNan},
                                            {0, 0.9, -0.99, -0.999999999999999, ops::kNan})}}),
      },
      [](double x) { return x / (1 + std::fabs(x)); });
}

}  // namespace asg::cards
