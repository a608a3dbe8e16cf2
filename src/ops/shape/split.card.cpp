#include <string>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

// The parts that the input `split` names; together they are the whole axis.
std::vector<Dim> given_lengths(const InferContext& ctx, const Dim& whole) {
  auto lengths = ctx.need_known(1);
  const auto wanted = ctx.integer("num_outputs");
  if (wanted != 0 && wanted != static_cast<std::int64_t>(lengths.size())) {
    fail(ErrorCode::bad_attribute,
         std::to_string(lengths.size()) + " lengths and 'num_outputs' " + std::to_string(wanted),
         "the same number of both", "leave 'num_outputs' out: the lengths tell it");
  }
  Dim sum = 0;
  for (const Dim& length : lengths) {
    if (length.is_known() && length.value() < 0) {
      fail(ErrorCode::bad_shape, "a part of length " + length.to_string(), "parts of length 0 or more");
    }
    sum = sum + length;
  }
  if (sum != whole) {
    fail(ErrorCode::bad_shape, "parts that add up to " + sum.to_string() + " of an axis of length " + whole.to_string(),
         "lengths that add up to the whole axis", "compute lengths that depend on the input from its Shape");
  }
  return lengths;
}

// Equal parts, the last one smaller where the length does not divide (ONNX 18).
std::vector<Dim> equal_lengths(std::int64_t count, const Dim& whole) {
  if (count == 0) {
    fail(ErrorCode::bad_attribute, "neither lengths nor a number of parts", "the input 'split' or 'num_outputs'");
  }
  const Dim part = ceil_div(whole, count);
  const Dim last = whole - part * Dim(count - 1);
  if (last.is_known() && last.value() < 0) {
    fail(ErrorCode::bad_shape,
         "an axis of length " + whole.to_string() + " in " + std::to_string(count) + " equal parts",
         "a length that fills all parts but the last", "ask for fewer parts, or name their lengths with 'split'");
  }
  std::vector<Dim> lengths(static_cast<std::size_t>(count), part);
  lengths.back() = last;
  return lengths;
}

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  const int axis = normalize_axis(ctx.integer("axis"), shape.rank());
  const auto lengths =
      ctx.has(1) ? given_lengths(ctx, shape[axis]) : equal_lengths(ctx.integer("num_outputs"), shape[axis]);
  for (const Dim& length : lengths) {
    std::vector<Dim> dims = shape.dims();
    dims[static_cast<std::size_t>(axis)] = length;
    ctx.output({ctx.dtype(0), Shape(std::move(dims))});
  }
}

// The sizes of the outputs tell where each part begins.
void kernel(KernelContext& ctx) {
  const int axis = normalize_axis(ctx.integer("axis"), ctx.in(0).rank());
  std::int64_t start = 0;
  for (Array& part : ctx.outputs) {
    const std::int64_t length = part.sizes()[static_cast<std::size_t>(axis)];
    part.assign(ctx.in(0).sliced(axis, start, length, 1));
    start += length;
  }
}

void gradient(GradientContext& ctx) {
  std::vector<Tensor> parts;
  for (std::size_t index = 0; index < ctx.outputs.size(); ++index) parts.push_back(ctx.grad(static_cast<int>(index)));
  ctx.set(0, add_op("Concat", parts, {{"axis", ctx.integer("axis")}}));
}

