#include <algorithm>

#include "asg/graph/card.h"
#include "ops/shape/view_parts.h"
#include "ops/support/infer.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  const auto given = ops::need_integers(ctx, 1, "axes");
  // Positions in the result, so -1 puts the new axis last.
  const int rank = shape.rank() + static_cast<int>(given.size());
  const auto added = normalize_axes(given, rank);
  std::vector<Dim> dims;
  int source = 0;
  for (int axis = 0; axis < rank; ++axis) {
    const bool is_new = std::find(added.begin(), added.end(), axis) != added.end();
    dims.push_back(is_new ? Dim(1) : shape[source++]);
  }
  ops::output_reshaped(ctx, Shape(std::move(dims)));
}

std::vector<Sample> samples() {
  return {
      {.name = "first", .inputs = {in({2, 3}), in_ints({1}, {0})}},
      {.name = "last", .inputs = {in({2, 3, 4}), in_ints({1}, {-1})}},
      {.name = "two_axes", .inputs = {in({2, 3}), in_ints({2}, {3, 1})}},
      {.name = "none", .inputs = {in({2, 3}), in_ints({0}, {})}},
      {.name = "scalar",
       .inputs = {in_exact(Array::scalar(DType::f64, 5)), in_ints({2}, {0, 1})},
       .gradient = false,
       .expected = {Array::of<double>({1, 1}, {5})}},
      {.name = "empty", .inputs = {in({0, 2}), in_ints({1}, {1})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "no_such_axis", .inputs = {in({2, 3}), in_ints({1}, {3})}, .code = ErrorCode::bad_index},
      {.name = "axis_twice", .inputs = {in({2}), in_ints({2}, {1, -2})}, .code = ErrorCode::bad_index},
      {.name = "no_axes", .inputs = {in({2, 3})}, .code = ErrorCode::wrong_input_count},
  };
}

}  // namespace

OpCard card_unsqueeze() {
  OpCard card = ops::view_card("Unsqueeze");
  card.inputs = {ops::any_tensor(),
                 {.name = "axes",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"where the new axes stand in the result; -1 is the last place",
                            "места новых осей в результате; -1 — последнее место"},
                  .differentiable = false}};
  card.outputs = ops::same_elements({"the same elements with more axes", "те же элементы с большим числом осей"});
  card.infer = infer;
  card.onnx = {{.op = "Unsqueeze", .since = 13}};
  card.torch = "torch.unsqueeze";
  card.words = {
      .what = {"Inserts axes of length 1 at the given places of the result: a vector [3] becomes a row [1, 3] with "
               "axis 0, or a column [3, 1] with axis 1. The elements and their order stay as they are.",
               "Вставляет оси длины 1 на указанные места результата: вектор [3] с осью 0 становится строкой [1, 3], с "
               "осью 1 — столбцом [3, 1]. Элементы и их порядок не меняются."},
      .formula = R"(y_{i 0 j} = x_{i j})",
      .why = {
          "Broadcasting lines shapes up from the last axis. To add a value per row instead of per column, or to apply "
          "one mask to every head of attention, the tensor first needs an axis of length 1 in the right place.",
          "При растягивании формы выравниваются по последней оси. Чтобы прибавить по числу к каждой строке, а не к "
          "столбцу, или применить одну маску ко всем головам внимания, тензору сначала нужна ось длины 1 на нужном "
          "месте."}};
  card.samples = samples();
  card.bad_samples = bad_samples();
  return card;
}

}  // namespace asg::cards
