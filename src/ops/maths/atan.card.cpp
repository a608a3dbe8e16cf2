#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() / (1 + ctx.in(0) * ctx.in(0))); }

}  // namespace

OpCard card_atan() {
  return ops::maths_function(
      {
          .name = "Atan",
          .scalar = ScalarOp::atan,
          .gradient = gradient,
          .onnx = {{.op = "Atan", .since = 7}},
          .torch = "torch.atan",
          .words = {.what = {"The angle between -π/2 and π/2 whose tangent is x. It takes every number, and infinities "
                             "give exactly the ends.",
                             "Угол от −π/2 до π/2, тангенс которого равен x. Принимает любое число, а бесконечности "
                             "дают ровно концы промежутка."},
                    .formula = "y = \\arctan x",
                    .why = {"Turns slopes into directions, and squashes like Tanh but with tails that flatten much "
                            "more slowly: its slope falls as 1/x², not exponentially. The CIoU loss of box detectors "
                            "compares the aspect ratios of two boxes by their arctangents.",
                            "Превращает наклоны в направления и сжимает подобно Tanh, но хвосты выравниваются гораздо "
                            "медленнее: наклон падает как 1/x², а не экспоненциально. В потере CIoU, по которой "
                            "обучают детекторы, через арктангенсы сравнивают пропорции двух рамок."}},
          .samples = ops::join({ops::unary_samples(-2, 2),
                                {ops::exact("extremes", {0, 1, -1, ops::kInfinity, -ops::kInfinity, ops::kNan},
                                            {0, 0.7853981633974483, -0.7853981633974483, 1.5707963267948966,
                                             -1.5707963267948966, ops::kNan})}}),
      },
      [](double x) { return std::atan(x); });
}

}  // namespace asg::cards
