#include "ops/reduction/arg_parts.h"

#include "ops/support/cost.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::ops {
namespace {

void infer_place(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  const int axis = normalize_axis(ctx.integer("axis"), shape.rank());
  if (shape[axis] == Dim(0)) {
    fail(ErrorCode::bad_shape, "axis " + std::to_string(axis) + " of shape " + shape.to_string(),
         "an axis with at least one element to choose");
  }
  std::vector<Dim> dims = shape.dims();
  if (ctx.boolean("keepdims")) {
    dims[static_cast<std::size_t>(axis)] = 1;
  } else {
    dims.erase(dims.begin() + axis);
  }
  ctx.output({DType::i64, Shape(std::move(dims))});
}

std::vector<Sample> samples() {
  return {
      {.name = "last_axis", .inputs = {distinct({2, 3, 4})}, .attrs = {{"axis", -1}}},
      {.name = "first_axis_dropped", .inputs = {distinct({3, 2, 4})}, .attrs = {{"keepdims", false}}},
      {.name = "last_axis_dropped", .inputs = {distinct({2, 3})}, .attrs = {{"axis", 1}, {"keepdims", false}}},
      {.name = "last_of_equal_along_an_axis",
       .inputs = {distinct({2, 3})},
       .attrs = {{"axis", 1}, {"select_last_index", true}}},
      {.name = "no_lanes", .inputs = {in({0, 3})}, .attrs = {{"axis", 1}}},
  };
}

std::vector<BadSample> bad_samples() {
  return {{.name = "empty_axis",
           .inputs = {in({2, 0})},
           .attrs = {{"axis", 1}},
           .code = ErrorCode::bad_shape,
           .contains = "at least one element"},
          {.name = "no_such_axis", .inputs = {in({2, 3})}, .attrs = {{"axis", 2}}, .code = ErrorCode::bad_index}};
}

}  // namespace

OpCard arg_card(std::string name) {
  return {
      .name = std::move(name),
      .category = Category::reduction,
      .inputs = {{.name = "x", .dtypes = kNumbers, .words = {"any numbers", "любые числа"}}},
      .outputs = {{.name = "y",
                   .dtypes = kInt64,
                   .type = "",
                   .words = {"the position of the chosen element along the axis",
                             "позиция выбранного элемента вдоль оси"},
                   .differentiable = false}},
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = 0,
                      .words = {"the axis that is searched; -1 is the last", "просматриваемая ось; -1 — последняя"}},
                     {.name = "keepdims",
                      .kind = AttrKind::boolean,
                      .fallback = true,
                      .words = {"keep the axis with length 1, or drop it", "сохранить ось с длиной 1 или убрать её"}},
                     {.name = "select_last_index",
                      .kind = AttrKind::boolean,
                      .fallback = false,
                      .words = {"of several equal elements take the last, not the first",
                                "из нескольких равных брать последний, а не первый"}}},
      .traits = {.reduction = true},
      .infer = infer_place,
      .gradient_kind = GradientKind::none,
      .cost = cost_per_input(1),
      .tolerance = kExact,
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

Sample arg_sample(std::string name, std::vector<double> values, Attrs attrs, std::int64_t expected) {
  attrs.set("keepdims", false);
  return {.name = std::move(name),
          .inputs = {in_exact(reals(values))},
          .attrs = std::move(attrs),
          .expected = {Array::scalar_i64(expected)}};
}

}  // namespace asg::ops
