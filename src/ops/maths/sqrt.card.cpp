#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void gradient(GradientContext& ctx) { ctx.set(0, 0.5 * ctx.grad() / ctx.out()); }

}  // namespace

OpCard card_sqrt() {
  return ops::maths_function(
      {
          .name = "Sqrt",
          .scalar = ScalarOp::sqrt,
          .gradient = gradient,
          .cost = ops::cost_per_output(4),
          .onnx = {{.op = "Sqrt", .since = 13}},
          .torch = "torch.sqrt",
          .words =
              {.what = {"The square root of every element; negative ones give NaN. The slope grows without bound "
                        "towards zero, where it is infinite.",
                        "Квадратный корень каждого элемента; отрицательные дают NaN. При приближении к нулю наклон "
                        "неограниченно растёт, а в нуле бесконечен."},
               .formula = "y = \\sqrt{x}",
               .why =
                   {"A standard deviation is the root of a variance, a length the root of a sum of squares. Adam "
                    "divides by the root of the averaged squared gradient, and attention by the root of the head size.",
                    "Стандартное отклонение — корень из дисперсии, длина вектора — корень из суммы квадратов. Adam "
                    "делит на корень из усреднённого квадрата градиента, внимание — на корень из размера головы."}},
          .samples =
              ops::join({ops::unary_samples(0.5, 3),
                         {ops::exact("extremes", {0, 4, -1, ops::kInfinity}, {0, 2, ops::kNan, ops::kInfinity})}}),
      },
      [](double x) { return std::sqrt(x); });
}

}  // namespace asg::cards
