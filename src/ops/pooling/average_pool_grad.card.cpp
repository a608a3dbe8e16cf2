#include "ops/pooling/average_pool_parts.h"
#include "ops/pooling/pool_parts.h"
#include "ops/support/cards.h"

namespace asg::cards {

OpCard card_average_pool_grad() {
  OpCard card = ops::mapped_gradient(ops::average_pool(), ops::average_pool_attributes());
  card.words = {
      .what = {"Gives each element of an average pool's input its share of the gradient. Every window divides its "
               "gradient by the number of elements that it averaged, padding included where `count_include_pad` says "
               "so, and each of them receives that much from every window it lies in.",
               "Даёт каждому элементу входа усредняющего пулинга его долю градиента. Каждое окно делит свой градиент "
               "на число усреднённых элементов, вместе с дополнением, если так велит `count_include_pad`, и каждый "
               "элемент получает столько от каждого окна, в котором лежит."},
      .formula = R"(y_{n c i} = \sum_{p : i \in W_p} \frac{g_{n c p}}{|W_p|})",
      .why = {"Back-propagation through AveragePool needs it, for instance in the transition layers of DenseNet. "
              "Windows at the border hold fewer elements and must divide by fewer: a rule that divided by the whole "
              "window would train the border too slowly. Its own gradient is AveragePool again.",
              "Нужна обратному распространению через AveragePool, например в переходных слоях DenseNet. В окнах у края "
              "меньше элементов, и делить там надо на меньшее число: правило, которое делит на всё окно, обучало бы "
              "край слишком медленно. Её собственный градиент — снова AveragePool."}};
  card.samples = ops::mapped_gradient_samples(ops::average_pool(), card_average_pool());
  card.samples.push_back({.name = "border_windows_divide_by_what_they_hold",
                          .inputs = {in_exact(Array::of<double>({1, 1, 2}, {6, 12})), in_ints({3}, {1, 1, 3})},
                          .attrs = {{"kernel_shape", Sizes{3}}, {"strides", Sizes{2}}, {"pads", Sizes{1, 1}}},
                          .expected = {Array::of<double>({1, 1, 3}, {3, 9, 6})}});
  card.bad_samples = ops::pads_and_auto_pad({in({1, 1, 2}), in_ints({3}, {1, 1, 3})}, {{"kernel_shape", Sizes{2}}});
  card.bad_samples.push_back({.name = "other_shape",
                              .inputs = {in({1, 1, 3}), in_ints({3}, {1, 1, 3})},
                              .attrs = {{"kernel_shape", Sizes{2}}},
                              .code = ErrorCode::bad_shape,
                              .contains = "for a result of AveragePool of shape [1, 1, 2]"});
  return card;
}

}  // namespace asg::cards
