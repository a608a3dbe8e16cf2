#include <functional>

#include "asg/graph/card.h"
#include "ops/reduction/arg_parts.h"
#include "ops/support/samples.h"

namespace asg::cards {

OpCard card_arg_max() {
  const double nan = ops::kNan;
  OpCard card = ops::arg_card("ArgMax");
  card.kernel = [](KernelContext& ctx) { ops::arg_kernel(ctx, std::greater<>()); };
  card.gradient_reason =
      "a position jumps from one integer to the next and tells nothing of how to improve; use Softmax, or ReduceMax "
      "for the largest value";
  card.onnx = {{.op = "ArgMax", .since = 12}};
  card.torch = "torch.argmax";
  card.words = {.what = {"Finds where along an axis the largest element stands, and gives its position as an integer, "
                         "counted from 0. Of several equal ones it is the first, or with `select_last_index` the last; "
                         "NaN counts as the largest, and an axis without elements is an error.",
                         "Находит, где вдоль оси стоит наибольший элемент, и возвращает его позицию целым числом, "
                         "считая с 0. Из нескольких равных берётся первый, а с `select_last_index` — последний; NaN "
                         "считается наибольшим, а ось без элементов — ошибка."},
                .formula = R"(y = \min \{ i : x_i = \max_j x_j \})",
                .why = {"A classifier gives a score per class, and its answer is the class with the largest one; a "
                        "language model that writes greedily takes the next token in the same way. Comparing these "
                        "positions with the labels gives the accuracy.",
                        "Классификатор выдаёт оценку для каждого класса, а его ответ — класс с наибольшей оценкой; так "
                        "же выбирает следующий токен языковая модель при жадной генерации. Сравнение этих позиций с "
                        "метками даёт долю верных ответов."}};
  card.samples =
      ops::join({card.samples,
                 {{.name = "columns",
                   .inputs = {in_exact(Array::of<double>({2, 3}, {1, 5, 2, 7, 3, 7}))},
                   .expected = {Array::of<std::int64_t>({1, 3}, {1, 0, 1})}},
                  ops::arg_sample("first_of_equal", {7, 3, 7}, {}, 0),
                  ops::arg_sample("last_of_equal", {7, 3, 7, 1}, {{"select_last_index", true}}, 2),
                  ops::arg_sample("not_a_number", {1, nan, 9, nan}, {}, 1),
                  ops::arg_sample("last_not_a_number", {1, nan, 9, nan}, {{"select_last_index", true}}, 3)}});
  return card;
}

}  // namespace asg::cards
