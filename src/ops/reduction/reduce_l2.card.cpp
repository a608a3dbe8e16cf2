#include <cmath>

#include "asg/graph/card.h"
#include "ops/reduction/reduction_parts.h"
#include "ops/support/gradients.h"
#include "ops/support/operands.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// The elements are divided by the largest magnitude first, so that their squares neither overflow nor vanish.
void kernel(KernelContext& ctx) {
  const auto larger_magnitude = [](double largest, double x) { return ops::larger(largest, std::fabs(x)); };
  const auto square = [](double x, double largest) {
    const double scaled = largest == 0 || std::isinf(largest) ? 0 : x / largest;
    return scaled * scaled;
  };
  const auto found = ops::fold_around_pivots(ctx.in(0), ops::kernel_axes(ctx, 1), 0, larger_magnitude, square);
  const auto largest = found.pivots.data<double>();
  const auto sums = found.sums.data<double>();
  const auto out = ctx.out().mutable_data<double>();
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] = std::isinf(largest[k]) ? largest[k] : largest[k] * std::sqrt(sums[k]);
  }
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const auto axes = ops::axes_or_all(ctx, x, ctx.has(1) ? ctx.in(1) : Tensor());
  const Tensor largest = ops::reduce_keeping("ReduceMax", add_op("Abs", {x}), axes);
  const Tensor above_zero = add_op("Less", {ops::scalar_like(x, 0), largest});
  const Tensor is_finite = add_op("Less", {largest, ops::scalar_like(x, ops::kInfinity)});
  const Tensor scale = ops::choose(add_op("And", {above_zero, is_finite}), largest, ops::scalar_like(x, 1));
  const Tensor scaled = x / scale;
  const Tensor root = add_op("Sqrt", {ops::reduce_keeping("ReduceSum", scaled * scaled, axes)});
  ops::output_reduced(ctx, root * scale, axes);
}

// x / y, and 0 where all elements of a group are 0.
void gradient(GradientContext& ctx) {
  const Tensor norm = ops::with_reduced_axes(ctx, ctx.out());
  const Tensor grad = ops::with_reduced_axes(ctx, ctx.grad());
  const Tensor is_zero = add_op("Equal", {norm, ops::scalar_like(norm, 0)});
  const Tensor divisor = ops::choose(is_zero, ops::scalar_like(norm, 1), norm);
  ctx.set(0, ctx.in(0) * (grad / divisor));
}

}  // namespace

OpCard card_reduce_l2() {
  OpCard card = ops::reduction_card("ReduceL2", kFloats);
  card.body = body;
  card.kernel = kernel;
  card.gradient = gradient;
  card.onnx = {{.op = "ReduceL2", .since = 18}};
  card.torch = "torch.linalg.vector_norm";
  card.peer_differences = {{{"huge_and_tiny"}, "squares that overflow or vanish in PyTorch do not here"}};
  card.words = {.what = {"The root of the sum of squares along the given axes: the ordinary length of a vector. "
                         "Elements are scaled before they are squared, so that huge and tiny ones keep their length; "
                         "at a vector of zeros, where the length has a kink, the gradient is taken as 0.",
                         "Корень из суммы квадратов вдоль данных осей: обычная длина вектора. Перед возведением в "
                         "квадрат элементы масштабируются, поэтому длина верна и для огромных, и для крошечных чисел; "
                         "в нулевом векторе, где у длины излом, градиент считается нулём."},
                .formula = R"(y = \sqrt{\sum_{i} x_i^2})",
                .why = {"Vectors divided by it have length 1, and their dot products are then cosines: CLIP compares "
                        "pictures and captions this way. The length of the gradient tells how far a step would go, and "
                        "gradient clipping keeps it within bounds.",
                        "Векторы, делённые на неё, имеют длину 1, и их скалярные произведения становятся косинусами: "
                        "так CLIP сравнивает изображения и подписи. Длина градиента говорит, как далеко уведёт шаг, и "
                        "отсечение градиента держит её в границах."}};
  card.samples =
      ops::join({ops::reduction_samples(0.2, 1.5),
                 {ops::exact_rows("by_hand", {{3, -4, 0}, {0, 0, 0}}, {5, 0}),
                  ops::exact_rows("huge_and_tiny", {{3e200, -4e200, 0}, {0, 3e-200, 4e-200}}, {5e200, 5e-200}),
                  ops::exact_rows("infinite", {{3, -ops::kInfinity}, {1, ops::kNan}}, {ops::kInfinity, ops::kNan})}});
  return card;
}

}  // namespace asg::cards
