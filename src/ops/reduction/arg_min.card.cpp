#include <functional>

#include "asg/graph/card.h"
#include "ops/reduction/arg_parts.h"
#include "ops/support/samples.h"

namespace asg::cards {

OpCard card_arg_min() {
  const double nan = ops::kNan;
  OpCard card = ops::arg_card("ArgMin");
  card.kernel = [](KernelContext& ctx) { ops::arg_kernel(ctx, std::less<>()); };
  card.gradient_reason =
      "a small change of the elements leaves the position as it is or lets it jump; use ReduceMin for the smallest "
      "value";
  card.onnx = {{.op = "ArgMin", .since = 12}};
  card.torch = "torch.argmin";
  card.words = {
      .what =
          {"Says at which place along an axis, counted from 0, the smallest element stands. Where several are equally "
           "small the first is meant, with `select_last_index` the last; a NaN is taken for smaller than everything.",
           "Сообщает, на каком месте вдоль оси, считая с 0, стоит наименьший элемент. Из нескольких равных берётся "
           "первый, а с `select_last_index` — последний; NaN считается меньше всего остального."},
      .formula = R"(y = \min \{ i : x_i = \min_j x_j \})",
      .why = {
          "The nearest of many stored vectors is the one with the smallest distance. The codebook of a VQ-VAE replaces "
          "a vector by the number of its nearest code, and k-means assigns each point to its nearest centre.",
          "Ближайший из многих запомненных векторов — тот, до которого расстояние наименьшее. Кодовая книга VQ-VAE "
          "заменяет вектор номером ближайшего кода, а k-means относит точку к ближайшему центру."}};
  card.samples = ops::join({card.samples,
                            {{.name = "columns",
                              .inputs = {in_exact(Array::of<double>({2, 3}, {1, 5, 2, 7, 3, 2}))},
                              .expected = {Array::of<std::int64_t>({1, 3}, {0, 1, 0})}},
                             ops::arg_sample("first_of_equal", {3, 1, 8, 1}, {}, 1),
                             ops::arg_sample("last_of_equal", {1, 3, 1, 8}, {{"select_last_index", true}}, 2),
                             ops::arg_sample("not_a_number", {1, nan, -9, nan}, {}, 1)}});
  return card;
}

}  // namespace asg::cards
