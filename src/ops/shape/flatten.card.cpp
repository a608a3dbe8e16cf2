#include "asg/graph/card.h"
#include "ops/shape/view_parts.h"
#include "ops/support/gradients.h"

namespace asg::cards {
namespace {

// Where the columns begin: from 0 (all of them) to the rank (none).
int first_column(const AttrReader& attributes, int rank) {
  const std::int64_t axis = attributes.integer("axis");
  return axis == rank ? rank : normalize_axis(axis, rank);
}

Dim product(const Shape& shape, int first, int past) {
  return Shape(std::vector<Dim>(shape.begin() + first, shape.begin() + past)).element_count();
}

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  const int axis = first_column(ctx, shape.rank());
  ops::output_reshaped(ctx, {product(shape, 0, axis), product(shape, axis, shape.rank())});
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const int axis = first_column(ctx, x.rank());
  const auto length = [&](const Attrs& part) {
    return add_op("ReduceProd", {add_op("Shape", {x}, part)}, {{"keepdims", true}});
  };
  const Tensor rows = axis == 0 ? ops::ints(ctx.graph(), {1}) : length({{"end", axis}});
  const Tensor columns = axis == x.rank() ? ops::ints(ctx.graph(), {1}) : length({{"start", axis}});
  const Tensor target = add_op("Concat", {rows, columns}, {{"axis", 0}});
  ctx.output(add_op("Reshape", {x, target}, {{"allowzero", true}}));
}

std::vector<Sample> samples() {
  return {
      {.name = "batch", .inputs = {in({2, 3, 4})}},
      {.name = "one_row", .inputs = {in({2, 3})}, .attrs = {{"axis", 0}}},
      {.name = "one_column", .inputs = {in({2, 3})}, .attrs = {{"axis", 2}}},
      {.name = "negative_axis", .inputs = {in({2, 3, 4})}, .attrs = {{"axis", -1}}},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 2, 2}, {1, 2, 3, 4}))},
       .expected = {Array::of<double>({1, 4}, {1, 2, 3, 4})}},
      {.name = "scalar", .inputs = {in({})}, .attrs = {{"axis", 0}}, .gradient = false},
      {.name = "empty", .inputs = {in({0, 3, 2})}, .gradient = false},
      {.name = "empty_columns", .inputs = {in({2, 0, 3})}, .gradient = false},
  };
}

}  // namespace

OpCard card_flatten() {
  OpCard card = ops::view_card("Flatten");
  card.outputs = ops::same_elements({"the same elements as a matrix", "те же элементы в виде матрицы"});
  card.attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = 1,
                      .words = {"the axes before it become the rows, it and those after it the columns",
                                "оси до неё становятся строками, она и следующие — столбцами"}}};
  card.infer = infer;
  card.body = body;
  card.onnx = {{.op = "Flatten", .since = 13}};
  card.torch = "torch.flatten";
  card.words = {
      .what =
          {"Makes a matrix of a tensor of any rank: all axes before `axis` are merged into the rows, all from it on "
           "into the columns. [2, 3, 4] becomes [2, 12] with axis 1; with axis 0 there is a single row, with axis 3 a "
           "single column.",
           "Делает из тензора любого ранга матрицу: все оси до `axis` сливаются в строки, все начиная с неё — в "
           "столбцы. [2, 3, 4] с осью 1 становится [2, 12], с осью 0 получается одна строка, с осью 3 — один столбец."},
      .formula = R"(y \in \mathbb{R}^{d_0 \cdots d_{a-1} \times d_a \cdots d_{r-1}})",
      .why = {"Picture classifiers such as AlexNet and VGG end in linear layers, which want one row of features per "
              "picture. It stands between the last pooling and the first of them and leaves the batch axis alone.",
              "Классификаторы изображений вроде AlexNet и VGG заканчиваются линейными слоями, которым нужна одна "
              "строка признаков на изображение. Операция стоит между последним пулингом и первым из них и не трогает "
              "ось пакета."}};
  card.samples = samples();
  card.bad_samples = {{.name = "no_such_axis",
                       .inputs = {in({2, 3})},
                       .attrs = {{"axis", 3}},
                       .code = ErrorCode::bad_index,
                       .contains = "axis 3"}};
  return card;
}

}  // namespace asg::cards
