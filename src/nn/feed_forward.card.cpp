#include "nn/support/layers.h"

namespace asg::nn_cards {
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

// Every activation with and without bias and dropout. Those with a kink at 0 are compared forward only.
std::vector<Sample> samples() {
  std::vector<Sample> result = {{.name = "sequence", .inputs = {in({2, 3, 4})}, .attrs = {{"hidden", 6}}}};
  for (const Attr& activation : nn::activation_attribute().choices) {
    const std::string& name = activation.as_text();
    for (const bool bias : {true, false}) {
      for (const double dropout : {0.0, 0.25}) {
        result.push_back({.name = name + (bias ? "" : "_no_bias") + (dropout > 0 ? "_dropout" : ""),
                          .inputs = {in({3, 4})},
                          .attrs = {{"hidden", 6}, {"activation", name}, {"bias", bias}, {"dropout", dropout}},
                          .gradient = nn::is_smooth(name)});
      }
    }
  }
  return result;
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
      .torch = "torch.nn.Sequential",
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
      .samples = samples(),
      .bad_samples = {{.name = "unknown_activation",
                       .inputs = {in({2, 3})},
                       .attrs = {{"hidden", 4}, {"activation", "Add"}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "Gelu"}},
  };
}

}  // namespace asg::nn_cards
