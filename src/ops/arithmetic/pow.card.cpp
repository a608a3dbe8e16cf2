#include <cmath>
#include <string>
#include <type_traits>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// By squaring; products wrap. A negative exponent is 1 / power, truncated like Div: 0 unless the base is 1 or -1.
template <class Base, class Exponent>
Base integer_power(Base base, Exponent exponent) {
  if constexpr (std::is_signed_v<Exponent>) {
    if (exponent < 0) {
      if (base == 0) {
        fail(ErrorCode::computation_error, "the integer 0 to the power " + std::to_string(exponent),
             "a base that is not 0, or an exponent of at least 0", "cast to a float dtype first");
      }
      const bool is_unit = base == 1 || (std::is_signed_v<Base> && base == static_cast<Base>(-1));
      if (!is_unit) return 0;
      return exponent % 2 == 0 ? 1 : base;
    }
  }
  Base power = 1;
  for (Base square = base; exponent > 0; exponent /= 2, square = ops::wrapping_mul(square, square)) {
    if (exponent % 2 == 1) power = ops::wrapping_mul(power, square);
  }
  return power;
}

void infer(InferContext& ctx) { ctx.output({ctx.dtype(0), broadcast(ctx.shape(0), ctx.shape(1))}); }

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class Base>() {
    ops::dispatch_numeric(ctx.in(1), [&]<class Exponent>() {
      if constexpr (std::is_integral_v<Base> && std::is_integral_v<Exponent>) {
        ops::binary_broadcast<Base, Exponent, Base>(ctx.in(0), ctx.in(1), ctx.out(), integer_power<Base, Exponent>);
      } else {
        Array powers(DType::f64, ctx.out().sizes());
        ops::binary_broadcast<Base, Exponent, double>(ctx.in(0), ctx.in(1), powers, [](Base base, Exponent exponent) {
          return std::pow(static_cast<double>(base), static_cast<double>(exponent));
        });
        // The result has the type of the base: what is no integer loses its fraction.
        ctx.out().assign(powers.cast(ctx.out().dtype()));
      }
    });
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
    const Tensor factor = safe.dtype() == base.dtype() ? safe : add_op("Cast", {safe}, {{"to", base.dtype()}});
    const Tensor slope = factor * add_op("Pow", {base, safe - 1});
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
      .inputs =
          {{.name = "base", .dtypes = kNumbers, .words = {"what is raised", "основание степени"}},
           {.name = "exponent",
            .dtypes = kNumbers,
            .type = "U",
            .words = {"the power, of any dtype; its shape must broadcast with that of base",
                      "показатель любого типа; его форма должна быть совместима с формой base при растягивании"}}},
      .outputs = ops::broadcast_port(kNumbers),
      .traits = {.elementwise = true},
      .scalar = ScalarOp::pow,
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(2 * ops::kTranscendental),
      .onnx = {{.op = "Pow", .since = 15}},
      .torch = "torch.pow",
      .words = {.what = {"Raises the first tensor to the power of the second, element by element, with broadcasting. A "
                         "negative float base needs a whole exponent, else the result is NaN; integers wrap, and a "
                         "negative exponent rounds their result toward zero, except that 0 is then an error. The "
                         "result has the dtype of the base.",
                         "Возводит первый тензор в степень второго поэлементно, с растягиванием форм. Отрицательному "
                         "вещественному основанию нужен целый показатель, иначе выйдет NaN; целые заворачиваются по "
                         "модулю, а при отрицательном показателе округляются к нулю, причём основание 0 тогда — "
                         "ошибка. Тип результата — как у основания."},
                .formula = "y = a^{b}",
                .why = {"Focal loss raises the probability of a mistake to a power so that easy examples hardly count, "
                        "and Adam corrects its averages by powers of their decay rates. Both base and exponent can be "
                        "learnt: the slope by the exponent is the result times the logarithm of the base.",
                        "Focal loss возводит вероятность ошибки в степень, чтобы лёгкие примеры почти не весили, а "
                        "Adam поправляет свои средние степенями коэффициентов затухания. Обучаться могут и основание, "
                        "и показатель: наклон по показателю — результат, умноженный на логарифм основания."}},
      .samples = ops::join({ops::binary_samples({0.5, 2}, {0.5, 2.5}),
                            {{.name = "negative_exponent", .inputs = {in({2, 3, 4}, 0.5, 2), in({4}, -2, -0.5)}},
                             {.name = "integer_exponent", .inputs = {in({2, 4}, 0.5, 2), in_ints({4}, {2, 0, 3, -1})}},
                             {.name = "float_exponent_of_integers",
                              .inputs = {in_ints({5}, {1, 2, 3, -2, 2}), in_exact(ops::reals({4, 5, 4, 3, 0.5}))},
                              .gradient = false,
                              .expected = {Array::ints({1, 32, 81, -8, 1})}},
                             {.name = "integers",
                              .inputs = {in_ints({6}, {2, -3, 0, 10, -1, 2}), in_ints({6}, {10, 3, 0, 1, -3, -1})},
                              .gradient = false,
                              .expected = {Array::ints({1024, -27, 1, 10, -1, 0})}},
                             ops::exact2("special_values", {0, 0, -2, -2, 4, ops::kInfinity}, {0, 3, 3, 0.5, -0.5, -1},
                                         {1, 0, -8, ops::kNan, 0.5, 0})}}),
      .bad_samples = {ops::refuse_broadcast(),
                      {.name = "bools",
                       .inputs = {in_bools({2}, {true, false}), in({2})},
                       .code = ErrorCode::bad_dtype,
                       .contains = "bool for input 'base'"},
                      {.name = "integer_zero_to_a_negative_power",
                       .inputs = {in_ints({1}, {0}), in_ints({1}, {-1})},
                       .code = ErrorCode::computation_error,
                       .contains = "the integer 0 to the power -1"}},
  };
}

}  // namespace asg::cards
