#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// Half the angle has the tangent sqrt((1 - x) / (1 + x)), which is exact at both ends.
void body(BodyContext& ctx) {
  const Tensor below = 1 - ctx.in(0);
  const Tensor above = 1 + ctx.in(0);
  ctx.output(2 * add_op("Atan", {add_op("Sqrt", {below / above})}));
}

void gradient(GradientContext& ctx) {
  const Tensor root = add_op("Sqrt", {1 - ctx.in(0) * ctx.in(0)});
  ctx.set(0, -(ctx.grad() / root));
}

}  // namespace

OpCard card_acos() {
  return ops::maths_function(
      {
          .name = "Acos",
          .body = body,
          .gradient = gradient,
          .onnx = {{.op = "Acos", .since = 7}},
          .torch = "torch.acos",
          .words =
              {.what = {"The angle between 0 and π whose cosine is x: 1 gives 0, 0 gives π/2, and -1 gives π. Numbers "
                        "outside [-1, 1] give NaN.",
                        "Угол от 0 до π, косинус которого равен x: 1 даёт 0, 0 даёт π/2, а −1 даёт π. Числа вне [−1, "
                        "1] дают NaN."},
               .formula = "y = \\arccos x",
               .why = {"The angle between two vectors is the arc cosine of their cosine similarity; ArcFace, a loss "
                       "for face recognition, adds its margin to that very angle. For nearly parallel vectors the "
                       "gradient grows without bound, so the cosine is usually clamped a little short of ±1.",
                       "Угол между двумя векторами — арккосинус их косинусного сходства; ArcFace, функция потерь для "
                       "распознавания лиц, прибавляет отступ именно к этому углу. Для почти параллельных векторов "
                       "градиент неограниченно растёт, поэтому косинус обычно не подпускают вплотную к ±1."}},
          .samples = ops::join(
              {ops::unary_samples(-0.8, 0.8),
               {ops::exact("extremes", {0, 0.5, 1, -1, -2, ops::kNan},
                           {1.5707963267948966, 1.0471975511965976, 0, 3.141592653589793, ops::kNan, ops::kNan})}}),
      },
      [](double x) { return std::acos(x); });
}

}  // namespace asg::cards
