#include "nn/support/layers.h"
#include "ops/support/pairs.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const std::int64_t width = nn::known_length(ctx, x, x.rank() - 1, "features");
  const bool bias = ctx.boolean("bias");
  const Attrs wide = {{"units", ctx.integer("hidden")}, {"bias", bias}};
  const Tensor expanded = ctx.layer("expand", "nn.Linear", {x}, wide);
  const bool gated = ctx.boolean("gated");
  const Tensor gate = gated ? ctx.layer("gate", "nn.Linear", {x}, wide) : expanded;
  Tensor hidden = ctx.op_named("activation", ctx.text("activation"), {gate}, nn::activation_attrs(ctx));
  if (gated) hidden = hidden * expanded;
  hidden = nn::dropout(ctx, "dropout", hidden, ctx.real("dropout"));
  ctx.output(ctx.layer("contract", "nn.Linear", {hidden}, {{"units", width}, {"bias", bias}}));
  ctx.governed("expand", "units", "hidden");
  if (gated) ctx.governed("gate", "units", "hidden");
  ctx.governed("activation", "", "activation");
  if (ctx.text("activation") == "Gelu") ctx.governed("activation", "approximate", "approximate");
  ctx.governed("dropout", "ratio", "dropout");
}

// Every two settings meet. The gradients of other activations are checked with their own cards.
std::vector<Sample> samples() {
  std::vector<Sample> result = {{.name = "sequence", .inputs = {in({2, 3, 4})}, .attrs = {{"hidden", 6}}},
                                {.name = "gated_sequence",
                                 .inputs = {in({1, 2, 3})},
                                 .attrs = {{"hidden", 4}, {"activation", "Silu"}, {"gated", true}, {"bias", false}}}};
  const AttrSpec activation = nn::activation_attribute();
  for (Attrs& setting : ops::all_pairs({{"gated", {false, true}},
                                        {"bias", {true, false}},
                                        {"dropout", {0.0, 0.25}},
                                        {"approximate", nn::approximate_attribute().choices},
                                        {"activation", activation.choices}})) {
    const std::string name = setting.find("activation")->as_text();
    setting.set("hidden", 6);
    result.push_back({.name = name + "_" + std::to_string(result.size()),
                      .inputs = {in({2, 3})},
                      .attrs = std::move(setting),
                      .gradient = name == activation.fallback->as_text()});
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
                     nn::approximate_attribute(),
                     {.name = "gated",
                      .kind = AttrKind::boolean,
                      .fallback = false,
                      .words = {"multiply by a second projection: GLU with Sigmoid, SwiGLU with Silu",
                                "умножать на вторую проекцию: GLU с Sigmoid, SwiGLU с Silu"}},
                     nn::bias_attribute({"whether the projections add a bias", "прибавляют ли проекции смещение"}),
                     nn::dropout_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.Sequential",
      .words =
          {.what = {"Two linear layers with an activation between them: the first widens the features, the second "
                    "brings them back. With `gated` the activation of one projection opens and closes a second one. "
                    "Every position is treated alike and alone.",
                    "Два линейных слоя с активацией между ними: первый расширяет признаки, второй возвращает прежнюю "
                    "ширину. С `gated` активация одной проекции открывает и закрывает вторую. Каждая позиция "
                    "обрабатывается одинаково и отдельно."},
           .formula = R"(y = \phi(x W_1 + b_1) W_2 + b_2)",
           .why =
               {"It is the part of a transformer block that works on one position, after attention has gathered what "
                "it needs. With the usual `hidden` of four times the width, about two thirds of a block's parameters "
                "are here.",
                "Часть блока трансформера, которая обрабатывает одну позицию после того, как внимание собрало для неё "
                "нужное. При обычном `hidden`, вчетверо большем ширины, здесь около двух третей параметров блока."}},
      .samples = samples(),
      .bad_samples = {{.name = "unknown_activation",
                       .inputs = {in({2, 3})},
                       .attrs = {{"hidden", 4}, {"activation", "Add"}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "Gelu"}},
  };
}

}  // namespace asg::nn_cards
