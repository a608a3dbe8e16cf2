#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/gradients.h"
#include "ops/support/near_zero.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// Half the logarithm of (1 + x) / (1 - x), which is 1 + 2x / (1 - x).
void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor size = add_op("Abs", {x});
  const Tensor small = add_op("Min", {size, ops::scalar_like(x, 0.5)});
  const Tensor near = add_op("Sign", {x}) * ops::log1p(2 * small / (1 - small));
  const Tensor far = add_op("Log", {(1 + x) / (1 - x)});
  ctx.output(0.5 * ops::choose(size < 0.5, near, far));
}

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() / (1 - ctx.in(0) * ctx.in(0))); }

}  // namespace

OpCard card_atanh() {
  return ops::maths_function(
      {
          .name = "Atanh",
          .body = body,
          .gradient = gradient,
          .onnx = {{.op = "Atanh", .since = 9}},
          .torch = "torch.atanh",
          .words = {.what = {"The inverse of Tanh: stretches the range from -1 to 1 over all numbers. The ends give "
                             "infinities, and what lies outside gives NaN.",
                             "Функция, обратная Tanh: растягивает промежуток от −1 до 1 на все числа. Концы дают "
                             "бесконечности, а то, что снаружи, — NaN."},
                    .formula = "y = \\operatorname{artanh} x = \\frac{1}{2} \\ln \\frac{1 + x}{1 - x}",
                    .why = {"Policies that squash their actions with Tanh, as in Soft Actor-Critic, need it to find "
                            "the likelihood of an action that was taken. For correlations it is Fisher's transform, "
                            "which makes their errors nearly normal.",
                            "Стратегиям, которые сжимают действия через Tanh, как в Soft Actor-Critic, она нужна, "
                            "чтобы найти правдоподобие уже сделанного действия. Для корреляций это преобразование "
                            "Фишера, после которого их ошибки распределены почти нормально."}},
          .samples =
              ops::join({ops::unary_samples(-0.8, 0.8),
                         {ops::exact("extremes", {0, 0.5, 1, -1, 2, ops::kNan},
                                     {0, 0.5493061443340549, ops::kInfinity, -ops::kInfinity, ops::kNan, ops::kNan})}}),
      },
      [](double x) { return std::atanh(x); });
}

}  // namespace asg::cards
