#include <string>

#include "asg/graph/card.h"
#include "ops/shape/view_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  const auto repeats = ctx.need_known(1);
  if (static_cast<int>(repeats.size()) != shape.rank()) {
    fail(ErrorCode::bad_shape, std::to_string(repeats.size()) + " repeats for shape " + shape.to_string(),
         "one for each axis", "use 1 for an axis that shall stay as it is");
  }
  std::vector<Dim> dims;
  for (std::size_t axis = 0; axis < repeats.size(); ++axis) {
    if (repeats[axis].is_known() && repeats[axis].value() < 0) {
      fail(ErrorCode::bad_shape, repeats[axis].to_string() + " repeats of axis " + std::to_string(axis),
           "a number of at least 0");
    }
    dims.push_back(shape[static_cast<int>(axis)] * repeats[axis]);
  }
  ctx.output({ctx.dtype(0), Shape(std::move(dims))});
}

// Each axis as two: which copy, and where in it.
void kernel(KernelContext& ctx) {
  const Sizes& sizes = ctx.in(0).sizes();
  const auto repeats = ctx.in(1).data<std::int64_t>();
  Sizes one_copy;
  Sizes all;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    one_copy.insert(one_copy.end(), {1, sizes[axis]});
    all.insert(all.end(), {repeats[axis], sizes[axis]});
  }
  ctx.out().reshaped(all).assign(ctx.in(0).reshaped(one_copy).broadcast_to(all));
}

// (r0, d0, r1, d1 …) of repeats and lengths.
Tensor interleaved(const Tensor& repeats, const Tensor& x) {
  const Tensor both = add_op("Concat", {repeats, ops::shape_of(x)}, {{"axis", 0}});
  std::vector<std::int64_t> order;
  for (int axis = 0; axis < x.rank(); ++axis) order.insert(order.end(), {axis, x.rank() + axis});
  return add_op("Gather", {both, ops::ints(x.graph(), order)});
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  if (x.rank() == 0) return ctx.output(add_op("Identity", {x}));
  std::vector<std::int64_t> new_axes;
  for (int axis = 0; axis < x.rank(); ++axis) new_axes.push_back(2 * axis);
  const Tensor one_copy = add_op("Unsqueeze", {x, ops::ints(ctx.graph(), new_axes)});
  const Tensor all = add_op("Expand", {one_copy, interleaved(ctx.in(1), x)});
  const Tensor target = ops::shape_of(x) * ctx.in(1);
  ctx.output(add_op("Reshape", {all, target}, {{"allowzero", true}}));
}

// Every element is the sum of the gradients of its copies.
void gradient(GradientContext& ctx) {
  const Tensor& x = ctx.in(0);
  if (x.rank() == 0) return ctx.set(0, ctx.grad());
  std::vector<std::int64_t> copies;
  for (int axis = 0; axis < x.rank(); ++axis) copies.push_back(2 * axis);
  const Tensor split = add_op("Reshape", {ctx.grad(), interleaved(ctx.in(1), x)}, {{"allowzero", true}});
  ctx.set(0, add_op("ReduceSum", {split, ops::ints(ctx.graph(), copies)}, {{"keepdims", false}}));
}

std::vector<Sample> samples() {
  return {
      {.name = "vector",
       .inputs = {in_exact(Array::of<double>({2}, {1, 2})), in_ints({1}, {3})},
       .expected = {Array::of<double>({6}, {1, 2, 1, 2, 1, 2})}},
      {.name = "matrix",
       .inputs = {in_exact(Array::of<double>({2, 2}, {1, 2, 3, 4})), in_ints({2}, {2, 1})},
       .expected = {Array::of<double>({4, 2}, {1, 2, 3, 4, 1, 2, 3, 4})}},
      {.name = "rank_3", .inputs = {in({2, 3, 4}), in_ints({3}, {2, 1, 2})}},
      {.name = "once", .inputs = {in({2, 3}), in_ints({2}, {1, 1})}},
      {.name = "no_copies", .inputs = {in({2, 3}), in_ints({2}, {2, 0})}, .gradient = false},
      {.name = "scalar", .inputs = {in({}), in_ints({0}, {})}, .gradient = false},
      {.name = "empty", .inputs = {in({0, 2}), in_ints({2}, {2, 2})}, .gradient = false},
  };
}

}  // namespace

OpCard card_tile() {
  return {
      .name = "Tile",
      .category = Category::shape,
      .inputs = {ops::any_tensor(),
                 {.name = "repeats",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"how many copies to lay along each axis", "сколько копий уложить вдоль каждой оси"},
                  .differentiable = false}},
      .outputs = ops::same_elements({"the copies side by side", "копии, уложенные рядом"}),
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "Tile", .since = 6}},
      .torch = "torch.tile",
      .tolerance = ops::kExact,
      .words = {.what = {"Lays copies of a tensor side by side, so many along each axis, as tiles on a floor: [1, 2] "
                         "three times is [1, 2, 1, 2, 1, 2]. Expand repeats axes of length 1 only; this repeats axes "
                         "of any length, and 0 copies leave nothing.",
                         "Укладывает копии тензора рядом, по столько-то вдоль каждой оси, как плитку на полу: [1, 2] "
                         "трижды — это [1, 2, 1, 2, 1, 2]. Expand повторяет только оси длины 1, а эта операция — оси "
                         "любой длины; при 0 копий не остаётся ничего."},
                .formula = R"(y_{i} = x_{i \bmod d})",
                .why = {"One prompt is repeated so that a language model can draw several continuations of it at once. "
                        "Detectors lay the anchors of one cell over all cells of a picture with it.",
                        "Один промпт размножают, чтобы языковая модель сразу получила несколько его продолжений. "
                        "Детекторы так раскладывают якоря одной ячейки по всем ячейкам изображения."}},
      .samples = samples(),
      .bad_samples = {{.name = "too_few",
                       .inputs = {in({2, 3}), in_ints({1}, {2})},
                       .code = ErrorCode::bad_shape,
                       .contains = "one for each axis"},
                      {.name = "negative",
                       .inputs = {in({2}), in_ints({1}, {-1})},
                       .code = ErrorCode::bad_shape,
                       .contains = "at least 0"}},
  };
}

}  // namespace asg::cards
