#include "nn/support/convolution.h"
#include "nn/support/residual.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  nn::check_image(x, 2);
  const std::int64_t channels = ctx.integer("channels");
  const std::int64_t stride = ctx.integer("stride");
  Tensor y =
      nn::normalised_convolution(ctx, "conv_1", "norm_1", x, {.channels = channels, .kernel = 3, .stride = stride});
  y = ctx.op_named("activation_1", "Relu", {y});
  y = nn::normalised_convolution(ctx, "conv_2", "norm_2", y, {.channels = channels, .kernel = 3});
  ctx.output(ctx.op_named("activation_2", "Relu", {y + nn::shortcut(ctx, x, channels, stride)}));
  for (const char* conv : {"conv_1", "conv_2"}) ctx.governed(conv, "channels", "channels");
}

}  // namespace

OpCard card_residual_block() {
  return {
      .name = "nn.ResidualBlock",
      .category = Category::convolution,
      .inputs = nn::image_port(2),
      .outputs = nn::filtered_port(2),
      .attributes = {nn::channels_attribute(), nn::stride_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torchvision.models.resnet.BasicBlock",
      // Each norm magnifies what the convolution before it has lost.
      // Batch norms divide by deviations over a few examples, one after the other.
      .tolerance = {.f32 = 5e-5, .f16 = 2e-2, .bf16 = 1e-1},
      .words =
          {.what = {"Two 3×3 convolutions with batch norms, whose result is added to the input of the block before the "
                    "last Relu. Where the number of channels or the size changes, a 1×1 convolution brings the input "
                    "to the new shape.",
                    "Две свёртки 3×3 с пакетной нормализацией; их результат прибавляется ко входу блока перед "
                    "последней Relu. Если меняется число каналов или размер, свёртка 1×1 приводит вход к новой форме."},
           .formula = R"(y = \text{Relu}(N_2(W_2 * \text{Relu}(N_1(W_1 * x))) + x))",
           .why = {"A block only has to learn what to change, and gradients reach early layers along the sums without "
                   "loss. That made networks of more than a hundred layers trainable; ResNet-18 and ResNet-34 are "
                   "stacks of this block.",
                   "Блоку нужно выучить лишь поправку, а градиенты по суммам без потерь доходят до первых слоёв. Так "
                   "стало возможно обучать сети глубже ста слоёв; ResNet-18 и ResNet-34 — стопки таких блоков."}},
      .samples = nn::residual_samples(),
      .bad_samples = nn::bad_residual_blocks(),
  };
}

}  // namespace asg::nn_cards
