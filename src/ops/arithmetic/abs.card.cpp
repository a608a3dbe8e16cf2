#include <cmath>
#include <cstdint>
#include <type_traits>

#include "asg/graph/card.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

template <class T>
T absolute(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::fabs(x);
  if constexpr (std::is_signed_v<T>) return x < 0 ? ops::wrapping_sub<T>(0, x) : x;
  return x;
}

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() { ops::unary<T>(ctx, absolute<T>); });
}

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() * add_op("Sign", {ctx.in(0)})); }

}  // namespace

OpCard card_abs() {
  return {
      .name = "Abs",
      .category = Category::arithmetic,
      .inputs = ops::x_port(kNumbers),
      .outputs = ops::y_port(kNumbers),
      .traits = {.elementwise = true},
      .scalar = ScalarOp::abs,
      .infer = ops::infer_same,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .onnx = {{.op = "Abs", .since = 13}},
      .torch = "torch.abs",
      .tolerance = ops::kExact,
      .words =
          {.what =
               {"The distance of every element from zero. The gradient is the sign of x, and 0 at x = 0, where the "
                "function has a kink. The smallest signed integer has no positive counterpart and stays negative.",
                "Расстояние каждого элемента от нуля. Градиент равен знаку x, а в точке x = 0, где у функции излом, он "
                "равен 0. У наименьшего знакового целого нет положительной пары, и оно остаётся отрицательным."},
           .formula = "y = |x|",
           .why = {"The L1 loss is a mean of absolute errors: unlike squares it does not let a few outliers dominate. "
                   "As a penalty on weights it drives many of them to exactly zero.",
                   "Потеря L1 — среднее модулей ошибок: в отличие от квадратов она не даёт нескольким выбросам "
                   "перевесить всё. Как штраф на веса она загоняет многие из них ровно в ноль."}},
      .samples = ops::join(
          {ops::kinked_samples(),
           {{.name = "integers",
             .inputs = {in_ints({4}, {1, -2, 0, INT64_MIN})},
             .gradient = false,
             .expected = {Array::ints({1, 2, 0, INT64_MIN})}},
            ops::exact("extremes", {0, -0.0, -ops::kInfinity, ops::kNan}, {0, 0, ops::kInfinity, ops::kNan})}}),
      .bad_samples = {ops::refuse_bools()},
  };
}

}  // namespace asg::cards
