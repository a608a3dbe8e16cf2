#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// With the sign of the dividend, as C has it.
template <class T>
T truncated_remainder(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(a, b);
  } else {
    ops::check_integer_divisor(b);
    // The smallest integer by -1 has no quotient of its type, though its remainder is plain.
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return a % b;
  }
}

// With the sign of the divisor, as Python has it.
template <class T>
T floored_remainder(T a, T b) {
  const T rest = truncated_remainder(a, b);
  if constexpr (std::is_unsigned_v<T>) return rest;
  return rest != 0 && std::signbit(static_cast<double>(rest)) != std::signbit(static_cast<double>(b)) ? rest + b : rest;
}

std::optional<Dim> remainder_of_dims(const Dim& a, const Dim& b, bool fmod) {
  if (a.is_known() && b.is_known()) {
    if (b.value() == 0) return std::nullopt;
    return fmod ? truncated_remainder(a.value(), b.value()) : floored_remainder(a.value(), b.value());
  }
  // The two kinds agree where nothing is negative.
  if (a.lower_bound().value_or(-1) < 0 || b.lower_bound().value_or(0) < 1) return std::nullopt;
  return mod(a, b);
}

void infer(InferContext& ctx) {
  const bool fmod = ctx.boolean("fmod");
  ops::infer_known_broadcast([fmod](const Dim& a, const Dim& b) { return remainder_of_dims(a, b, fmod); })(ctx);
  if (is_float(ctx.dtype(0)) && !fmod) {
    fail(ErrorCode::bad_attribute, "floats (" + std::string(name_of(ctx.dtype(0))) + ") without 'fmod'",
         "fmod = true for floats: a remainder with the sign of the divisor is for integers only",
         "set fmod, or write a - b * floor(a / b)");
  }
}

void kernel(KernelContext& ctx) {
  const bool fmod = ctx.boolean("fmod");
  ops::dispatch_numeric(ctx.in(0),
                        [&]<class T>() { ops::binary<T>(ctx, fmod ? truncated_remainder<T> : floored_remainder<T>); });
}

// y = a - n * b with a whole n, which stays the same nearby. It is read off the result, where rounding cannot take it
// to a neighbour.
void gradient(GradientContext& ctx) {
  if (ctx.needs(0)) ctx.set_summed(0, ctx.grad());
  if (!ctx.needs(1)) return;
  const Tensor turns = add_op("Round", {(ctx.in(0) - ctx.out()) / ctx.in(1)});
  ctx.set_summed(1, -(ctx.grad() * turns));
}

Sample integers(std::string name, bool fmod, const std::vector<std::int64_t>& expected) {
  return {.name = std::move(name),
          .inputs = {in_ints({6}, {-4, 7, 5, 4, -7, 8}), in_ints({6}, {2, -3, 8, -2, 3, 5})},
          .attrs = {{"fmod", fmod}},
          .gradient = false,
          .expected = {Array::ints(expected)}};
}

std::vector<Sample> samples() {
  const Attrs fmod = {{"fmod", true}};
  Sample extremes =
      ops::exact2("floats_extremes", {5.5, -5.5, 5.5, 1, ops::kInfinity, 3, ops::kNan},
                  {2, 2, -2, ops::kInfinity, 2, 0, 1}, {1.5, -1.5, 1.5, 1, ops::kNan, ops::kNan, ops::kNan});
  extremes.attrs = fmod;
  return ops::join({ops::with_attrs(ops::binary_samples({5.2, 5.6}, {2, 2.3}), fmod),
                    {{.name = "negative_dividend", .inputs = {in({2, 3}, -5.6, -5.2), in({3}, 2, 2.3)}, .attrs = fmod},
                     {.name = "negative_divisor", .inputs = {in({2, 3}, 5.2, 5.6), in({3}, -2.3, -2)}, .attrs = fmod},
                     integers("integers_like_the_divisor", false, {0, -2, 5, 0, 2, 3}),
                     integers("integers_like_the_dividend", true, {0, 1, 5, 0, -1, 3}),
                     {.name = "smallest_integer_by_minus_one",
                      .inputs = {in_ints({1}, {INT64_MIN}), in_ints({1}, {-1})},
                      .gradient = false,
                      .expected = {Array::ints({0})}},
                     extremes}});
}

}  // namespace

OpCard card_mod() {
  return ops::binary_op({
      .name = "Mod",
      .category = Category::arithmetic,
      .attributes = {{.name = "fmod",
                      .kind = AttrKind::boolean,
                      .fallback = Attr(false),
                      .words = {"false: the remainder has the sign of b, integers only; true: the sign of a, as fmod "
                                "in C, and the only choice for floats",
                                "false: остаток имеет знак b, только для целых; true: знак a, как у fmod в C; для "
                                "вещественных возможно только это"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient = gradient,
      .cost = ops::cost_per_output(4),
      .onnx = {{.op = "Mod", .since = 13}},
      .torch = "torch.fmod",
      .peer_differences =
          {{{"floats_extremes"},
            "where there is no remainder the gradient by the divisor is NaN; PyTorch gives an infinity"}},
      .tolerance = ops::kExact,
      .words =
          {.what = {"What is left of the first tensor after dividing by the second a whole number of times, with "
                    "broadcasting. The attribute fmod says whose sign the remainder has: -7 by 3 gives 2 without it "
                    "and -1 with it. An integer divisor of 0 is an error, a float one gives NaN.",
                    "То, что остаётся от первого тензора после деления на второй целое число раз, с растягиванием "
                    "форм. Атрибут fmod решает, чей знак у остатка: −7 по модулю 3 даёт 2 без него и −1 с ним. Целый "
                    "делитель 0 — ошибка, вещественный даёт NaN."},
           .formula = "y = \\begin{cases} a - b \\lfloor \\frac{a}{b} \\rfloor & \\text{fmod} = \\text{false} \\\\ a - "
                      "b \\operatorname{trunc}(\\frac{a}{b}) & \\text{fmod} = \\text{true} \\end{cases}",
           .why =
               {"Makes things periodic: an index that wraps around a ring buffer, an angle brought back into one turn, "
                "a step counter that fires every n steps. By a its slope is 1; by b it is minus the number of whole "
                "turns.",
                "Делает величины периодическими: индекс кольцевого буфера, угол, приведённый к одному обороту, "
                "счётчик, срабатывающий каждые n шагов. Наклон по a равен 1, а по b — минус число полных оборотов."}},
      .samples = samples(),
      .bad_samples = {ops::refuse_broadcast(),
                      ops::refuse_mixed_dtypes(),
                      ops::refuse_bool_operands(),
                      {.name = "floats_without_fmod",
                       .inputs = {in({2}), in({2})},
                       .code = ErrorCode::bad_attribute,
                       .contains = "write a - b * floor(a / b)"},
                      ops::refuse_integer_zero()},
  });
}

}  // namespace asg::cards
