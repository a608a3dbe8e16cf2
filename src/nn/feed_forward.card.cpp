#include "nn/support/layers.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const std::int64_t width = nn::known_length(ctx, x, x.rank() - 1, "features");
  const bool bias = ctx.boolean("bias");
  Tensor hidden = ctx.layer("expand", "nn.Linear", {x}, {{"units", ctx.integer("hidden")}, {"bias", bias}});
  hidden = ctx.op_named("activation", ctx.text("activation"), {hidden});
  hidden = nn::dropout(ctx, "dropout", hidden, ctx.real("dropout"));
  ctx.output(ctx.layer("contract", "nn.Linear", {hidden}, {{"units", width}, {"bias", bias}}));
  ctx.governed("expand", "units", "hidden");
  ctx.governed("activation", "", "activation");
  ctx.governed("dropout", "ratio", "dropout");
}

}  // namespace

OpCard card_feed_forward() {
  return {
      .name = "nn.FeedForward",
      .category = Category::linear_algebra,
      .inputs = nn::x_port({"features on the last axis", "признаки на последней оси"}),
      .outputs = nn::y_port({"as many features as the input has", "столько же признаков, сколько на входе"}),
      .attributes = {{.name = "hidden",
                      .least = 1,
                      .words = {"features between the two projections", "число признаков между проекциями"}},
                     nn::activation_attribute(),
                     {.name = "bias",
                      .kind = AttrKind::boolean,
                      .fallback = true,
                      .words = {"whether the projections add a bias", "прибавляют ли проекции смещение"}},
                     nn::dropout_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .words =
          {.what =
               {"Two linear layers with an activation between them: the first widens the features, the second brings "
                "them back. Every position is treated alike and alone.",
                "Два линейных слоя с активацией между ними: первый расширяет признаки, второй возвращает прежнюю "
                "ширину. Каждая позиция обрабатывается одинаково и отдельно."},
           .formula = R"(y = \phi(x W_1 + b_1) W_2 + b_2)",
           .why =
               {"It is the part of a transformer block that thinks about one position, after attention has gathered "
                "what "
                "it needs. About two thirds of a block's parameters are here.",
                "Часть блока трансформера, которая обрабатывает одну позицию после того, как внимание собрало для неё "
                "нужное. Здесь около двух третей параметров блока."}},
      .samples =
          {{.name = "gelu", .inputs = {in({2, 3, 4})}, .attrs = {{"hidden", 6}}},
           {.name = "relu",
            .inputs = {in({3, 4}, 0.5, 1.5)},
            .attrs = {{"hidden", 5}, {"activation", "Relu"}},
            .gradient = false},
           {.name = "silu_no_bias",
            .inputs = {in({3, 4})},
            .attrs = {{"hidden", 5}, {"activation", "Silu"}, {"bias", false}}},
           {.name = "sigmoid", .inputs = {in({2, 3})}, .attrs = {{"hidden", 4}, {"activation", "Sigmoid"}}},
           {.name = "tanh_dropout",
            .inputs = {in({3, 4})},
            .attrs = {{"hidden", 8}, {"activation", "Tanh"}, {"dropout", 0.25}}},
           {.name = "leaky_relu",
            .inputs = {in({2, 3})},
            .attrs = {{"hidden", 4}, {"activation", "LeakyRelu"}},
            .gradient = false},
           {.name = "elu", .inputs = {in({2, 3})}, .attrs = {{"hidden", 4}, {"activation", "Elu"}}, .gradient = false},
           {.name = "softplus", .inputs = {in({2, 3})}, .attrs = {{"hidden", 4}, {"activation", "Softplus"}}},
           {.name = "dropout_no_bias",
            .inputs = {in({3, 4})},
            .attrs = {{"hidden", 8}, {"bias", false}, {"dropout", 0.5}}}},
      .bad_samples = {{.name = "unknown_activation",
                       .inputs = {in({2, 3})},
                       .attrs = {{"hidden", 4}, {"activation", "Add"}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "Gelu"}},
  };
}

}  // namespace asg::cards
