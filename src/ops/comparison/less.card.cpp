#include <functional>

#include "asg/graph/card.h"
#include "ops/comparison/comparison_parts.h"

namespace asg::cards {

OpCard card_less() {
  return ops::comparison({
      .name = "Less",
      .kernel = [](KernelContext& ctx) { ops::compare(ctx, std::less<>()); },
      .onnx = {{.op = "Less", .since = 13}},
      .torch = "torch.lt",
      .words = {.what = {"Tells for each place whether the first element is smaller than the second, with "
                         "broadcasting. Any comparison with NaN is false.",
                         "Говорит для каждого места, меньше ли первый элемент второго, с растягиванием форм. Всякое "
                         "сравнение с NaN ложно."},
                .formula = "y = (a < b)",
                .why = {"Comparing positions with a length masks the padding of a batch, and comparing random numbers "
                        "with a probability draws a dropout mask.",
                        "Сравнение номеров позиций с длиной закрывает маской заполнение в пакете, а сравнение "
                        "случайных чисел с вероятностью рисует маску dropout."}},
      .samples = ops::comparison_samples({false, false, false, false, false, false}, {false, false, true}),
  });
}

}  // namespace asg::cards
