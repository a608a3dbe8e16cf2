#include "ops/pooling/adaptive_parts.h"
#include "ops/pooling/average_pool_parts.h"
#include "ops/support/cards.h"

namespace asg::cards {

OpCard card_adaptive_average_pool_grad() {
  OpCard card = ops::mapped_gradient(ops::adaptive_average_pool(), ops::adaptive_attributes());
  card.words = {
      .what = {"Spreads the gradient of each window of an adaptive average pool evenly over the elements of that "
               "window. An element that two windows share receives from both.",
               "Распределяет градиент каждого окна адаптивного усредняющего пулинга поровну между элементами этого "
               "окна. Элемент, общий для двух окон, получает от обоих."},
      .formula = R"(y_{n c i} = \sum_{p : a_p \le i < b_p} \frac{g_{n c p}}{b_p - a_p})",
      .why = {
          "Everything before the pool, that is nearly the whole network, learns through this op: without it only the "
          "last layers would train. The windows have different lengths, so each divides its gradient by its own.",
          "Через эту операцию обучается всё, что стоит до пулинга, то есть почти вся сеть: без неё учились бы только "
          "последние слои. Длины окон различны, поэтому каждое делит градиент на свою."}};
  card.samples = ops::mapped_gradient_samples(ops::adaptive_average_pool(), card_adaptive_average_pool());
  card.samples.push_back({.name = "shared_element",
                          .inputs = {in_exact(Array::of<double>({1, 1, 2}, {4, 6})), in_ints({3}, {1, 1, 3})},
                          .attrs = {{"output_size", Sizes{2}}},
                          .expected = {Array::of<double>({1, 1, 3}, {2, 5, 3})}});
  card.bad_samples = {{.name = "other_shape",
                       .inputs = {in({1, 1, 3}), in_ints({3}, {1, 1, 4})},
                       .attrs = {{"output_size", Sizes{2}}},
                       .code = ErrorCode::bad_shape,
                       .contains = "for a result of AdaptiveAveragePool of shape [1, 1, 2]"}};
  return card;
}

}  // namespace asg::cards
