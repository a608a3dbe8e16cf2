#include <limits>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kBegin = std::numeric_limits<std::int64_t>::min();

// The elements that a slice takes from a vector of known contents; nothing where the positions are not numbers.
std::optional<std::vector<Dim>> sliced_contents(const InferContext& ctx, const std::vector<Dim>& contents) {
  if (ctx.shape(0).rank() != 1 || ctx.shape(1) != Shape{1}) return std::nullopt;
  const auto start = ctx.known(1);
  const auto end = ctx.known(2);
  const auto step = ctx.has(4) ? ctx.known(4) : std::optional(std::vector<Dim>{1});
  if (!start || !end || !step) return std::nullopt;
  if (!start->front().is_known() || !end->front().is_known() || !step->front().is_known()) return std::nullopt;
  const auto range = ops::slice_range(start->front().value(), end->front().value(), step->front().value(),
                                      static_cast<std::int64_t>(contents.size()));
  std::vector<Dim> result;
  for (std::int64_t k = 0; k < range.count; ++k) {
    result.push_back(contents[static_cast<std::size_t>(range.start + k * range.step)]);
  }
  return result;
}

void infer(InferContext& ctx) {
  const TensorType type{ctx.dtype(0), ops::slice_shape(ctx, ctx.shape(0), 1)};
  ctx.output(type);
  const auto known = ctx.known(0);
  if (!known) return;
  if (auto contents = sliced_contents(ctx, *known)) ops::set_known(ctx, type, *std::move(contents));
}

void kernel(KernelContext& ctx) { ctx.out().assign(ops::slice_view(ctx, ctx.in(0), 1)); }

void gradient(GradientContext& ctx) {
  std::vector<Tensor> inputs = {ctx.grad(), ops::shape_of(ctx.in(0))};
  inputs.insert(inputs.end(), ctx.inputs.begin() + 1, ctx.inputs.end());
  ctx.set(0, add_op("SliceGrad", inputs));
}

std::vector<Sample> samples() {
  return {
      {.name = "first_axis", .inputs = {in({5, 2, 3}), in_ints({1}, {1}), in_ints({1}, {4})}},
      {.name = "two_axes",
       .inputs = {in({3, 4, 5}), in_ints({2}, {0, 1}), in_ints({2}, {2, 4}), in_ints({2}, {2, 0}),
                  in_ints({2}, {1, 1})}},
      {.name = "negative_positions",
       .inputs = {in({2, 6}), in_ints({1}, {-4}), in_ints({1}, {-1}), in_ints({1}, {-1})}},
      {.name = "step",
       .inputs = {in({2, 7, 3}), in_ints({1}, {1}), in_ints({1}, {kEnd}), in_ints({1}, {1}), in_ints({1}, {3})}},
      {.name = "reversed",
       .inputs = {in_exact(Array::of<double>({4}, {1, 2, 3, 4})), in_ints({1}, {-1}), in_ints({1}, {kBegin}), absent(),
                  in_ints({1}, {-1})},
       .expected = {Array::of<double>({4}, {4, 3, 2, 1})}},
      {.name = "negative_step",
       .inputs = {in_exact(Array::of<double>({6}, {0, 1, 2, 3, 4, 5})), in_ints({1}, {10}), in_ints({1}, {0}),
                  in_ints({1}, {0}), in_ints({1}, {-2})},
       .expected = {Array::of<double>({3}, {5, 3, 1})}},
      {.name = "cut_at_the_ends",
       .inputs = {in_exact(Array::of<double>({3}, {1, 2, 3})), in_ints({1}, {-9}), in_ints({1}, {9})},
       .expected = {Array::of<double>({3}, {1, 2, 3})}},
      {.name = "no_axes", .inputs = {in({2, 3}), in_ints({0}, {}), in_ints({0}, {})}},
      {.name = "nothing_left", .inputs = {in({4, 2}), in_ints({1}, {3}), in_ints({1}, {1})}, .gradient = false},
      {.name = "empty", .inputs = {in({0, 3}), in_ints({1}, {0}), in_ints({1}, {5})}, .gradient = false},
      {.name = "empty_reversed",
       .inputs = {in({0}), in_ints({1}, {-1}), in_ints({1}, {kBegin}), in_ints({1}, {0}), in_ints({1}, {-1})},
       .gradient = false},
      {.name = "long_steps",
       .inputs = {in({3}), in_ints({1}, {2}), in_ints({1}, {kBegin}), in_ints({1}, {0}), in_ints({1}, {kBegin})},
       .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "step_zero",
       .inputs = {in({4}), in_ints({1}, {0}), in_ints({1}, {2}), in_ints({1}, {0}), in_ints({1}, {0})},
       .code = ErrorCode::bad_index,
       .contains = "a step that is not 0"},
      {.name = "uneven_lists",
       .inputs = {in({4, 4}), in_ints({2}, {0, 0}), in_ints({1}, {2})},
       .code = ErrorCode::bad_shape,
       .contains = "2 starts, 1 ends"},
      {.name = "axis_twice",
       .inputs = {in({4, 4}), in_ints({2}, {0, 0}), in_ints({2}, {2, 2}), in_ints({2}, {0, -2})},
       .code = ErrorCode::bad_index,
       .contains = "each axis at most once"},
      {.name = "more_than_rank",
       .inputs = {in({4}), in_ints({2}, {0, 0}), in_ints({2}, {2, 2})},
       .code = ErrorCode::bad_index},
      {.name = "starts_matrix",
       .inputs = {in({4}), in_ints({1, 1}, {0}), in_ints({1, 1}, {2})},
       .code = ErrorCode::bad_shape,
       .contains = "input 'starts'"},
  };
}

}  // namespace

