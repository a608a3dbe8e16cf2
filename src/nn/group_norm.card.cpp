#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const std::int64_t channels = nn::known_length(ctx, x, 1, "channels");
  const Tensor scale = ctx.parameter("scale", {channels}, Initializer::ones());
  const Tensor bias = ctx.parameter("bias", {channels}, Initializer::zeros());
  ctx.output(add_op("GroupNormalization", {x, scale, bias},
                    {{"num_groups", ctx.integer("groups")}, {"epsilon", ctx.real("epsilon")}}));
}

}  // namespace

OpCard card_group_norm() {
  return {
      .name = "nn.GroupNorm",
      .category = Category::normalization,
      .inputs = nn::x_port({"[batch, channels, …]", "[пакет, каналы, …]"}),
      .outputs = nn::y_port({"each group of channels normalised, then scaled and shifted",
                             "каждая группа каналов нормирована, затем умножена на масштаб и сдвинута"}),
      .attributes = {{.name = "groups",
                      .least = 1,
                      .words = {"number of groups; it divides the channels", "число групп; делит число каналов"}},
                     nn::epsilon_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.GroupNorm",
      .words =
          {.what =
               {"Splits the channels of each example into groups and shifts and scales every group to mean 0 and "
                "variance 1, over its channels and all places. A learned scale γ and shift β for each channel follow.",
                "Делит каналы каждого примера на группы и приводит каждую к среднему 0 и дисперсии 1 по её каналам и "
                "всем позициям. Затем для каждого канала применяются свои обучаемые масштаб γ и сдвиг β."},
           .formula = R"(y = \gamma \frac{x - \mu_g}{\sqrt{\sigma_g^2 + \epsilon}} + \beta)",
           .why = {"Detectors and diffusion models train with one or two large pictures at a time, where the "
                   "statistics of a batch are worthless. This norm never looks beyond its own example.",
                   "Детекторы и диффузионные модели обучаются на одном-двух больших изображениях за раз, где "
                   "статистики пакета ничего не стоят. Эта нормализация не смотрит дальше своего примера."}},
      .samples = {{.name = "pairs", .inputs = {in({2, 4, 3})}, .attrs = {{"groups", 2}}},
                  {.name = "images", .inputs = {in({1, 2, 3, 4})}, .attrs = {{"groups", 1}, {"epsilon", 0.1}}},
                  {.name = "no_places", .inputs = {in({3, 4})}, .attrs = {{"groups", 2}}},
                  {.name = "empty_batch", .inputs = {in({0, 2, 3})}, .attrs = {{"groups", 1}}, .gradient = false}},
      .bad_samples = {{.name = "groups_do_not_divide",
                       .inputs = {in({2, 3, 4})},
                       .attrs = {{"groups", 2}},
                       .code = ErrorCode::bad_shape,
                       .contains = "divides the channels"},
                      {.name = "no_channels",
                       .inputs = {in({3})},
                       .attrs = {{"groups", 1}},
                       .code = ErrorCode::bad_shape,
                       .contains = "an axis for its channels"}},
  };
}

}  // namespace asg::nn_cards
