#include "asg/graph/graph.h"
#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const TensorType type{ctx.dtype_attr("dtype"), {ctx.integer("count"), ctx.integer("width")}};
  const Tensor weight = ctx.graph().parameter("weight", type, Initializer::normal(0, 0.02));
  ctx.output(add_op("Gather", {weight, ctx.in(0)}, {{"axis", 0}}));
}

}  // namespace

OpCard card_embedding() {
  return {
      .name = "nn.Embedding",
      .category = Category::embedding,
      .inputs = {{.name = "indices",
                  .dtypes = kIndex,
                  .type = "I",
                  .words = {"numbers of rows, any shape", "номера строк, любая форма"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .words = {"the rows: one more axis of length `width`", "строки: добавлена ось длины `width`"}}},
      .attributes = {{.name = "count", .least = 1, .words = {"number of rows", "число строк"}},
                     {.name = "width", .least = 1, .words = {"length of a row", "длина строки"}},
                     {.name = "dtype",
                      .kind = AttrKind::dtype,
                      .fallback = DType::f32,
                      .choices = {DType::f32, DType::f64, DType::f16, DType::bf16},
                      .words = {"dtype of the table", "тип элементов таблицы"}}},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.Embedding",
      .words =
          {.what = {"Looks up rows of a learned table: each index is replaced by the row that it names, so the shape "
                    "gains an axis of length `width`. Only rows that were looked up get a gradient; an index outside "
                    "the table is an error.",
                    "Берёт строки из обучаемой таблицы: каждый индекс заменяется строкой с этим номером, и у формы "
                    "появляется ось длины `width`. Градиент получают только те строки, к которым обращались; индекс "
                    "вне таблицы — ошибка."},
           .formula = "y = W_{x}",
           .why = {"It turns words, pixels or items into vectors on which a network can compute. Language models often "
                   "share this table with their last layer, which saves parameters and ties meaning to prediction.",
                   "Превращает слова, пиксели или товары в векторы (эмбеддинги), с которыми сеть умеет считать. "
                   "Языковые модели часто используют ту же таблицу в последнем слое: это экономит параметры и "
                   "связывает смысл слова с его предсказанием."}},
      .samples =
          {{.name = "sentence",
            .inputs = {in_ints({2, 3}, {0, 4, 1, 1, 2, 4})},
            .attrs = {{"count", 5}, {"width", 4}, {"dtype", DType::f64}}},
           {.name = "one_index",
            .inputs = {in_ints({}, {2})},
            .attrs = {{"count", 3}, {"width", 2}, {"dtype", DType::f64}}},
           {.name = "rank_3",
            .inputs = {in_ints({2, 3, 4}, {0, 6, 1, 5, 2, 3, 0, 4, 4, 1, 6, 2, 3, 5, 5, 0, 1, 1, 2, 6, 4, 3, 0, 5})},
            .attrs = {{"count", 7}, {"width", 4}, {"dtype", DType::f64}}},
           {.name = "f32", .inputs = {in_ints({2}, {0, 1})}, .attrs = {{"count", 2}, {"width", 3}}, .gradient = false},
           {.name = "f16",
            .inputs = {in_ints({2}, {0, 1})},
            .attrs = {{"count", 2}, {"width", 3}, {"dtype", DType::f16}},
            .gradient = false},
           {.name = "bf16",
            .inputs = {in_ints({2}, {0, 1})},
            .attrs = {{"count", 2}, {"width", 3}, {"dtype", DType::bf16}},
            .gradient = false}},
      .bad_samples = {{.name = "float_index",
                       .inputs = {in({2})},
                       .attrs = {{"count", 5}, {"width", 4}},
                       .code = ErrorCode::bad_dtype,
                       .contains = "i32, i64"}},
  };
}

}  // namespace asg::nn_cards
