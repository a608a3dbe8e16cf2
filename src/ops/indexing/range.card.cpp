#include <cmath>
#include <string>
#include <type_traits>

#include "asg/graph/card.h"
#include "asg/graph/input_values.h"
#include "ops/support/cost.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

constexpr DTypeSet kCountable = kFloats | DTypeSet{DType::i16, DType::i32, DType::i64};

void check_delta(bool is_zero) {
  if (is_zero) fail(ErrorCode::bad_index, "a range with delta 0", "a delta that is not 0");
}

// The number of steps of integers that are followed while building; nothing where it cannot be told.
std::optional<Dim> followed_count(const InferContext& ctx) {
  const auto start = ctx.known(0);
  const auto limit = ctx.known(1);
  const auto delta = ctx.known(2);
  if (!start || !limit || !delta || !delta->front().is_known()) return std::nullopt;
  check_delta(delta->front().value() == 0);
  // The quotient is the same with both signs turned, and dims are divided by positive numbers.
  const bool rising = delta->front().value() > 0;
  const Dim distance = rising ? limit->front() - start->front() : start->front() - limit->front();
  return ceil_div(ops::not_negative(distance), rising ? delta->front() : Dim(0) - delta->front());
}

// The same of the numbers themselves, which floats need.
std::optional<Dim> computed_count() {
  const Array* start = InputValues::at(0);
  const Array* limit = InputValues::at(1);
  const Array* delta = InputValues::at(2);
  if (start == nullptr || limit == nullptr || delta == nullptr) return std::nullopt;
  check_delta(delta->get(0) == 0);
  const double steps = std::ceil((limit->get(0) - start->get(0)) / delta->get(0));
  constexpr double kMost = 9e15;  // beyond it a double no longer counts in steps of 1
  if (!(std::fabs(steps) < kMost)) {
    fail(ErrorCode::bad_dim, "a range of " + Attr(steps).to_string() + " numbers", "finite bounds and a larger delta");
  }
  return Dim(steps > 0 ? static_cast<std::int64_t>(steps) : 0);
}

void infer(InferContext& ctx) {
  for (int index = 0; index < 3; ++index) {
    if (ctx.shape(index).rank() == 0) continue;
    fail(ErrorCode::bad_shape, "shape " + ctx.shape(index).to_string() + " for a bound of a range", "a scalar",
         "squeeze it first");
  }
  const auto followed = followed_count(ctx);
  const auto count = followed ? followed : computed_count();
  const TensorType type{ctx.dtype(0), {count ? *count : ctx.fresh_symbol()}};
  ctx.output(type);
  if (!followed || !count->is_known() || count->value() > ops::kMostKnown) return;
  std::vector<Dim> contents;
  for (std::int64_t k = 0; k < count->value(); ++k) {
    contents.push_back(ctx.known(0)->front() + Dim(k) * ctx.known(2)->front());
  }
  ops::set_known(ctx, type, std::move(contents));
}

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.out(), [&]<class T>() {
    const T start = ctx.in(0).data<T>().front();
    const T delta = ctx.in(2).data<T>().front();
    const auto out = ctx.out().mutable_data<T>();
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] = ops::wrapping_add(start, ops::wrapping_mul(static_cast<T>(k), delta));
    }
  });
}

std::vector<Sample> samples() {
  const auto range = [](std::string name, std::int64_t start, std::int64_t limit, std::int64_t delta,
                        std::vector<std::int64_t> expected) {
    return Sample{.name = std::move(name),
                  .inputs = {in_ints({}, {start}), in_ints({}, {limit}), in_ints({}, {delta})},
                  .expected = {Array::ints(expected)}};
  };
  const auto reals = [](std::string name, double start, double limit, double delta, std::vector<double> expected) {
    const auto scalar = [](double value) { return in_exact(Array::scalar(DType::f64, value)); };
    return Sample{.name = std::move(name),
                  .inputs = {scalar(start), scalar(limit), scalar(delta)},
                  .expected = {ops::reals(expected)}};
  };
  return {
      range("rising", 0, 4, 1, {0, 1, 2, 3}),
      range("by_three", 1, 9, 3, {1, 4, 7}),
      range("falling", 5, -2, -3, {5, 2, -1}),
      range("nothing", 3, 3, 1, {}),
      range("wrong_way", 3, 0, 1, {}),
      reals("halves", 1, 2.75, 0.5, {1, 1.5, 2, 2.5}),
      reals("falling_reals", 1, -1, -0.75, {1, 0.25, -0.5}),
      reals("no_reals", 1, 0.5, 1, {}),
  };
}

Port bound(std::string_view name, Words words) {
  return {.name = name, .dtypes = kCountable, .words = words, .differentiable = false};
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
                   .dtypes = kCountable,
                   .words = {"the numbers in order", "числа по порядку"},
                   .differentiable = false}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "The bounds decide how many numbers there are and count as constants.",
      .cost = ops::cost_per_output(1),
      .onnx = {{.op = "Range", .since = 11}},
      .torch = "torch.arange",
      .tolerance = {.f64 = 1e-15, .f32 = 1e-7, .f16 = 1e-3, .bf16 = 8e-3},
      .words =
          {.what =
               {"Counts: the numbers from `start` in steps of `delta`, as long as they have not reached `limit`. From "
                "0 to 4 by 1 gives [0, 1, 2, 3]; a `delta` that leads away from `limit` gives nothing, and a `delta` "
                "of 0 is an error. Floats work too: each is computed from the start, so that no error adds up.",
                "Считает: числа от `start` с шагом `delta`, пока не достигнут `limit`. От 0 до 4 с шагом 1 получается "
                "[0, 1, 2, 3]; если `delta` уводит от `limit`, не получается ничего, а нулевой `delta` — ошибка. Шаг "
                "может быть и дробным: каждое число вычисляется от начала, чтобы погрешность не накапливалась."},
           .formula = R"(y_k = s + k d, \quad 0 \le k < \lceil (l - s) / d \rceil)",
           .why = {"The positions of tokens from which a transformer makes its position codes are such a range, and so "
                   "are row numbers for look-ups. Their length may follow from a Shape, so one graph serves sequences "
                   "of any length.",
                   "Номера позиций, из которых трансформер строит позиционное кодирование, и номера строк для выборки "
                   "— такие ряды. Их длина может вычисляться из Shape, поэтому один граф годится для "
                   "последовательностей любой длины."}},
      .samples = samples(),
      .bad_samples = {{.name = "delta_zero",
                       .inputs = {in_ints({}, {0}), in_ints({}, {3}), in_ints({}, {0})},
                       .code = ErrorCode::bad_index,
                       .contains = "a delta that is not 0"},
                      {.name = "vector",
                       .inputs = {in_ints({1}, {0}), in_ints({}, {3}), in_ints({}, {1})},
                       .code = ErrorCode::bad_shape,
                       .contains = "a scalar"},
                      {.name = "rank_3",
                       .inputs = {in({2, 3, 4}), in({}), in({})},
                       .code = ErrorCode::bad_shape,
                       .contains = "shape [2, 3, 4] for a bound"},
                      {.name = "endless",
                       .inputs = {in_exact(Array::scalar(DType::f64, 0)),
                                  in_exact(Array::scalar(DType::f64, ops::kInfinity)),
                                  in_exact(Array::scalar(DType::f64, 1))},
                       .code = ErrorCode::bad_dim,
                       .contains = "finite bounds"}},
  };
}

}  // namespace asg::cards
