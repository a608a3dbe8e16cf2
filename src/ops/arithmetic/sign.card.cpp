#include <type_traits>

#include "asg/graph/card.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

template <class T>
T sign(T x) {
  if (x > 0) return 1;
  if constexpr (!std::is_unsigned_v<T>) {
    if (x < 0) return -1;
  }
  return x == 0 ? 0 : x;  // what is left is NaN
}

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() { ops::unary<T>(ctx, sign<T>); });
}

}  // namespace

OpCard card_sign() {
  return {
      .name = "Sign",
      .category = Category::arithmetic,
      .inputs = ops::x_port(kNumbers),
      .outputs = ops::y_port(kNumbers),
      .traits = {.elementwise = true},
      .scalar = ScalarOp::sign,
      .infer = ops::infer_same,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "Sign is constant on both sides of 0, so its slope is 0 wherever it has one.",
      .onnx = {{.op = "Sign", .since = 13}},
      .torch = "torch.sign",
      .peer_differences = {{{"extremes"}, "the sign of NaN is NaN; PyTorch gives 0"}},
      .tolerance = ops::kExact,
      .words =
          {.what = {"Gives 1 for positive elements, -1 for negative ones and 0 for zero of either sign; NaN stays NaN. "
                    "The dtype does not change, and no gradient passes.",
                    "Даёт 1 для положительных элементов, −1 для отрицательных и 0 для нуля с любым знаком; NaN "
                    "остаётся NaN. Тип не меняется, а градиент не проходит."},
           .formula = "y = \\begin{cases} 1 & x > 0 \\\\ 0 & x = 0 \\\\ -1 & x < 0 \\end{cases}",
           .why =
               {"It is the derivative of Abs. Optimisers such as Lion step by the sign of the momentum, so that every "
                "weight moves by the same amount whatever the size of its gradient.",
                "Это производная модуля. Оптимизаторы вроде Lion шагают по знаку импульса, и каждый вес сдвигается "
                "на одну и ту же величину, каков бы ни был размер его градиента."}},
      .samples = ops::join(
          {{{.name = "rank_3", .inputs = {in({2, 3, 4})}, .gradient = false},
            {.name = "integers",
             .inputs = {in_ints({3}, {7, 0, -9})},
             .gradient = false,
             .expected = {Array::ints({1, 0, -1})}},
            ops::exact("extremes", {ops::kInfinity, 1e-300, 0, -0.0, -2, ops::kNan}, {1, 1, 0, 0, -1, ops::kNan})}}),
      .bad_samples = {ops::refuse_bools()},
  };
}

}  // namespace asg::cards
