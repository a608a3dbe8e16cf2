#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const int first = normalize_axis(ctx.integer("axis"), x.rank());
  const Shape features = nn::normalised_shape(ctx, x, first);
  const Tensor scale = ctx.parameter("scale", features, Initializer::ones());
  const Tensor bias = ctx.parameter("bias", features, Initializer::zeros());
  ctx.output(add_op("LayerNormalization", {x, scale, bias},
                    {{"axis", std::int64_t{first}}, {"epsilon", ctx.real("epsilon")}}));
}

}  // namespace

OpCard card_layer_norm() {
  return {
      .name = "nn.LayerNorm",
      .category = Category::normalization,
      .inputs = nn::x_port({"features on the axes from `axis` on", "признаки на осях, начиная с `axis`"}),
      .outputs = nn::y_port(
          {"the normalised features, scaled and shifted", "нормированные признаки, умноженные на масштаб и сдвинутые"}),
      .attributes = {{.name = "axis", .fallback = -1, .words = {"first axis of the features", "первая ось признаков"}},
                     nn::epsilon_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.LayerNorm",
      .words = {.what = {"Shifts and scales the features of each position to mean 0 and variance 1, then applies a "
                         "learned scale γ and shift β. Other positions and other examples play no part.",
                         "Приводит признаки каждой позиции к среднему 0 и дисперсии 1, затем применяет обучаемые "
                         "масштаб γ и сдвиг β. Другие позиции и примеры не участвуют."},
                .formula = R"(y = \gamma \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta)",
                .why = {"It keeps activations in a steady range whatever the depth, so that deep transformers such as "
                        "BERT and GPT train without exploding. Unlike batch norm it needs no running statistics and "
                        "works for a batch of one.",
                        "Держит активации в ровном диапазоне на любой глубине, поэтому глубокие трансформеры вроде "
                        "BERT и GPT обучаются устойчиво. В отличие от пакетной нормализации, ей не нужны накопленные "
                        "статистики, и она работает с пакетом из одного примера."}},
      .samples = {{.name = "last_axis", .inputs = {in({2, 3, 5})}},
                  {.name = "two_axes", .inputs = {in({2, 3, 4})}, .attrs = {{"axis", 1}}},
                  {.name = "epsilon", .inputs = {in({3, 4})}, .attrs = {{"epsilon", 0.1}}},
                  {.name = "two_axes_epsilon", .inputs = {in({2, 3, 4})}, .attrs = {{"axis", -2}, {"epsilon", 0.5}}}},
      .bad_samples = {{.name = "no_such_axis",
                       .inputs = {in({2, 3})},
                       .attrs = {{"axis", 2}},
                       .code = ErrorCode::bad_index,
                       .contains = "axis"}},
  };
}

}  // namespace asg::nn_cards
