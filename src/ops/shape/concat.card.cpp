#include <string>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

// All inputs have the rank and, except on `axis`, the lengths of the first.
void check_fits(const Shape& first, const Shape& other, int axis) {
  bool fits = first.rank() == other.rank();
  for (int k = 0; fits && k < first.rank(); ++k) fits = k == axis || first[k] == other[k];
  if (fits) return;
  fail(ErrorCode::bad_shape,
       "shapes " + first.to_string() + " and " + other.to_string() + " to join on axis " + std::to_string(axis),
       "equal lengths on every other axis", "reshape, slice or pad one of them, or choose another axis");
}

std::optional<std::vector<Dim>> joined_contents(const InferContext& ctx) {
  std::vector<Dim> contents;
  for (int index = 0; index < ctx.input_count(); ++index) {
    const auto known = ctx.known(index);
    if (!known) return std::nullopt;
    contents.insert(contents.end(), known->begin(), known->end());
  }
  return contents;
}

void infer(InferContext& ctx) {
  if (ctx.input_count() == 0) {
    fail(ErrorCode::wrong_input_count, "nothing to join", "at least one tensor");
  }
  const Shape& first = ctx.shape(0);
  if (first.rank() == 0) {
    fail(ErrorCode::bad_shape, "a scalar to join", "tensors with at least one axis", "unsqueeze it first");
  }
  const int axis = normalize_axis(ctx.integer("axis"), first.rank());
  std::vector<Dim> dims = first.dims();
  Dim& length = dims[static_cast<std::size_t>(axis)];
  for (int index = 1; index < ctx.input_count(); ++index) {
    check_fits(first, ctx.shape(index), axis);
    length = length + ctx.shape(index)[axis];
  }
  const TensorType type{ctx.dtype(0), Shape(std::move(dims))};
  ctx.output(type);
  if (auto contents = joined_contents(ctx)) ops::set_known(ctx, type, *std::move(contents));
}

void kernel(KernelContext& ctx) {
  const int axis = normalize_axis(ctx.integer("axis"), ctx.out().rank());
  std::int64_t start = 0;
  for (int index = 0; index < ctx.input_count(); ++index) {
    const std::int64_t length = ctx.in(index).sizes()[static_cast<std::size_t>(axis)];
    Array part = ctx.out().sliced(axis, start, length, 1);
    part.assign(ctx.in(index));
    start += length;
  }
}

// One Slice for each input: for more parts than Split can be told the lengths of.
void slice_gradient(GradientContext& ctx, int axis) {
  const Tensor axes = ops::ints(ctx.graph(), {axis});
  const Tensor whole = ctx.grad();
  Tensor start = ops::ints(ctx.graph(), {0});
  for (int index = 0; index < ctx.input_count(); ++index) {
    const Tensor end = start + ops::length_of(ctx.in(index), axis);
    if (ctx.needs(index)) ctx.set(index, add_op("Slice", {whole, start, end, axes}));
    start = end;
  }
}

void gradient(GradientContext& ctx) {
  if (ctx.input_count() == 1) return ctx.set(0, ctx.grad());
  const int axis = normalize_axis(ctx.integer("axis"), ctx.in(0).rank());
  if (ctx.input_count() > ops::kMostKnown) return slice_gradient(ctx, axis);
  std::vector<Tensor> lengths;
  for (const Tensor& input : ctx.inputs) lengths.push_back(ops::length_of(input, axis));
  const Tensor split = add_op("Concat", lengths, {{"axis", 0}});
  const auto parts = add_op_outputs("Split", {ctx.grad(), split}, {{"axis", axis}});
  for (int index = 0; index < ctx.input_count(); ++index) ctx.set(index, parts[static_cast<std::size_t>(index)]);
}

std::vector<Sample> samples() {
  return {
      {.name = "rows", .inputs = {in({2, 3}), in({4, 3})}, .attrs = {{"axis", 0}}},
      {.name = "middle", .inputs = {in({2, 1, 5}), in({2, 3, 5}), in({2, 2, 5})}, .attrs = {{"axis", 1}}},
      {.name = "last", .inputs = {in({2, 3, 4}), in({2, 3, 1})}, .attrs = {{"axis", -1}}},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({2, 1}, {1, 2})), in_exact(Array::of<double>({2, 2}, {3, 4, 5, 6}))},
       .attrs = {{"axis", 1}},
       .expected = {Array::of<double>({2, 3}, {1, 3, 4, 2, 5, 6})}},
      {.name = "one_input", .inputs = {in({2, 3})}, .attrs = {{"axis", 1}}},
      {.name = "many", .inputs = std::vector<SampleInput>(70, in({1, 2})), .attrs = {{"axis", 0}}},
      {.name = "empty_part", .inputs = {in({2, 3}), in({0, 3})}, .attrs = {{"axis", 0}}},
      {.name = "all_empty", .inputs = {in({2, 0}), in({1, 0})}, .attrs = {{"axis", 0}}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "other_lengths",
       .inputs = {in({2, 3}), in({2, 4})},
       .attrs = {{"axis", 0}},
       .code = ErrorCode::bad_shape,
       .contains = "equal lengths on every other axis"},
      {.name = "other_rank", .inputs = {in({2, 3}), in({2})}, .attrs = {{"axis", 0}}, .code = ErrorCode::bad_shape},
      {.name = "scalars",
       .inputs = {in({}), in({})},
       .attrs = {{"axis", 0}},
       .code = ErrorCode::bad_shape,
       .contains = "unsqueeze it first"},
      {.name = "no_such_axis", .inputs = {in({2}), in({3})}, .attrs = {{"axis", 1}}, .code = ErrorCode::bad_index},
      {.name = "no_axis", .inputs = {in({2}), in({3})}, .code = ErrorCode::missing_attribute, .contains = "axis"},
  };
}

}  // namespace

OpCard card_concat() {
  return {
      .name = "Concat",
      .category = Category::shape,
      .inputs = {{.name = "inputs",
                  .dtypes = kAnyType,
                  .kind = PortKind::variadic,
                  .words = {"the tensors to join, in order", "соединяемые тензоры по порядку"}}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"all of them, one after the other along the axis", "все они один за другим вдоль оси"}}},
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .words = {"the axis along which they are joined; -1 is the last",
                                "ось, вдоль которой они соединяются; -1 — последняя"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "Concat", .since = 4}},
      .torch = "torch.cat",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Puts tensors behind each other along one axis. Their lengths on that axis add up; on all other "
                    "axes they must be equal. Joining [2, 3] and [4, 3] along axis 0 gives [6, 3].",
                    "Ставит тензоры друг за другом вдоль одной оси. Их длины по этой оси складываются, по остальным "
                    "осям они должны совпадать. Соединение [2, 3] и [4, 3] по оси 0 даёт [6, 3]."},
           .formula = R"(y = [x_1; x_2; \ldots; x_n])",
           .why = {"It lets a later layer see several sources at once: skip connections of a U-Net, features of two "
                   "branches, a new token behind a cache of old ones. Unlike a sum it keeps the sources apart, so the "
                   "next layer learns itself how to mix them.",
                   "Позволяет следующему слою видеть сразу несколько источников: обходные связи U-Net, признаки двух "
                   "ветвей, новый токен вслед за кэшем прежних. В отличие от суммы источники не смешиваются, и "
                   "следующий слой сам учится их сочетать."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
