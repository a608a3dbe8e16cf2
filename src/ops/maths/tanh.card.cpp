#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() * (1 - ctx.out() * ctx.out())); }

}  // namespace

OpCard card_tanh() {
  return ops::maths_function(
      {
          .name = "Tanh",
          .gradient = gradient,
          .onnx = {{.op = "Tanh", .since = 13}},
          .torch = "torch.tanh",
          .words =
              {.what =
                   {"Squashes every element into the range from -1 to 1, with slope 1 at zero. Far from zero it is "
                    "flat.",
                    "Сжимает каждый элемент в промежуток от −1 до 1, с наклоном 1 в нуле. Вдали от нуля она плоская."},
               .formula = "y = \\tanh x = \\frac{e^{x} - e^{-x}}{e^{x} + e^{-x}}",
               .why =
                   {"An activation centred on zero, usual in recurrent networks, where it keeps the state bounded. On "
                    "its flat ends the gradient dies, which is why deep feed-forward networks prefer Relu and its kin.",
                    "Активация с центром в нуле, обычная в рекуррентных сетях, где держит состояние в границах. На "
                    "плоских концах градиент гаснет, поэтому глубокие сети прямого хода предпочитают Relu и её "
                    "родню."}},
          .samples = ops::join(
              {ops::unary_samples(-1.5, 1.5),
               {ops::exact("extremes", {0, 1000, -1000, ops::kInfinity, ops::kNan}, {0, 1, -1, 1, ops::kNan})}}),
      },
      [](double x) { return std::tanh(x); });
}

}  // namespace asg::cards
