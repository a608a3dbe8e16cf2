#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) { ctx.output(ctx.in(0) * add_op("Sigmoid", {ctx.in(0)})); }

void gradient(GradientContext& ctx) {
  const Tensor gate = add_op("Sigmoid", {ctx.in(0)});
  ctx.set(0, ctx.grad() * (gate * (1 + ctx.in(0) * (1 - gate))));
}

}  // namespace

OpCard card_silu() {
  return ops::float_function(
      {
          .name = "Silu",
          .category = Category::activation,
          .body = body,
          .gradient = gradient,
          .cost = ops::cost_per_output(ops::kTranscendental + 4),
          .onnx = {{.op = "Swish", .since = 24}},
          .torch = "torch.nn.functional.silu",
          .words = {.what = {"Multiplies every element by its own sigmoid; also called swish. Large numbers pass, very "
                             "negative ones become zero, and in between it dips to about -0.28.",
                             "Умножает каждый элемент на его же сигмоиду; другое имя — swish. Большие числа проходят, "
                             "сильно отрицательные становятся нулём, а между ними есть впадина примерно до −0,28."},
                    .formula = "y = \\frac{x}{1 + e^{-x}}",
                    .why = {"A smooth relative of Relu whose gradient does not die below zero. Language models such as "
                            "LLaMA use it in their gated feed-forward blocks, and EfficientNet after its convolutions.",
                            "Гладкая родственница Relu, градиент которой не умирает ниже нуля. Языковые модели вроде "
                            "LLaMA ставят её в полносвязные блоки с вентилем, а EfficientNet — после свёрток."}},
          .samples = ops::join(
              {ops::unary_samples(-2, 2),
               {ops::exact("extremes", {0, 1, -1000, 1000, ops::kNan}, {0, 0.7310585786300049, 0, 1000, ops::kNan})}}),
      },
      [](double x) { return x * ops::sigmoid(x); });
}

}  // namespace asg::cards
