#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/gradients.h"
#include "ops/support/near_zero.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// sqrt(|x|² + 1) with the larger of |x| and 1 taken out, so that the square cannot overflow.
void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor size = add_op("Abs", {x});
  const Tensor one = ops::scalar_like(x, 1);
  const Tensor larger = add_op("Max", {size, one});
  const Tensor smaller = add_op("Min", {size, one});
  const Tensor inverse = 1 / larger;
  const Tensor left = smaller * smaller;
  const Tensor right = inverse * inverse;
  const Tensor root = larger * add_op("Sqrt", {left + right});
  const Tensor near = ops::log1p(smaller + left / (1 + add_op("Sqrt", {1 + left})));
  const Tensor far = add_op("Log", {size + root});
  ctx.output(add_op("Sign", {x}) * ops::choose(size < 1, near, far));
}

// cosh(y) is sqrt(1 + x²), without a square that could overflow.
void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() / add_op("Cosh", {ctx.out()})); }

}  // namespace

OpCard card_asinh() {
  return ops::maths_function(
      {
          .name = "Asinh",
          .body = body,
          .gradient = gradient,
          .onnx = {{.op = "Asinh", .since = 9}},
          .torch = "torch.asinh",
          .words = {.what = {"The inverse of Sinh. It is almost x near zero and grows like the logarithm of 2|x| far "
                             "away, with the sign of x.",
                             "Функция, обратная Sinh. Около нуля почти равна x, а вдали растёт как логарифм от 2|x| и "
                             "сохраняет знак x."},
                    .formula = "y = \\operatorname{arsinh} x = \\ln(x + \\sqrt{x^{2} + 1})",
                    .why = {"A logarithm that also takes zero and negative numbers: prices, counts and returns with "
                            "long tails on both sides are compressed by it before they enter a network. Large inputs "
                            "keep their order without dominating.",
                            "Логарифм, который принимает и ноль, и отрицательные числа: цены, счётчики и доходности с "
                            "длинными хвостами в обе стороны сжимают им перед подачей в сеть. Большие входы сохраняют "
                            "порядок, но не подавляют остальные."}},
          .samples = ops::join({ops::unary_samples(-2, 2),
                                {ops::exact("extremes", {0, 1, -1, 1e300, -ops::kInfinity, ops::kNan},
                                            {0, 0.881373587019543, -0.881373587019543, 691.4686750787737,
                                             -ops::kInfinity, ops::kNan})}}),
      },
      [](double x) { return std::asinh(x); });
}

}  // namespace asg::cards
