#include <string>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

std::int64_t checked_delta(std::int64_t delta) {
  if (delta == 0) fail(ErrorCode::bad_index, "a range with delta 0", "a delta that is not 0");
  return delta;
}

// The number of steps; nothing where it cannot be told while building.
std::optional<Dim> count_of(const InferContext& ctx) {
  const auto start = ctx.known(0);
  const auto limit = ctx.known(1);
  const auto delta = ctx.known(2);
  if (delta && delta->front().is_known()) checked_delta(delta->front().value());
  if (!start || !limit || !delta || !delta->front().is_known()) return std::nullopt;
  // The quotient is the same with both signs turned, and dims are divided by positive numbers.
  const bool rising = delta->front().value() > 0;
  const Dim distance = rising ? limit->front() - start->front() : start->front() - limit->front();
  return ceil_div(ops::not_negative(distance), rising ? delta->front() : Dim(0) - delta->front());
}

void infer(InferContext& ctx) {
  for (int index = 0; index < 3; ++index) {
    if (ctx.shape(index).rank() == 0) continue;
    fail(ErrorCode::bad_shape, "shape " + ctx.shape(index).to_string() + " for a bound of a range", "a scalar",
         "squeeze it first");
  }
  const auto count = count_of(ctx);
  const TensorType type{DType::i64, {count ? *count : ctx.fresh_symbol()}};
  ctx.output(type);
  if (!count || !count->is_known() || count->value() > ops::kMostKnown) return;
  std::vector<Dim> contents;
  for (std::int64_t k = 0; k < count->value(); ++k) {
    contents.push_back(ctx.known(0)->front() + Dim(k) * ctx.known(2)->front());
  }
  ops::set_known(ctx, type, std::move(contents));
}

void kernel(KernelContext& ctx) {
  std::int64_t number = ctx.in(0).get_i64(0);
  const std::int64_t delta = ctx.in(2).get_i64(0);
  for (std::int64_t& element : ctx.out().mutable_data<std::int64_t>()) {
    element = number;
    number = ops::wrapping_add(number, delta);
  }
}

std::vector<Sample> samples() {
  const auto range = [](std::string name, std::int64_t start, std::int64_t limit, std::int64_t delta,
                        std::vector<std::int64_t> expected) {
    return Sample{.name = std::move(name),
                  .inputs = {in_ints({}, {start}), in_ints({}, {limit}), in_ints({}, {delta})},
                  .expected = {Array::ints(expected)}};
  };
  return {
      range("rising", 0, 4, 1, {0, 1, 2, 3}),  range("by_three", 1, 9, 3, {1, 4, 7}),
      range("falling", 5, -2, -3, {5, 2, -1}), range("nothing", 3, 3, 1, {}),
      range("wrong_way", 3, 0, 1, {}),
  };
}

Port bound(std::string_view name, Words words) {
  return {.name = name, .dtypes = kInt64, .type = "", .words = words, .differentiable = false};
}

}  // namespace

OpCard card_range() {
  return {
      .name = "Range",
      .category = Category::indexing,
      .inputs = {bound("start", {"the first number", "первое число"}),
                 bound("limit",
                       {"where it stops; this number is not reached", "где остановиться; само число не входит"}),
                 bound("delta", {"the distance from one number to the next; may be negative",
                                 "расстояние от числа до следующего; может быть отрицательным"})},
      .outputs = {{.name = "y",
                   .dtypes = kInt64,
                   .type = "",
                   .words = {"the numbers in order", "числа по порядку"},
                   .differentiable = false}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "the numbers are integers",
      .cost = ops::cost_per_output(1),
      .onnx = {{.op = "Range", .since = 11}},
      .torch = "torch.arange",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Counts: the integers from `start` in steps of `delta`, as long as they have not reached `limit`. "
                    "From 0 to 4 by 1 gives [0, 1, 2, 3].",
                    "Считает: целые числа от `start` с шагом `delta`, пока не достигнут `limit`. От 0 до 4 с шагом 1 "
                    "получается [0, 1, 2, 3]."},
           .formula = R"(y_k = s + k d, \quad 0 \le k < \lceil (l - s) / d \rceil)",
           .why = {"Positions of tokens for position codes and the row numbers for look-ups are such ranges. Their "
                   "length may follow from a Shape, so one graph serves sequences of any length.",
                   "Позиции токенов для позиционного кодирования и номера строк для выборки — такие ряды. Их длина "
                   "может вычисляться из Shape, поэтому один граф годится для последовательностей любой длины."}},
      .samples = samples(),
      .bad_samples = {{.name = "delta_zero",
                       .inputs = {in_ints({}, {0}), in_ints({}, {3}), in_ints({}, {0})},
                       .code = ErrorCode::bad_index,
                       .contains = "a delta that is not 0"},
                      {.name = "vector",
                       .inputs = {in_ints({1}, {0}), in_ints({}, {3}), in_ints({}, {1})},
                       .code = ErrorCode::bad_shape,
                       .contains = "a scalar"}},
  };
}

}  // namespace asg::cards
