#include <algorithm>
#include <string>

#include "asg/graph/card.h"
#include "ops/shape/view_parts.h"
#include "ops/support/infer.h"

namespace asg::cards {
namespace {

// Without axes all of length 1 go. Which these are must be clear while building: a batch that happens to have one
// element at run time must not change the rank.
std::vector<int> axes_of_length_one(const Shape& shape) {
  std::vector<int> axes;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!shape[axis].is_known()) {
      fail(ErrorCode::bad_shape,
           "shape " + shape.to_string() + ", where the length of axis " + std::to_string(axis) +
               " is only known when the graph runs",
           "lengths that are known while building, or the axes to remove", "say which axes to squeeze");
    }
    if (shape[axis] == Dim(1)) axes.push_back(axis);
  }
  return axes;
}

std::vector<int> removed_axes(const InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  const auto given = ctx.has(1) ? ops::need_integers(ctx, 1, "axes") : std::vector<std::int64_t>{};
  if (given.empty()) return axes_of_length_one(shape);
  const auto axes = normalize_axes(given, shape.rank());
  for (int axis : axes) {
    if (shape[axis].is_known() && shape[axis] != Dim(1)) {
      fail(ErrorCode::bad_shape, "axis " + std::to_string(axis) + " of shape " + shape.to_string() + " to be removed",
           "an axis of length 1", "reduce the axis, or reshape");
    }
  }
  return axes;
}

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  const auto removed = removed_axes(ctx);
  std::vector<Dim> dims;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (std::find(removed.begin(), removed.end(), axis) == removed.end()) dims.push_back(shape[axis]);
  }
  ops::output_reshaped(ctx, Shape(std::move(dims)));
}

std::vector<Sample> samples() {
  return {
      {.name = "one_axis", .inputs = {in({2, 1, 3}), in_ints({1}, {1})}},
      {.name = "two_axes", .inputs = {in({1, 3, 1, 2}), in_ints({2}, {-2, 0})}},
      {.name = "all_ones", .inputs = {in({1, 3, 1, 2})}},
      {.name = "no_axes_named", .inputs = {in({3, 1, 2}), in_ints({0}, {})}},
      {.name = "nothing_to_remove", .inputs = {in({2, 3, 4})}},
      {.name = "to_scalar",
       .inputs = {in_exact(Array::of<double>({1, 1}, {5})), in_ints({2}, {0, 1})},
       .gradient = false,
       .expected = {Array::scalar(DType::f64, 5)}},
      {.name = "empty", .inputs = {in({1, 0, 2}), in_ints({1}, {0})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "longer_axis",
       .inputs = {in({2, 1}), in_ints({1}, {0})},
       .code = ErrorCode::bad_shape,
       .contains = "an axis of length 1"},
      {.name = "no_such_axis", .inputs = {in({2, 1}), in_ints({1}, {2})}, .code = ErrorCode::bad_index},
      {.name = "axis_twice", .inputs = {in({1, 2}), in_ints({2}, {0, -2})}, .code = ErrorCode::bad_index},
  };
}

}  // namespace

OpCard card_squeeze() {
  OpCard card = ops::view_card("Squeeze");
  card.inputs = {ops::any_tensor(),
                 {.name = "axes",
                  .dtypes = kInt64,
                  .type = "",
                  .kind = PortKind::optional,
                  .words = {"the axes to remove, each of length 1; none named means all of length 1",
                            "удаляемые оси, каждая длины 1; если не названы — все оси длины 1"},
                  .differentiable = false}};
  card.outputs = ops::same_elements({"the same elements with fewer axes", "те же элементы с меньшим числом осей"});
  card.infer = infer;
  card.onnx = {{.op = "Squeeze", .since = 13}};
  card.torch = "torch.squeeze";
  card.words = {
      .what = {"Removes axes of length 1: [2, 1, 3] becomes [2, 3]. The elements and their order stay as they are. "
               "Naming the axes is safer than removing all of length 1, which may be more than you meant.",
               "Удаляет оси длины 1: [2, 1, 3] становится [2, 3]. Элементы и их порядок не меняются. Надёжнее назвать "
               "оси явно, чем удалить все оси длины 1: их может оказаться больше, чем задумано."},
      .formula = R"(y_{i j} = x_{i 0 j})",
      .why = {"Reductions that keep their axis, and picking one row of a matrix, leave axes of length 1 behind. Left "
              "in place they take part in broadcasting and can turn a vector into a matrix unnoticed: the squared "
              "difference of [n, 1] and [n] has n² elements.",
              "Редукции с сохранением оси и выбор одной строки матрицы оставляют оси длины 1. Если их не убрать, они "
              "участвуют в растягивании и могут незаметно превратить вектор в матрицу: так квадрат разности [n, 1] и "
              "[n] считается по n² парам."}};
  card.samples = samples();
  card.bad_samples = bad_samples();
  return card;
}

}  // namespace asg::cards
