#include <limits>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

void infer(InferContext& ctx) {
  const Shape whole(ctx.need_known(1));
  const Shape part = ops::slice_shape(ctx, whole, 2);
  const Shape& given = ctx.shape(0);
  bool fits = given.rank() == part.rank();
  for (int axis = 0; fits && axis < part.rank(); ++axis) fits = !ops::surely_differ(given[axis], part[axis]);
  if (!fits) {
    fail(ErrorCode::bad_shape, "a gradient of shape " + given.to_string() + " for a slice of shape " + part.to_string(),
         "the shape of the slice");
  }
  ctx.output({ctx.dtype(0), whole});
}

void kernel(KernelContext& ctx) {
  Array part = ops::slice_view(ctx, ctx.out(), 2);
  part.assign(ctx.in(0));
}

// Axis by axis: the positions that Slice takes from 0, 1, 2 … are those to which GatherGrad adds.
void body(BodyContext& ctx) {
  Graph& graph = ctx.graph();
  const auto numbers = [&](std::int64_t number) { return ops::ints(graph, {number}); };
  const auto part = [&](const Tensor& list, std::int64_t first, std::int64_t past) {
    return add_op("Slice", {list, numbers(first), numbers(past)});
  };
  const Tensor zero = graph.constant(Array::scalar_i64(0));
  const Tensor one = graph.constant(Array::scalar_i64(1));
  const auto rank = static_cast<int>(ctx.in(1).shape()[0].value());
  const auto axes = ops::sliced_axes(ctx, 2, rank);
  Tensor result = add_op("Identity", {ctx.in(0)});
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const auto at = static_cast<std::int64_t>(k);
    const int axis = axes[k];
    const Tensor length = part(ctx.in(1), axis, axis + 1);
    const Tensor all = add_op("Range", {zero, add_op("Squeeze", {length, numbers(0)}), one});
    const Tensor step = ctx.has(5) ? part(ctx.in(5), at, at + 1) : Tensor();
    const Tensor taken =
        add_op("Slice", {all, part(ctx.in(2), at, at + 1), part(ctx.in(3), at, at + 1), numbers(0), step});
    const Tensor now = add_op("Shape", {result});
    const Tensor whole = add_op("Concat", {part(now, 0, axis), length, part(now, axis + 1, rank)}, {{"axis", 0}});
    result = add_op("GatherGrad", {result, taken, whole}, {{"axis", axis}});
  }
  ctx.output(result);
}

void gradient(GradientContext& ctx) {
  std::vector<Tensor> inputs = {ctx.grad()};
  inputs.insert(inputs.end(), ctx.inputs.begin() + 2, ctx.inputs.end());
  ctx.set(0, add_op("Slice", inputs));
}

std::vector<Sample> samples() {
  return {
      {.name = "first_axis", .inputs = {in({2, 3}), in_ints({2}, {5, 3}), in_ints({1}, {1}), in_ints({1}, {3})}},
      {.name = "two_axes",
       .inputs = {in({3, 4, 2}), in_ints({3}, {3, 4, 5}), in_ints({2}, {0, -3}), in_ints({2}, {2, kEnd}),
                  in_ints({2}, {2, 0})}},
      {.name = "step",
       .inputs = {in({2, 3}), in_ints({2}, {2, 7}), in_ints({1}, {1}), in_ints({1}, {kEnd}), in_ints({1}, {1}),
                  in_ints({1}, {2})}},
      {.name = "reversed",
       .inputs = {in_exact(Array::of<double>({2}, {1, 2})), in_ints({1}, {4}), in_ints({1}, {2}), in_ints({1}, {0}),
                  absent(), in_ints({1}, {-1})},
       .expected = {Array::of<double>({4}, {0, 2, 1, 0})}},
      {.name = "nothing",
       .inputs = {in({0}), in_ints({1}, {3}), in_ints({1}, {2}), in_ints({1}, {1})},
       .gradient = false},
      {.name = "empty",
       .inputs = {in({0, 2}), in_ints({2}, {0, 2}), in_ints({1}, {0}), in_ints({1}, {1})},
       .gradient = false},
  };
}

}  // namespace

OpCard card_slice_grad() {
  const auto list = [](std::string_view name, PortKind kind, Words words) {
    return Port{.name = name, .dtypes = kInt64, .type = "", .kind = kind, .words = words, .differentiable = false};
  };
  return {
      .name = "SliceGrad",
      .category = Category::shape,
      .inputs = {{.name = "grad", .words = {"the gradient of the slice", "градиент среза"}},
                 list("shape", PortKind::required, {"the shape of what was sliced", "форма исходного тензора"}),
                 list("starts", PortKind::required, {"as of the slice", "как у среза"}),
                 list("ends", PortKind::required, {"as of the slice", "как у среза"}),
                 list("axes", PortKind::optional, {"as of the slice", "как у среза"}),
                 list("steps", PortKind::optional, {"as of the slice", "как у среза"})},
      .outputs = {{.name = "y",
                   .words = {"zeros with the gradient in place of the slice", "нули с градиентом на месте среза"}}},
      .traits = {.gradient_only = true},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .torch = "torch.slice_scatter",
      .tolerance = ops::kExact,
      .words =
          {.what =
               {"Makes a tensor of zeros of the given shape and puts another tensor into the place that Slice "
                "with the same positions and steps would read. It is the transpose of Slice as a linear map.",
                "Создаёт тензор нулей заданной формы и кладёт другой тензор на то место, которое прочитала бы Slice "
                "с теми же позициями и шагами. Как линейное отображение это транспонированная Slice."},
           .formula = R"(y_{s + k t} = g_k, \quad y_i = 0 \text{ elsewhere})",
           .why =
               {"What was not sliced has no influence on the result, so its gradient is zero; what was sliced gets "
                "its gradient back unchanged. Its own gradient is a Slice, so derivatives of any order stay within "
                "these two ops.",
                "То, что не попало в срез, не влияет на результат, и его градиент — нуль; попавшее получает свой "
                "градиент обратно без изменений. Её собственный градиент — Slice, поэтому производные любого порядка "
                "выражаются этими двумя операциями."}},
      .samples = samples(),
      .bad_samples = {{.name = "other_shape",
                       .inputs = {in({3, 3}), in_ints({2}, {5, 3}), in_ints({1}, {1}), in_ints({1}, {3})},
                       .code = ErrorCode::bad_shape,
                       .contains = "the shape of the slice"}},
  };
}

}  // namespace asg::cards
