#include <functional>

#include "asg/graph/card.h"
#include "ops/comparison/comparison_parts.h"

namespace asg::cards {

OpCard card_greater() {
  return ops::comparison({
      .name = "Greater",
      .scalar = ScalarOp::greater,
      .kernel = [](KernelContext& ctx) { ops::compare(ctx, std::greater<>()); },
      .onnx = {{.op = "Greater", .since = 13}},
      .torch = "torch.gt",
      .words =
          {.what = {"Tells for each place whether the first element is larger than the second, with broadcasting. "
                    "Any comparison with NaN is false.",
                    "Говорит для каждого места, больше ли первый элемент второго, с растягиванием форм. Всякое "
                    "сравнение с NaN ложно."},
           .formula = "y = (a > b)",
           .why = {"With Where it makes piecewise functions: Relu keeps x where x is greater than zero. It also turns "
                   "scores into decisions by a threshold: a detector keeps the boxes of which it is sure enough.",
                   "Вместе с Where строит кусочные функции: Relu оставляет x там, где x больше нуля. Ещё она по порогу "
                   "превращает оценки в решения: детектор оставляет рамки, в которых достаточно уверен."}},
      .samples = ops::comparison_samples({false, true, false, true, false, false}, {false, true, false}),
  });
}

}  // namespace asg::cards
