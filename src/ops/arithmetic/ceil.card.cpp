#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) { ctx.output(-add_op("Floor", {-ctx.in(0)})); }

}  // namespace

OpCard card_ceil() {
  return ops::rounding(
      {
          .name = "Ceil",
          .scalar = ScalarOp::ceil,
          .body = body,
          .gradient_reason =
              "Ceil stays the same between two integers and jumps at them; where it has a slope, it is 0.",
          .onnx = {{.op = "Ceil", .since = 13}},
          .torch = "torch.ceil",
          .words =
              {.what = {"Rounds every element up to the nearest whole number: 1.2 becomes 2 and -1.7 becomes -1. The "
                        "dtype does not change.",
                        "Округляет каждый элемент вверх до целого: 1,2 становится 2, а −1,7 становится −1. Тип не "
                        "меняется."},
               .formula = "y = \\lceil x \\rceil",
               .why =
                   {"Counts containers: how many batches a data set fills, how many windows cover an axis when the "
                    "last one may be partly empty. Such counts steer shapes and loops, they are not learnt.",
                    "Считает, сколько нужно ёмкостей: на сколько пакетов разобьётся набор данных, сколько окон покроют "
                    "ось, если последнее заполнено лишь частично. Такие числа задают формы и циклы, их не обучают."}},
          .samples = ops::rounding_samples({1.75, -1.25, 2, -2, 0.5, -0.5}, {2, -1, 2, -2, 1, 0}),
      },
      [](double x) { return std::ceil(x); });
}

}  // namespace asg::cards
