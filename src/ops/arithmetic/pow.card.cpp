#include <cmath>
#include <string>
#include <type_traits>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// By squaring; products wrap. A negative exponent is 1 / power, truncated like Div: 0 unless the base is 1 or -1.
template <class T>
T integer_power(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      if (base == 0) {
        fail(ErrorCode::computation_error, "the integer 0 to the power " + std::to_string(exponent),
             "a base that is not 0, or an exponent of at least 0", "cast to a float dtype first");
      }
      if (base != 1 && base != -1) return 0;
      return exponent % 2 == 0 ? 1 : base;
    }
  }
  T power = 1;
  for (T square = base; exponent > 0; exponent /= 2, square = ops::wrapping_mul(square, square)) {
    if (exponent % 2 == 1) power = ops::wrapping_mul(power, square);
  }
  return power;
}

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() {
    if constexpr (std::is_floating_point_v<T>) {
      ops::binary<T>(ctx, [](T base, T exponent) { return std::pow(base, exponent); });
    } else {
      ops::binary<T>(ctx, integer_power<T>);
    }
  });
}

// What would be 0 * infinity or 0 * log 0 is taken to be 0. The replaced operands keep NaN out of the branch that is
// not chosen, and so out of the higher orders too.
void gradient(GradientContext& ctx) {
  const Tensor& base = ctx.in(0);
  const Tensor& exponent = ctx.in(1);
  if (ctx.needs(0)) {
    const Tensor flat = add_op("Equal", {exponent, ops::scalar_like(exponent, 0)});
    const Tensor safe = ops::choose(flat, ops::scalar_like(exponent, 1), exponent);
    const Tensor slope = safe * add_op("Pow", {base, safe - 1});
    ctx.set_summed(0, ctx.grad() * ops::zero_where(flat, slope));
  }
  if (ctx.needs(1)) {
    const Tensor at_zero = add_op("Equal", {base, ops::scalar_like(base, 0)});
    const Tensor safe = ops::choose(at_zero, ops::scalar_like(base, 1), base);
    ctx.set_summed(1, ctx.grad() * ops::zero_where(at_zero, ctx.out() * add_op("Log", {safe})));
  }
}

}  // namespace

OpCard card_pow() {
  return {
      .name = "Pow",
      .category = Category::arithmetic,
      .inputs = {{.name = "base", .dtypes = kNumbers, .words = {"What is raised.", "Основание степени."}},
                 {.name = "exponent",
                  .dtypes = kNumbers,
                  .words = {"The power; its shape must broadcast with that of base.",
                            "Показатель; его форма должна быть совместима с формой base при растягивании."}}},
      .outputs = ops::broadcast_port(kNumbers),
      .traits = {.elementwise = true},
      .infer = ops::infer_broadcast,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(2 * ops::kTranscendental),
      .onnx = {{.op = "Pow", .since = 15}},
      .torch = "torch.pow",
      .words =
          {.what = {"Raises the first tensor to the power of the second, element by element, with broadcasting. A "
                    "negative float base needs a whole exponent, else the result is NaN; integers wrap, and a negative "
                    "exponent rounds toward zero.",
                    "Возводит первый тензор в степень второго поэлементно, с растягиванием форм. Отрицательному "
                    "вещественному основанию нужен целый показатель, иначе выйдет NaN; целые заворачиваются по модулю, "
                    "а отрицательный показатель округляет к нулю."},
           .formula = "y = a^{b}",
           .why = {"Squares measure errors and variances, and exponents below one tame long tails. Both base and "
                   "exponent can be learnt: the slope by the exponent is the result times the logarithm of the base.",
                   "Квадратами меряют ошибки и дисперсии, а показатели меньше единицы укрощают длинные хвосты. Учиться "
                   "могут и основание, и показатель: наклон по показателю — результат, умноженный на логарифм "
                   "основания."}},
      .samples = ops::join({ops::binary_samples({0.5, 2}, {0.5, 2.5}),
                            {{.name = "negative_exponent", .inputs = {in({2, 3, 4}, 0.5, 2), in({4}, -2, -0.5)}},
                             {.name = "integers",
                              .inputs = {in_ints({6}, {2, -3, 0, 10, -1, 2}), in_ints({6}, {10, 3, 0, 1, -3, -1})},
                              .gradient = false,
                              .expected = {Array::ints({1024, -27, 1, 10, -1, 0})}},
                             ops::exact2("special_values", {0, 0, -2, -2, 4, ops::kInfinity}, {0, 3, 3, 0.5, -0.5, -1},
                                         {1, 0, -8, ops::kNan, 0.5, 0})}}),
      .bad_samples = {ops::refuse_broadcast(),
                      ops::refuse_mixed_dtypes(),
                      {.name = "integer_zero_to_a_negative_power",
                       .inputs = {in_ints({1}, {0}), in_ints({1}, {-1})},
                       .code = ErrorCode::computation_error,
                       .contains = "the integer 0 to the power -1"}},
  };
}

}  // namespace asg::cards
