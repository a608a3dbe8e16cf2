#include <string>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// The slope is stretched to x, never x to the slope.
void infer(InferContext& ctx) {
  if (broadcast(ctx.shape(0), ctx.shape(1)) != ctx.shape(0)) {
    fail(ErrorCode::broadcast_mismatch,
         "x of shape " + ctx.shape(0).to_string() + " and a slope of shape " + ctx.shape(1).to_string(),
         "a slope that stretches to the shape of x",
         "for one slope per channel of [batch, channels, height, width] give it the shape [channels, 1, 1]");
  }
  ctx.output(ctx.type(0));
}

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() {
    ops::binary<T>(ctx, [](T x, T slope) { return x > 0 ? x : ops::wrapping_mul(slope, x); });
  });
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor positive = x > 0;
  ctx.output(ops::choose(positive, x, ctx.in(1) * x));
}

void gradient(GradientContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor positive = x > 0;
  if (ctx.needs(0)) ctx.set(0, ops::choose(positive, ctx.grad(), ctx.in(1) * ctx.grad()));
  if (ctx.needs(1)) ctx.set_summed(1, ops::zero_where(positive, x * ctx.grad()));
}

}  // namespace

OpCard card_p_relu() {
  return ops::binary_op({
      .name = "PRelu",
      .category = Category::activation,
      .inputs = {{.name = "x", .dtypes = kNumbers, .words = {"a tensor of any shape", "тензор любой формы"}},
                 {.name = "slope",
                  .dtypes = kNumbers,
                  .words = {"slopes below zero; the shape must stretch to that of x",
                            "наклоны ниже нуля; форма должна растягиваться до формы x"}}},
      .outputs = ops::y_port(kNumbers),
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient = gradient,
      .cost = ops::cost_per_output(2),
      .onnx = {{.op = "PRelu", .since = 16}},
      .torch = "torch.nn.functional.prelu",
      .words =
          {.what = {"Keeps positive elements and multiplies the others by a slope that is an input and can be learnt, "
                    "one for all or one per channel. At zero itself the derivative is that slope.",
                    "Оставляет положительные элементы, а остальные умножает на наклон, который приходит входом и может "
                    "обучаться: один на всех или свой у каждого канала. В самом нуле производная равна этому наклону."},
           .formula = "y = \\begin{cases} x & x > 0 \\\\ \\text{slope} \\cdot x & x \\le 0 \\end{cases}",
           .why =
               {"A LeakyRelu that finds its own leak: the gradient of a slope sums the negative inputs that it scaled, "
                "each times the gradient that comes back. With it He and others passed human accuracy on ImageNet in "
                "2015; the slopes they learnt were large in the first layer and smaller deeper in the network.",
                "LeakyRelu, которая сама находит свой наклон: его градиент складывает отрицательные входы, умноженные "
                "на пришедший обратно градиент. С ней Хе и соавторы в 2015 году превзошли точность человека на "
                "ImageNet; выученные наклоны были велики в первом слое и меньше в глубине сети."}},
      .samples = {{.name = "equal_shapes", .inputs = {ops::both_signs(), in({2, 3, 4}, 0.1, 0.9)}},
                  {.name = "slope_per_channel", .inputs = {ops::both_signs(), in({3, 1}, 0.1, 0.9)}},
                  {.name = "one_slope", .inputs = {ops::both_signs(), in({}, 0.1, 0.9)}},
                  {.name = "negative_slope", .inputs = {ops::both_signs(), in({4}, -0.9, -0.1)}},
                  {.name = "scalars", .inputs = {in({}), in({})}, .gradient = false},
                  {.name = "no_elements", .inputs = {in({2, 0}), in({1})}, .gradient = false},
                  {.name = "integers",
                   .inputs = {in_ints({3}, {-2, 0, 5}), in_ints({1}, {3})},
                   .gradient = false,
                   .expected = {Array::ints({-6, 0, 5})}},
                  ops::exact2("kink_and_extremes", {0, -2, 3, -ops::kInfinity, ops::kInfinity, ops::kNan}, {0.25},
                              {0, -0.5, 3, -ops::kInfinity, ops::kInfinity, ops::kNan})},
      .bad_samples = {{.name = "slope_larger_than_x",
                       .inputs = {in({3}), in({2, 3})},
                       .code = ErrorCode::broadcast_mismatch,
                       .contains = "a slope of shape [2, 3]"},
                      ops::refuse_broadcast(),
                      ops::refuse_mixed_dtypes(),
                      {.name = "bools",
                       .inputs = {in_bools({2}, {true, false}), in_bools({2}, {true, true})},
                       .code = ErrorCode::bad_dtype,
                       .contains = "bool for input 'x'"}},
  });
}

}  // namespace asg::cards
