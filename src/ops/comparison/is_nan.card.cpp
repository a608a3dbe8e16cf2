#include <cmath>

#include "asg/graph/card.h"
#include "ops/comparison/comparison_parts.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::unary<double, bool>(ctx, [](double x) { return std::isnan(x); });
}

// NaN is the one value that differs from itself.
void body(BodyContext& ctx) { ctx.output(add_op("Not", {add_op("Equal", {ctx.in(0), ctx.in(0)})})); }

}  // namespace

OpCard card_is_nan() {
  return ops::question({
      .name = "IsNaN",
      .scalar = ScalarOp::is_nan,
      .body = body,
      .kernel = kernel,
      .onnx = {{.op = "IsNaN", .since = 13}},
      .torch = "torch.isnan",
      .words =
          {.what = {"True where an element is NaN, the mark of a computation without an answer such as 0/0 or the "
                    "logarithm of a negative number. Infinities are numbers here.",
                    "Истина там, где элемент — NaN, знак вычисления без ответа вроде 0/0 или логарифма отрицательного "
                    "числа. Бесконечности здесь считаются числами."},
           .formula = "y = (x \\ne x)",
           .why =
               {"One NaN in a batch poisons every weight at the next step, so training loops look for it before they "
                "commit an update. In data it often marks what was not measured, and the mask says where to fill in.",
                "Один NaN в пакете на следующем шаге отравит все веса, поэтому цикл обучения ищет его, прежде чем "
                "принять обновление. В данных он часто обозначает то, чего не измерили, и маска показывает, где "
                "заполнить пропуски."}},
      .samples = ops::question_samples({0, ops::kNan, ops::kInfinity, -ops::kInfinity, -ops::kNan},
                                       {false, true, false, false, true}),
  });
}

}  // namespace asg::cards
