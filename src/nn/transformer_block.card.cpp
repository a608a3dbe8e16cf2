#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor mask = ctx.has(1) ? ctx.in(1) : Tensor{};
  const bool norm_first = ctx.boolean("norm_first");
  const double dropout = ctx.real("dropout");
  auto norm = [&](const char* name, const Tensor& input) { return ctx.layer(name, "nn.LayerNorm", {input}); };
  auto attend = [&](const Tensor& input) {
    return ctx.layer("attention", "nn.MultiHeadAttention", {input, {}, {}, mask},
                     {{"heads", ctx.integer("heads")}, {"causal", ctx.boolean("causal")}, {"dropout", dropout}});
  };
  auto think = [&](const Tensor& input) {
    return ctx.layer("feed_forward", "nn.FeedForward", {input},
                     {{"hidden", ctx.integer("hidden")}, {"activation", ctx.text("activation")}, {"dropout", dropout}});
  };
  Tensor y;
  if (norm_first) {
    y = x + attend(norm("norm_1", x));
    y = y + think(norm("norm_2", y));
  } else {
    y = norm("norm_1", x + attend(x));
    y = norm("norm_2", y + think(y));
  }
  ctx.output(y);
  ctx.governed("attention", "heads", "heads");
  ctx.governed("attention", "causal", "causal");
  ctx.governed("feed_forward", "hidden", "hidden");
  ctx.governed("feed_forward", "activation", "activation");
}

std::vector<AttrSpec> attributes() {
  return {{.name = "heads", .least = 1, .words = {"number of attention heads", "число голов внимания"}},
          {.name = "hidden",
           .least = 1,
           .words = {"features inside the feed-forward part", "признаков внутри прямой части"}},
          nn::activation_attribute(),
          {.name = "norm_first",
           .kind = AttrKind::boolean,
           .fallback = true,
           .words = {"normalise before attention and feed-forward (true) or after the sums (false)",
                     "нормировать перед вниманием и прямой частью (true) или после сумм (false)"}},
          {.name = "causal",
           .kind = AttrKind::boolean,
           .fallback = false,
           .words = {"each position sees itself and earlier ones only", "позиция видит только себя и прошлое"}},
          nn::dropout_attribute()};
}

std::vector<Sample> samples() {
  auto sample = [](std::string name, Attrs attrs, bool gradient = true) {
    attrs.set("heads", 2);
    attrs.set("hidden", 6);
    return Sample{.name = std::move(name), .inputs = {in({2, 3, 4})}, .attrs = std::move(attrs), .gradient = gradient};
  };
  std::vector<Sample> result = {
      sample("plain", {}),
      sample("norm_last", {{"norm_first", false}}),
      sample("causal", {{"causal", true}}),
      sample("causal_norm_last", {{"causal", true}, {"norm_first", false}}),
      sample("dropout", {{"dropout", 0.25}}),
      sample("dropout_norm_last", {{"dropout", 0.25}, {"norm_first", false}}),
      sample("causal_dropout", {{"causal", true}, {"dropout", 0.25}}),
  };
  for (const Attr& activation : nn::activation_attribute().choices) {
    const std::string& name = activation.as_text();
    result.push_back(sample(name, {{"activation", name}}, nn::is_smooth(name)));
    result.push_back(sample(name + "_all_else",
                            {{"activation", name}, {"norm_first", false}, {"causal", true}, {"dropout", 0.25}},
                            nn::is_smooth(name)));
  }
  result.push_back({.name = "padding_mask",
                    .inputs = {in({2, 3, 4}), in_bools({2, 1, 1, 3}, {true, true, false, true, true, true})},
                    .attrs = {{"heads", 2}, {"hidden", 5}}});
  result.push_back({.name = "batch_1_length_1", .inputs = {in({1, 1, 4})}, .attrs = {{"heads", 2}, {"hidden", 5}}});
  return result;
}

}  // namespace

OpCard card_transformer_block() {
  return {
      .name = "nn.TransformerBlock",
      .category = Category::attention,
      .inputs = {{.name = "x", .words = {"[batch, length, features]", "[пакет, длина, признаки]"}},
                 {.name = "mask",
                  .dtypes = kBool,
                  .type = "",
                  .kind = PortKind::optional,
                  .words = {"true where looking is allowed; broadcast to [batch, heads, length, length]",
                            "true там, где смотреть можно; растягивается до [пакет, головы, длина, длина]"},
                  .differentiable = false}},
      .outputs = {{.name = "y", .words = {"[batch, length, features]", "[пакет, длина, признаки]"}}},
      .attributes = attributes(),
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.TransformerEncoderLayer",
      .words =
          {.what =
               {"Self-attention, which moves information between positions, then a feed-forward layer, which works on "
                "each position. Both are added to their input (residual connections) and normalised.",
                "Самовнимание переносит информацию между позициями, затем прямой слой обрабатывает каждую позицию. Оба "
                "прибавляются ко входу (остаточные связи) и нормируются."},
           .formula = R"(h = x + \text{Attention}(\text{Norm}(x)), \quad y = h + \text{FeedForward}(\text{Norm}(h)))",
           .why =
               {"Language models, vision transformers and speech models are stacks of this one block. Because every "
                "part "
                "adds to a stream that passes straight through, dozens of them can be trained on top of each other.",
                "Языковые модели, зрительные трансформеры и модели речи — это стопки таких блоков. Каждая часть лишь "
                "добавляет к сквозному потоку, поэтому их обучают десятками друг на друге."}},
      .samples = samples(),
      .bad_samples = {{.name = "rank_2",
                       .inputs = {in({3, 4})},
                       .attrs = {{"heads", 2}, {"hidden", 5}},
                       .code = ErrorCode::bad_shape,
                       .contains = "[batch, length, features]"}},
  };
}

}  // namespace asg::nn_cards
