#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() * ctx.out()); }

}  // namespace

OpCard card_exp() {
  return ops::maths_function(
      {
          .name = "Exp",
          .gradient = gradient,
          .onnx = {{.op = "Exp", .since = 13}},
          .torch = "torch.exp",
          .words =
              {.what = {"Raises e = 2.718… to the power of every element. It is its own derivative. Above about 88 the "
                        "result overflows in f32, above about 709 in f64.",
                        "Возводит e = 2,718… в степень каждого элемента. Это своя собственная производная. Выше "
                        "примерно 88 результат переполняется в f32, выше 709 — в f64."},
               .formula = "y = e^{x}",
               .why =
                   {"It turns any number into a positive one and sums into products, so it stands in softmax, sigmoid "
                    "and every likelihood. Since it overflows early, the maximum is subtracted first.",
                    "Превращает любое число в положительное, а суммы в произведения, поэтому стоит в softmax, сигмоиде "
                    "и во всяком правдоподобии. Переполняется она рано, поэтому сначала вычитают максимум."}},
          .samples = ops::join({ops::unary_samples(-1.5, 1.5),
                                {ops::exact("extremes", {0, 1, -ops::kInfinity, 1000, ops::kNan},
                                            {1, 2.718281828459045, 0, ops::kInfinity, ops::kNan})}}),
      },
      [](double x) { return std::exp(x); });
}

}  // namespace asg::cards
