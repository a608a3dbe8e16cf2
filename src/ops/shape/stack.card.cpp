#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  if (ctx.input_count() == 0) fail(ErrorCode::wrong_input_count, "nothing to stack", "at least one tensor");
  const Shape& shape = ctx.shape(0);
  for (int index = 1; index < ctx.input_count(); ++index) {
    if (ctx.shape(index) == shape) continue;
    fail(ErrorCode::bad_shape, "shapes " + shape.to_string() + " and " + ctx.shape(index).to_string() + " to stack",
         "the same shape for all", "join tensors of different lengths with Concat, along an axis that they have");
  }
  std::vector<Dim> dims = shape.dims();
  const int axis = normalize_axis(ctx.integer("axis"), shape.rank() + 1);
  dims.insert(dims.begin() + axis, Dim(ctx.input_count()));
  ctx.output({ctx.dtype(0), Shape(std::move(dims))});
}

void body(BodyContext& ctx) {
  const int axis = normalize_axis(ctx.integer("axis"), ctx.in(0).rank() + 1);
  std::vector<Tensor> layers;
  for (const Tensor& input : ctx.inputs) {
    layers.push_back(add_op("Unsqueeze", {input, ops::ints(ctx.graph(), {axis})}));
  }
  ctx.output(add_op("Concat", layers, {{"axis", axis}}));
}

std::vector<Sample> samples() {
  return {
      {.name = "rows",
       .inputs = {in_exact(Array::of<double>({2}, {1, 2})), in_exact(Array::of<double>({2}, {3, 4}))},
       .expected = {Array::of<double>({2, 2}, {1, 2, 3, 4})}},
      {.name = "columns",
       .inputs = {in_exact(Array::of<double>({2}, {1, 2})), in_exact(Array::of<double>({2}, {3, 4}))},
       .attrs = {{"axis", -1}},
       .expected = {Array::of<double>({2, 2}, {1, 3, 2, 4})}},
      {.name = "three_in_the_middle", .inputs = {in({2, 4}), in({2, 4}), in({2, 4})}, .attrs = {{"axis", 1}}},
      {.name = "rank_3", .inputs = {in({2, 3, 4}), in({2, 3, 4})}},
      {.name = "scalars", .inputs = {in({}), in({}), in({})}},
      {.name = "one", .inputs = {in({3})}},
      {.name = "empty", .inputs = {in({0, 2}), in({0, 2})}, .gradient = false},
  };
}

}  // namespace

OpCard card_stack() {
  return {
      .name = "Stack",
      .category = Category::shape,
      .inputs = {{.name = "tensors",
                  .dtypes = kAnyType,
                  .kind = PortKind::variadic,
                  .words = {"tensors of one shape", "тензоры одной формы"}}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"all of them, along a new axis", "все они вдоль новой оси"}}},
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = 0,
                      .words = {"where the new axis stands in the result; -1 is the last place",
                                "место новой оси в результате; -1 — последнее"}}},
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(0),
      .torch = "torch.stack",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Puts tensors of one shape on top of each other along a new axis: three vectors of length 5 become "
                    "a matrix [3, 5], or [5, 3] with axis 1. Concat, in contrast, joins them along an axis they have.",
                    "Складывает тензоры одной формы друг на друга вдоль новой оси: три вектора длины 5 становятся "
                    "матрицей [3, 5] или, с осью 1, [5, 3]. Concat же соединяет тензоры вдоль уже имеющейся оси."},
           .formula = R"(y_{k i} = x^{(k)}_{i})",
           .why = {"Single examples become a batch by it, and the states of a recurrent layer, computed one after the "
                   "other, become one tensor over time. Two halves of features stacked on a last axis and reshaped "
                   "come out interleaved, as sines and cosines of positional codes do.",
                   "Так отдельные примеры становятся пакетом, а состояния рекуррентного слоя, вычисленные одно за "
                   "другим, — одним тензором по времени. Две половины признаков, сложенные по новой последней оси, "
                   "после Reshape чередуются, как синусы и косинусы позиционных кодов."}},
      .samples = samples(),
      .bad_samples = {{.name = "other_shapes",
                       .inputs = {in({2, 3}), in({3, 2})},
                       .code = ErrorCode::bad_shape,
                       .contains = "the same shape for all"},
                      {.name = "no_such_axis",
                       .inputs = {in({2}), in({2})},
                       .attrs = {{"axis", 2}},
                       .code = ErrorCode::bad_index}},
  };
}

}  // namespace asg::cards