std::vector<Sample> samples() {
  return {
      {.name = "given_lengths", .inputs = {in({6, 2}), in_ints({3}, {1, 3, 2})}},
      {.name = "given_lengths_last_axis", .inputs = {in({2, 3, 4}), in_ints({2}, {3, 1})}, .attrs = {{"axis", -1}}},
      {.name = "equal_parts", .inputs = {in({4, 3, 2})}, .attrs = {{"num_outputs", 2}}},
      {.name = "last_smaller", .inputs = {in({2, 7, 3})}, .attrs = {{"axis", 1}, {"num_outputs", 3}}},
      {.name = "both_given", .inputs = {in({2, 3}), in_ints({2}, {2, 1})}, .attrs = {{"axis", 1}, {"num_outputs", 2}}},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({2, 3}, {1, 2, 3, 4, 5, 6})), in_ints({2}, {1, 2})},
       .attrs = {{"axis", 1}},
       .expected = {Array::of<double>({2, 1}, {1, 4}), Array::of<double>({2, 2}, {2, 3, 5, 6})}},
      {.name = "one_part", .inputs = {in({3, 2})}, .attrs = {{"num_outputs", 1}}},
      {.name = "empty_part", .inputs = {in({3, 2}), in_ints({2}, {0, 3})}},
      {.name = "empty", .inputs = {in({0, 2})}, .attrs = {{"num_outputs", 2}}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "other_sum",
       .inputs = {in({6, 2}), in_ints({2}, {1, 3})},
       .code = ErrorCode::bad_shape,
       .contains = "add up to 4 of an axis of length 6"},
      {.name = "nothing_said", .inputs = {in({6, 2})}, .code = ErrorCode::bad_attribute, .contains = "num_outputs"},
      {.name = "contradiction",
       .inputs = {in({6}), in_ints({2}, {3, 3})},
       .attrs = {{"num_outputs", 3}},
       .code = ErrorCode::bad_attribute,
       .contains = "2 lengths and 'num_outputs' 3"},
      {.name = "too_many_parts",
       .inputs = {in({5})},
       .attrs = {{"num_outputs", 4}},
       .code = ErrorCode::bad_shape,
       .contains = "ask for fewer parts"},
      {.name = "negative_part", .inputs = {in({2}), in_ints({2}, {-1, 3})}, .code = ErrorCode::bad_shape},
      {.name = "negative_count",
       .inputs = {in({2})},
       .attrs = {{"num_outputs", -1}},
       .code = ErrorCode::bad_attribute,
       .contains = "at least 0"},
  };
}

}  // namespace

OpCard card_split() {
  return {
      .name = "Split",
      .category = Category::shape,
      .inputs = {{.name = "x", .dtypes = kAnyType, .words = {"the tensor to cut", "разрезаемый тензор"}},
                 {.name = "split",
                  .dtypes = kInt64,
                  .type = "",
                  .kind = PortKind::optional,
                  .words = {"the length of each part; without it the parts are equal",
                            "длина каждой части; без неё части равны"},
                  .differentiable = false}},
      .outputs = {{.name = "parts",
                   .dtypes = kAnyType,
                   .kind = PortKind::variadic,
                   .words = {"the parts in order", "части по порядку"}}},
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = 0,
                      .words = {"the axis that is cut; -1 is the last", "разрезаемая ось; -1 — последняя"}},
                     {.name = "num_outputs",
                      .kind = AttrKind::integer,
                      .fallback = 0,
                      .least = 0,
                      .words = {"the number of equal parts; 0 takes it from `split`",
                                "число равных частей; 0 — взять его из `split`"}}},
      .traits = {.view = true},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_nothing,
      .onnx = {{.op = "Split", .since = 18}},
      .torch = "torch.split",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Cuts a tensor along one axis into consecutive parts: of the given lengths, or into a given number "
                    "of equal ones, of which the last is smaller when the length does not divide. It has as many "
                    "outputs as there are parts, and Concat undoes it.",
                    "Разрезает тензор вдоль одной оси на идущие подряд части: заданных длин или заданное число равных, "
                    "из которых последняя меньше, если длина не делится нацело. Выходов столько, сколько частей; "
                    "Concat выполняет обратное действие."},
           .formula = R"(x = [y_1; y_2; \ldots; y_n])",
           .why = {"One large matrix product is faster than three small ones: attention computes queries, keys and "
                   "values together and splits the result. Gated units split their features into a value and its gate.",
                   "Одно большое произведение матриц быстрее трёх малых: внимание вычисляет запросы, ключи и значения "
                   "вместе и разделяет результат. Вентильные блоки делят признаки на значение и его вентиль."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
