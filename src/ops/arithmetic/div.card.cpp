#include <cstdint>
#include <optional>
#include <type_traits>

#include "asg/graph/card.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// Integers: truncates toward zero, as C and ONNX do.
template <class T>
T divide(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    ops::check_integer_divisor(b);
    // The smallest integer has no positive counterpart; the quotient wraps.
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return ops::wrapping_sub<T>(0, a);
  }
  return a / b;
}

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() { ops::binary<T>(ctx, divide<T>); });
}

// Dims round down and integer tensors toward zero; the two agree where nothing is negative or nothing is left over.
std::optional<Dim> divide_dims(const Dim& a, const Dim& b) {
  if (a.is_known() && b.is_known()) {
    if (b.value() == 0) return std::nullopt;
    return divide(a.value(), b.value());
  }
  Dim quotient = floor_div(a, b);
  const bool never_negative = a.lower_bound().value_or(-1) >= 0 && b.lower_bound().value_or(0) >= 1;
  if (!never_negative && quotient * b != a) return std::nullopt;
  return quotient;
}

void gradient(GradientContext& ctx) {
  const Tensor scaled = ctx.grad() / ctx.in(1);
  if (ctx.needs(0)) ctx.set_summed(0, scaled);
  if (ctx.needs(1)) ctx.set_summed(1, -(scaled * ctx.out()));
}

}  // namespace

OpCard card_div() {
  return {
      .name = "Div",
      .category = Category::arithmetic,
      .inputs = ops::operand_ports(kNumbers),
      .outputs = ops::broadcast_port(kNumbers),
      .traits = {.elementwise = true},
      .scalar = ScalarOp::div,
      .infer = ops::infer_known_broadcast(divide_dims),
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .onnx = {{.op = "Div", .since = 14}},
      .torch = "torch.div",
      .words =
          {.what = {"Divides the first tensor by the second, element by element, with broadcasting. Floats divided by "
                    "zero give infinity or NaN; integers round toward zero, and a zero divisor is an error.",
                    "Делит первый тензор на второй поэлементно, с растягиванием форм. Деление вещественных на ноль "
                    "даёт бесконечность или NaN; целые округляются к нулю, а нулевой делитель — ошибка."},
           .formula = "y = \\frac{a}{b}",
           .why =
               {"Division turns sums into means and scores into shares: every normalisation ends in one. Its "
                "gradient grows as the divisor shrinks, which is why norms add a small epsilon below the fraction.",
                "Деление превращает суммы в средние, а оценки в доли: им завершается всякая нормализация. Чем меньше "
                "делитель, тем больше градиент, поэтому в знаменатель нормализаций добавляют маленькое эпсилон."}},
      .samples = ops::join({ops::binary_samples({-1, 1}, {0.5, 2}),
                            {{.name = "negative_divisor", .inputs = {in({2, 3, 4}), in({3, 4}, -2, -0.5)}},
                             {.name = "integers_truncate",
                              .inputs = {in_ints({5}, {7, -7, 7, -7, 0}), in_ints({5}, {2, 2, -2, -2, 3})},
                              .gradient = false,
                              .expected = {Array::ints({3, -3, -3, 3, 0})}},
                             {.name = "smallest_integer_by_minus_one",
                              .inputs = {in_ints({1}, {INT64_MIN}), in_ints({1}, {-1})},
                              .gradient = false,
                              .expected = {Array::ints({INT64_MIN})}},
                             ops::exact2("floats_by_zero", {1, -1, 0, ops::kInfinity}, {0, 0, 0, ops::kInfinity},
                                         {ops::kInfinity, -ops::kInfinity, ops::kNan, ops::kNan})}}),
      .bad_samples = {ops::refuse_broadcast(), ops::refuse_mixed_dtypes(), ops::refuse_bool_operands(),
                      ops::refuse_integer_zero()},
  };
}

}  // namespace asg::cards
