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
          .scalar = ScalarOp::exp,
          .gradient = gradient,
          .onnx = {{.op = "Exp", .since = 13}},
          .torch = "torch.exp",
          .words =
              {.what = {"Raises e = 2.718… to the power of every element; the function is its own derivative. Above "
                        "about 88 the result overflows to infinity in f32, above about 709 in f64; large negative "
                        "numbers give 0.",
                        "Возводит e = 2,718… в степень каждого элемента; производная равна самой функции. Выше "
                        "примерно 88 в f32 и примерно 709 в f64 результат переполняется и становится бесконечностью, а "
                        "большие отрицательные числа дают 0."},
               .formula = "y = e^{x}",
               .why =
                   {"It turns any number into a positive one and sums into products, so it stands in softmax, sigmoid "
                    "and every likelihood. Since it overflows early, softmax subtracts the largest score first.",
                    "Превращает любое число в положительное, а суммы — в произведения, поэтому стоит в softmax, "
                    "сигмоиде и в любом правдоподобии. Переполняется она рано, и softmax сначала вычитает наибольшую "
                    "оценку."}},
          .samples = ops::join({ops::unary_samples(-1.5, 1.5),
                                {ops::exact("extremes", {0, 1, -ops::kInfinity, 1000, ops::kNan},
                                            {1, 2.718281828459045, 0, ops::kInfinity, ops::kNan})}}),
      },
      [](double x) { return std::exp(x); });
}

}  // namespace asg::cards
