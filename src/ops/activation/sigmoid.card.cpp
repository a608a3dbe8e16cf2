#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) { ctx.output(1 / (1 + add_op("Exp", {-ctx.in(0)}))); }

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() * (ctx.out() * (1 - ctx.out()))); }

}  // namespace

OpCard card_sigmoid() {
  return ops::float_function(
      {
          .name = "Sigmoid",
          .category = Category::activation,
          .scalar = ScalarOp::sigmoid,
          .body = body,
          .gradient = gradient,
          .cost = ops::cost_per_output(ops::kTranscendental + 3),
          .onnx = {{.op = "Sigmoid", .since = 13}},
          .torch = "torch.sigmoid",
          .words =
              {.what = {"Squashes every element into the range from 0 to 1: one half at zero, towards 1 for large "
                        "numbers, towards 0 for very negative ones. It is computed so that neither end overflows.",
                        "Сжимает каждый элемент в промежуток от 0 до 1: в нуле половина, для больших чисел почти 1, "
                        "для сильно отрицательных почти 0. Считается так, что ни на одном конце нет переполнения."},
               .formula = "y = \\frac{1}{1 + e^{-x}}",
               .why = {"Turns a score into the probability of yes, and opens and closes the gates of LSTM and GRU. Its "
                       "slope is at most one quarter and vanishes at both ends, so long chains of it hardly learn.",
                       "Превращает оценку в вероятность ответа «да», открывает и закрывает вентили LSTM и GRU. Наклон "
                       "не больше четверти и на концах исчезает, поэтому длинные цепочки из неё почти не учатся."}},
          .samples = ops::join(
              {ops::unary_samples(-2, 2),
               {ops::exact("extremes", {0, 1, -1000, 1000, ops::kNan}, {0.5, 0.7310585786300049, 0, 1, ops::kNan})}}),
      },
      ops::sigmoid);
}

}  // namespace asg::cards
