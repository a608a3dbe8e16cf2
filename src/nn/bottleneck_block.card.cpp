#include "nn/support/convolution.h"
#include "nn/support/residual.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  nn::check_image(x, 2);
  const std::int64_t channels = ctx.integer("channels");
  const std::int64_t inner = ctx.integer("inner");
  const std::int64_t stride = ctx.integer("stride");
  Tensor y = nn::normalised_convolution(ctx, "conv_1", "norm_1", x, {.channels = inner, .kernel = 1});
  y = ctx.op_named("activation_1", "Relu", {y});
  y = nn::normalised_convolution(ctx, "conv_2", "norm_2", y, {.channels = inner, .kernel = 3, .stride = stride});
  y = ctx.op_named("activation_2", "Relu", {y});
  y = nn::normalised_convolution(ctx, "conv_3", "norm_3", y, {.channels = channels, .kernel = 1});
  ctx.output(ctx.op_named("activation_3", "Relu", {y + nn::shortcut(ctx, x, channels, stride)}));
  for (const char* conv : {"conv_1", "conv_2"}) ctx.governed(conv, "channels", "inner");
  ctx.governed("conv_3", "channels", "channels");
}

}  // namespace

OpCard card_bottleneck_block() {
  const Attrs narrow = {{"inner", 2}};
  return {
      .name = "nn.BottleneckBlock",
      .category = Category::convolution,
      .inputs = nn::image_port(2),
      .outputs = nn::filtered_port(2),
      .attributes = {nn::channels_attribute(),
                     {.name = "inner",
                      .least = 1,
                      .words = {"number of channels that the 3×3 convolution works on, usually a quarter",
                                "число каналов, с которыми работает свёртка 3×3, обычно четверть"}},
                     nn::stride_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torchvision.models.resnet.Bottleneck",
      // Each norm magnifies what the convolution before it has lost.
      // Batch norms divide by deviations over a few examples, one after the other.
      .tolerance = {.f32 = 5e-5, .f16 = 2e-2, .bf16 = 1e-1},
      .words =
          {.what = {"A 1×1 convolution reduces the channels, a 3×3 one works on the few that are left, and another 1×1 "
                    "one restores them; each is followed by a batch norm, and the result is added to the input. The "
                    "3×3 convolution takes the stride.",
                    "Свёртка 1×1 уменьшает число каналов, свёртка 3×3 работает с немногими оставшимися, ещё одна 1×1 "
                    "восстанавливает их; за каждой следует пакетная нормализация, а результат прибавляется ко входу. "
                    "Шаг задаёт свёртка 3×3."},
           .formula = R"(y = \text{Relu}(N_3(W_3 * \text{Relu}(N_2(W_2 * \text{Relu}(N_1(W_1 * x))))) + x))",
           .why = {"The costly convolution sees a quarter of the channels, so a block with four times the channels "
                   "costs about as much as nn.ResidualBlock. ResNet-50 and deeper ones are made of it.",
                   "Дорогая свёртка видит лишь четверть каналов, поэтому блок с вчетверо большим их числом стоит "
                   "примерно столько же, сколько nn.ResidualBlock. Из таких блоков состоят ResNet-50 и более глубокие "
                   "сети."}},
      .samples = nn::residual_samples(narrow),
      .bad_samples = nn::bad_residual_blocks(narrow),
  };
}

}  // namespace asg::nn_cards
