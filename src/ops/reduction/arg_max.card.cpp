#include <cmath>
#include <type_traits>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  const int axis = normalize_axis(ctx.integer("axis"), shape.rank());
  if (shape[axis] == Dim(0)) {
    fail(ErrorCode::bad_shape, "axis " + std::to_string(axis) + " of shape " + shape.to_string(),
         "an axis with at least one element, of which one is the largest");
  }
  std::vector<Dim> dims = shape.dims();
  if (ctx.boolean("keepdims")) {
    dims[static_cast<std::size_t>(axis)] = 1;
  } else {
    dims.erase(dims.begin() + axis);
  }
  ctx.output({DType::i64, Shape(std::move(dims))});
}

template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

// The first of the largest; NaN counts as larger than any number.
template <class T>
std::int64_t position_of_largest(const T* lane, std::int64_t length, std::int64_t step) {
  std::int64_t best = 0;
  for (std::int64_t k = 1; k < length && !is_nan(lane[best * step]); ++k) {
    const T value = lane[k * step];
    if (value > lane[best * step] || is_nan(value)) best = k;
  }
  return best;
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const auto lanes = ops::lanes_of(x.sizes(), normalize_axis(ctx.integer("axis"), x.rank()));
  std::int64_t* to = ctx.out().mutable_data<std::int64_t>().data();
  ops::dispatch_numeric(x, [&]<class T>() {
    const T* from = x.data<T>().data();
    for (std::int64_t before = 0; before < lanes.before_count; ++before) {
      const T* lane = from + before * lanes.length * lanes.after_count;
      for (std::int64_t after = 0; after < lanes.after_count; ++after) {
        *to++ = position_of_largest(lane + after, lanes.length, lanes.after_count);
      }
    }
  });
}

std::vector<Sample> samples() {
  const double nan = std::nan("");
  return {
      {.name = "rows",
       .inputs = {in_exact(Array::of<double>({2, 3}, {1, 5, 2, 7, 3, 7}))},
       .attrs = {{"axis", 1}, {"keepdims", false}},
       .expected = {Array::ints({1, 0})}},
      {.name = "columns",
       .inputs = {in_exact(Array::of<double>({2, 3}, {1, 5, 2, 7, 3, 7}))},
       .expected = {Array::of<std::int64_t>({1, 3}, {1, 0, 1})}},
      {.name = "not_a_number",
       .inputs = {in_exact(Array::of<double>({4}, {1, nan, 9, nan}))},
       .attrs = {{"keepdims", false}},
       .expected = {Array::scalar_i64(1)}},
      {.name = "last_axis", .inputs = {distinct({2, 3, 4})}, .attrs = {{"axis", -1}}},
      {.name = "first_axis_dropped", .inputs = {distinct({3, 2, 4})}, .attrs = {{"keepdims", false}}},
      {.name = "no_lanes", .inputs = {in({0, 3})}, .attrs = {{"axis", 1}}},
  };
}

}  // namespace

OpCard card_arg_max() {
  return {
      .name = "ArgMax",
      .category = Category::reduction,
      .inputs = {{.name = "x", .dtypes = kNumbers, .words = {"any numbers", "любые числа"}}},
      .outputs = {{.name = "y",
                   .dtypes = kInt64,
                   .type = "",
                   .words = {"the position of the largest element along the axis",
                             "позиция наибольшего элемента вдоль оси"},
                   .differentiable = false}},
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = 0,
                      .words = {"the axis that is searched; -1 is the last", "просматриваемая ось; -1 — последняя"}},
                     {.name = "keepdims",
                      .kind = AttrKind::boolean,
                      .fallback = true,
                      .words = {"keep the axis with length 1, or drop it", "сохранить ось с длиной 1 или убрать её"}}},
      .traits = {.reduction = true},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::none,
      .gradient_reason =
          "a position jumps from one integer to the next and tells nothing of how to improve; use Softmax, or "
          "ReduceMax for the largest value",
      .cost = ops::cost_per_input(1),
      .onnx = {{.op = "ArgMax", .since = 13}},
      .torch = "torch.argmax",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Finds where along an axis the largest element stands, and gives its position as an integer. Of "
                    "several equal ones it is the first; NaN counts as the largest.",
                    "Находит, где вдоль оси стоит наибольший элемент, и возвращает его позицию целым числом. Из "
                    "нескольких равных берётся первый; NaN считается наибольшим."},
           .formula = R"(y = \min \{ i : x_i = \max_j x_j \})",
           .why = {"A classifier gives a score per class, and its answer is the class with the largest one. Comparing "
                   "these positions with the labels gives the accuracy.",
                   "Классификатор выдаёт оценку для каждого класса, а его ответ — класс с наибольшей оценкой. "
                   "Сравнение этих позиций с метками даёт точность."}},
      .samples = samples(),
      .bad_samples =
          {{.name = "empty_axis",
            .inputs = {in({2, 0})},
            .attrs = {{"axis", 1}},
            .code = ErrorCode::bad_shape,
            .contains = "at least one element"},
           {.name = "no_such_axis", .inputs = {in({2, 3})}, .attrs = {{"axis", 2}}, .code = ErrorCode::bad_index}},
  };
}

}  // namespace asg::cards
