#include "nn/support/convolution.h"
#include "nn/support/layers.h"
#include "nn/support/residual.h"
#include "ops/support/gradients.h"
#include "ops/support/samples.h"

namespace asg::nn_cards {
namespace {

// Relu that ends at 6, as for numbers of few bits.
Tensor bounded(BodyContext& ctx, const char* name, const Tensor& x) {
  return ctx.op_named(name, "Clip", {x, ops::scalar_like(x, 0), ops::scalar_like(x, 6)});
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  nn::check_image(x, 2);
  const std::int64_t entering = nn::known_length(ctx, x, 1, "channels");
  const std::int64_t channels = ctx.integer("channels");
  const std::int64_t stride = ctx.integer("stride");
  const std::int64_t hidden = entering * ctx.integer("expansion");
  Tensor y = x;
  if (hidden != entering) {
    y = nn::normalised_convolution(ctx, "expand_conv", "expand_norm", y, {.channels = hidden, .kernel = 1});
    y = bounded(ctx, "expand_activation", y);
  }
  y = nn::normalised_convolution(ctx, "depthwise_conv", "depthwise_norm", y,
                                 {.channels = hidden, .kernel = 3, .stride = stride, .groups = hidden});
  y = bounded(ctx, "depthwise_activation", y);
  y = nn::normalised_convolution(ctx, "project_conv", "project_norm", y, {.channels = channels, .kernel = 1});
  ctx.output(stride == 1 && channels == entering ? x + y : y);
  ctx.governed("project_conv", "channels", "channels");
}

std::vector<Sample> samples() {
  std::vector<Sample> expanded = nn::residual_samples({{"expansion", 2}});
  std::vector<Sample> plain = nn::residual_samples({{"expansion", 1}});
  for (Sample& sample : plain) sample.name += "_not_expanded";
  std::vector<Sample> usual = nn::residual_samples();
  for (Sample& sample : usual) sample.name += "_six_times";
  return ops::join({std::move(expanded), std::move(plain), std::move(usual)});
}

}  // namespace

OpCard card_inverted_residual() {
  return {
      .name = "nn.InvertedResidual",
      .category = Category::convolution,
      .inputs = nn::image_port(2),
      .outputs = nn::filtered_port(2),
      .attributes = {nn::channels_attribute(),
                     {.name = "expansion",
                      .fallback = 6,
                      .least = 1,
                      .most = 1000,
                      .words = {"how many times more channels there are inside; 1: no first convolution",
                                "во сколько раз больше каналов внутри; 1 — без первой свёртки"}},
                     nn::stride_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torchvision.models.mobilenetv2.InvertedResidual",
      // Each norm magnifies what the convolution before it has lost.
      // Batch norms divide by deviations over a few examples, one after the other.
      .tolerance = {.f32 = 5e-5, .f16 = 2e-2, .bf16 = 1e-1},
      .words =
          {.what = {"A 1×1 convolution widens the channels, a 3×3 one filters each of them alone, and another 1×1 one "
                    "brings them back to few, without an activation. Where size and channels stay the same the input "
                    "is added.",
                    "Свёртка 1×1 увеличивает число каналов, свёртка 3×3 обрабатывает каждый отдельно, ещё одна 1×1 "
                    "возвращает их к малому числу, уже без активации. Если размер и число каналов не изменились, "
                    "прибавляется вход."},
           .formula = R"(y = x + N_3(W_3 * \phi(N_2(D * \phi(N_1(W_1 * x))))), \quad \phi(u) = \min(\max(u, 0), 6))",
           .why = {"It turns a residual block inside out: narrow outside, wide inside. A filter for each channel alone "
                   "costs about a ninth of a full 3×3 convolution, which lets MobileNetV2 run on telephones.",
                   "Остаточный блок, вывернутый наизнанку: снаружи узкий, внутри широкий. Свёртка каждого канала "
                   "отдельно стоит около девятой части полной свёртки 3×3, поэтому MobileNetV2 работает и на "
                   "телефонах."}},
      .samples = samples(),
      .bad_samples = nn::bad_residual_blocks(),
  };
}

}  // namespace asg::nn_cards
