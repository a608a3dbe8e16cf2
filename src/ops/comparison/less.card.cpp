#include <functional>

#include "asg/graph/card.h"
#include "ops/comparison/comparison_parts.h"

namespace asg::cards {

OpCard card_less() {
  return ops::comparison({
      .name = "Less",
      .scalar = ScalarOp::less,
      .kernel = [](KernelContext& ctx) { ops::compare(ctx, std::less<>()); },
      .onnx = {{.op = "Less", .since = 13}},
      .torch = "torch.lt",
      .words = {.what = {"Tells for each place whether the first element is smaller than the second, with "
                         "broadcasting. Any comparison with NaN is false.",
                         "Говорит для каждого места, меньше ли первый элемент второго, с растягиванием форм. Всякое "
                         "сравнение с NaN ложно."},
                .formula = "y = (a < b)",
                .why = {"Comparing positions with a length masks the padding of a batch, and comparing uniform random "
                        "numbers with a probability draws a dropout mask. The answers carry no gradient, so neither a "
                        "threshold nor a probability is learnt through them.",
                        "Сравнение номеров позиций с длиной закрывает маской заполнение в пакете, а сравнение "
                        "равномерных случайных чисел с вероятностью даёт маску dropout. Градиента ответы не несут, "
                        "поэтому ни порог, ни вероятность сквозь них не обучаются."}},
      .samples = ops::comparison_samples({false, false, false, false, false, false}, {false, false, true}),
  });
}

}  // namespace asg::cards
