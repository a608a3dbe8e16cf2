#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const std::int64_t channels = nn::known_length(ctx, x, 1, "channels");
  const Tensor scale = ctx.parameter("scale", {channels}, Initializer::ones());
  const Tensor bias = ctx.parameter("bias", {channels}, Initializer::zeros());
  ctx.output(add_op("InstanceNormalization", {x, scale, bias}, {{"epsilon", ctx.real("epsilon")}}));
}

}  // namespace

OpCard card_instance_norm() {
  return {
      .name = "nn.InstanceNorm",
      .category = Category::normalization,
      .inputs = nn::x_port({"[batch, channels, …]", "[пакет, каналы, …]"}),
      .outputs = nn::y_port({"each channel of each example normalised, then scaled and shifted",
                             "каждый канал каждого примера нормирован, затем умножен на масштаб и сдвинут"}),
      .attributes = {nn::epsilon_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.InstanceNorm2d",
      .words =
          {.what = {"Shifts and scales every channel of every example to mean 0 and variance 1 over its places, then "
                    "applies a learned scale γ and shift β. It does the same in training and evaluation.",
                    "Приводит каждый канал каждого примера к среднему 0 и дисперсии 1 по его позициям, затем применяет "
                    "обучаемые масштаб γ и сдвиг β. При обучении и оценке работает одинаково."},
           .formula = R"(y_{n,c} = \gamma_c \frac{x_{n,c} - \mu_{n,c}}{\sqrt{\sigma_{n,c}^2 + \epsilon}} + \beta_c)",
           .why =
               {"What it removes is the contrast and brightness of each feature, which is most of a picture's style. "
                "CycleGAN normalises this way, and style transfer replaces γ and β by those of another picture.",
                "Она убирает контраст и яркость каждого признака, а это большая часть стиля изображения. Так нормирует "
                "CycleGAN, а при переносе стиля γ и β заменяют на полученные из другого изображения."}},
      .samples = {{.name = "sequence", .inputs = {in({2, 3, 4})}},
                  {.name = "images", .inputs = {in({1, 2, 2, 3})}, .attrs = {{"epsilon", 0.1}}},
                  {.name = "empty_batch", .inputs = {in({0, 2, 3})}, .gradient = false}},
      .bad_samples = {{.name = "no_channels",
                       .inputs = {in({3})},
                       .code = ErrorCode::bad_shape,
                       .contains = "an axis for its channels"}},
  };
}

}  // namespace asg::nn_cards
