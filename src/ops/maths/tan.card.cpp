#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor sine = add_op("Sin", {ctx.in(0)});
  ctx.output(sine / add_op("Cos", {ctx.in(0)}));
}

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() * (1 + ctx.out() * ctx.out())); }

}  // namespace

OpCard card_tan() {
  return ops::maths_function(
      {
          .name = "Tan",
          .body = body,
          .gradient = gradient,
          .onnx = {{.op = "Tan", .since = 7}},
          .torch = "torch.tan",
          .words =
              {.what = {"The tangent of every element, in radians: sine over cosine. It climbs without bound towards "
                        "odd multiples of π/2 and starts again from minus infinity behind them.",
                        "Тангенс каждого элемента в радианах: синус, делённый на косинус. Перед нечётными кратными π/2 "
                        "он неограниченно растёт, а за ними начинается снова от минус бесконечности."},
               .formula = "y = \\tan x = \\frac{\\sin x}{\\cos x}",
               .why = {"Turns an angle into a slope, as geometry in the model needs: rays of a camera, directions of a "
                       "robot's joints. Its slope 1 + y² explodes near the poles, so angles are usually kept well "
                       "inside (-π/2, π/2).",
                       "Превращает угол в наклон, что нужно для геометрии внутри модели: лучей камеры, направлений в "
                       "суставах робота. Около полюсов производная 1 + y² взрывается, поэтому углы обычно держат "
                       "подальше от ±π/2."}},
          .samples = ops::join({ops::unary_samples(-1.2, 1.2),
                                {ops::exact("extremes", {0, 1, -1, 0.7853981633974483, ops::kInfinity, ops::kNan},
                                            {0, 1.557407724654902, -1.557407724654902, 1, ops::kNan, ops::kNan})}}),
      },
      [](double x) { return std::tan(x); });
}

}  // namespace asg::cards