OpCard card_slice() {
  return {
      .name = "Slice",
      .category = Category::shape,
      .inputs = {{.name = "x", .dtypes = kAnyType, .words = {"any tensor", "любой тензор"}},
                 {.name = "starts",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"the first position on each axis that is cut; negative ones count from the end",
                            "первая позиция на каждой разрезаемой оси; отрицательные считаются с конца"},
                  .differentiable = false},
                 {.name = "ends",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"the position before which it stops; large numbers mean the end",
                            "позиция, перед которой срез кончается; большие числа означают конец"},
                  .differentiable = false},
                 {.name = "axes",
                  .dtypes = kInt64,
                  .type = "",
                  .kind = PortKind::optional,
                  .words = {"the axes that are cut; without it the first ones", "разрезаемые оси; без них — первые"},
                  .differentiable = false},
                 {.name = "steps",
                  .dtypes = kInt64,
                  .type = "",
                  .kind = PortKind::optional,
                  .words = {"the distance between elements, 1 without it; negative steps run backwards",
                            "расстояние между элементами, по умолчанию 1; отрицательные шаги идут назад"},
                  .differentiable = false}},
      .outputs = {{.name = "y", .dtypes = kAnyType, .words = {"that part of x", "эта часть x"}}},
      .traits = {.view = true},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_nothing,
      .onnx = {{.op = "Slice", .since = 10}},
      .torch = "torch.Tensor.__getitem__",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Takes a regular part of a tensor: on each named axis the elements from `starts` up to, but not "
                    "including, `ends`, every `steps`-th of them. Negative positions count from the end; positions "
                    "outside the axis are moved to its nearer end instead of being an error, so the part may be empty.",
                    "Берёт регулярную часть тензора: на каждой названной оси элементы от `starts` до `ends`, не "
                    "включая последний, с шагом `steps`. Отрицательные позиции считаются с конца; выходящие за ось не "
                    "вызывают ошибки, а сдвигаются к её ближайшему краю, так что часть может оказаться пустой."},
           .formula = R"(y_k = x_{s + k t}, \quad 0 \le k < \lceil (e - s) / t \rceil)",
           .why = {"Windows of a time series, the first token of a sequence, a crop of a picture, every second feature "
                   "for rotary codes: all are slices. Only its own part of x receives a gradient, the rest gets zero.",
                   "Окна временного ряда, первый токен последовательности, вырезка из изображения, каждый второй "
                   "признак для вращательного кодирования — всё это срезы. Градиент получает только взятая часть x, "
                   "остальное — нуль."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
