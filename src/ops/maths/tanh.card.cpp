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
          .scalar = ScalarOp::tanh,
          .gradient = gradient,
          .onnx = {{.op = "Tanh", .since = 13}},
          .torch = "torch.tanh",
          .words = {.what = {"Squashes every element into the range from -1 to 1 and keeps its sign; the slope is 1 at "
                             "zero. Beyond about ±3 it is nearly flat, and infinities give exactly ±1.",
                             "Сжимает каждый элемент в промежуток от −1 до 1, сохраняя знак; в нуле наклон равен 1. "
                             "Примерно за ±3 функция почти плоская, а бесконечности дают ровно ±1."},
                    .formula = "y = \\tanh x = \\frac{e^{x} - e^{-x}}{e^{x} + e^{-x}}",
                    .why = {"An activation centred on zero: an LSTM forms its candidate and shows its cell through it, "
                            "which keeps the state bounded. On its flat ends the gradient dies, which is why deep "
                            "feed-forward networks prefer Relu and its kin.",
                            "Функция активации с центром в нуле: через неё LSTM формирует кандидата и показывает "
                            "ячейку, и состояние остаётся ограниченным. На плоских концах градиент гаснет, поэтому "
                            "глубокие сети прямого распространения предпочитают Relu и её родственников."}},
          .samples = ops::join(
              {ops::unary_samples(-1.5, 1.5),
               {ops::exact("extremes", {0, 1000, -1000, ops::kInfinity, ops::kNan}, {0, 1, -1, 1, ops::kNan})}}),
      },
      [](double x) { return std::tanh(x); });
}

}  // namespace asg::cards
