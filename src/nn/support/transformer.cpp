#include "nn/support/transformer.h"

#include "nn/support/layers.h"
#include "nn/support/positions.h"
#include "ops/support/pairs.h"

namespace asg::nn {

AttrSpec key_value_heads_attribute() {
  return {.name = "key_value_heads",
          .fallback = 0,
          .least = 0,
          .words = {"heads of keys and values, each shared by a group of heads; 0: as many as heads",
                    "число голов у ключей и значений, каждая общая для группы голов; 0 — столько же, сколько голов"}};
}

AttrSpec causal_attribute() {
  return {.name = "causal",
          .kind = AttrKind::boolean,
          .fallback = false,
          .words = {"each position sees itself and earlier ones only", "каждая позиция видит только себя и прошлые"}};
}

AttrSpec positions_attribute() {
  return {.name = "positions",
          .kind = AttrKind::text,
          .fallback = "none",
          .choices = {"none", "rotary", "alibi"},
          .words = {"how attention knows where a position stands; none: x tells it, or nothing does",
                    "откуда внимание знает место позиции; none — из x или ниоткуда"}};
}

AttrSpec rotary_base_attribute() {
  AttrSpec base = base_attribute();
  base.name = "rotary_base";
  base.words = {"with rotary positions: about how many times slower the last pair of features turns than the first",
                "при позициях rotary: во сколько примерно раз последняя пара признаков вращается медленнее первой"};
  return base;
}

std::vector<AttrSpec> block_attributes(bool with_activations, bool causal) {
  AttrSpec activation = activation_attribute();
  if (!with_activations) activation.choices.clear();
  AttrSpec looks_back = causal_attribute();
  looks_back.fallback = causal;
  return {{.name = "heads", .least = 1, .words = {"number of attention heads", "число голов внимания"}},
          {.name = "hidden",
           .least = 1,
           .words = {"number of features inside the feed-forward part", "число признаков внутри полносвязной части"}},
          std::move(activation),
          approximate_attribute(),
          {.name = "gated",
           .kind = AttrKind::boolean,
           .fallback = false,
           .words = {"a gated feed-forward part, SwiGLU with Silu", "полносвязная часть с вентилем, SwiGLU при Silu"}},
          {.name = "norm",
           .kind = AttrKind::text,
           .fallback = "LayerNorm",
           .choices = {"LayerNorm", "RMSNorm"},
           .words = {"the layer that normalises", "слой нормализации"}},
          epsilon_attribute(),
          {.name = "norm_first",
           .kind = AttrKind::boolean,
           .fallback = true,
           .words = {"normalise before attention and feed-forward (true) or after the sums (false)",
                     "нормировать перед вниманием и полносвязной частью (true) или после сумм (false)"}},
          std::move(looks_back),
          positions_attribute(),
          rotary_base_attribute(),
          key_value_heads_attribute(),
          bias_attribute({"whether attention and feed-forward add biases",
                          "прибавляют ли смещения внимание и полносвязная часть"}),
          dropout_attribute()};
}

Attrs passed_down(const BodyContext& ctx) {
  Attrs attrs;
  for (const AttrSpec& spec : block_attributes(false, false)) attrs.set(spec.name, ctx.attr(spec.name));
  return attrs;
}

std::vector<Attrs> block_settings(const std::vector<AttrSpec>& attributes, const Attrs& more) {
  std::vector<ops::AttrValues> choices;
  for (const AttrSpec& spec : attributes) {
    const std::string name(spec.name);
    if (more.find(name) != nullptr || name == "heads" || name == "hidden") continue;
    std::vector<Attr> values = spec.choices;
    if (spec.kind == AttrKind::boolean) values = {*spec.fallback, !spec.fallback->as_boolean()};
    if (name == "dropout") values = {0.0, 0.25};
    if (name == "epsilon") values = {*spec.fallback, 0.1};
    if (name == "rotary_base") values = {*spec.fallback, 50.0};
    if (name == "key_value_heads") values = {0, 1};
    if (name == "layers") values = {1, 2};
    if (values.empty()) values = {*spec.fallback, "Silu"};
    choices.push_back({name, std::move(values)});
  }
  std::vector<Attrs> settings = ops::all_pairs(choices);
  for (Attrs& setting : settings) {
    setting.set("heads", 2);
    setting.set("hidden", 3);
    for (const auto& [name, value] : more) setting.set(name, value);
  }
  return settings;
}

Tensor norm_layer(BodyContext& ctx, std::string name, const Tensor& x) {
  return ctx.layer(std::move(name), "nn." + ctx.text("norm"), {x}, {{"epsilon", ctx.real("epsilon")}});
}

Tensor feed_forward_layer(BodyContext& ctx, const Tensor& x) {
  const Tensor y = ctx.layer("feed_forward", "nn.FeedForward", {x},
                             {{"hidden", ctx.integer("hidden")},
                              {"activation", ctx.text("activation")},
                              {"approximate", ctx.text("approximate")},
                              {"gated", ctx.boolean("gated")},
                              {"bias", ctx.boolean("bias")},
                              {"dropout", ctx.real("dropout")}});
  for (const char* attribute : {"hidden", "activation", "approximate", "gated"})
    ctx.governed("feed_forward", attribute, attribute);
  return y;
}

Tensor attention_layer(BodyContext& ctx, std::string name, const Tensor& query, const Tensor& memory,
                       const Tensor& mask) {
  // What is remembered has no order in common with what asks, so neither causality nor positions apply to it.
  const bool itself = !memory.valid();
  const Tensor y = ctx.layer(name, "nn.MultiHeadAttention", {query, memory, {}, mask},
                             {{"heads", ctx.integer("heads")},
                              {"key_value_heads", ctx.integer("key_value_heads")},
                              {"causal", itself && ctx.boolean("causal")},
                              {"positions", itself ? ctx.text("positions") : "none"},
                              {"rotary_base", ctx.real("rotary_base")},
                              {"bias", ctx.boolean("bias")},
                              {"dropout", ctx.real("dropout")}});
  for (const char* attribute : {"heads", "key_value_heads"}) ctx.governed(name, attribute, attribute);
  if (!itself) return y;
  for (const char* attribute : {"causal", "positions", "rotary_base"}) ctx.governed(name, attribute, attribute);
  return y;
}

Port sequence_port() { return {.name = "x", .words = {"[batch, length, features]", "[пакет, длина, признаки]"}}; }

Port memory_port() {
  return {.name = "memory",
          .words = {"[batch, other length, other features]: what the encoder gave",
                    "[пакет, другая длина, другие признаки]: что выдал кодировщик"}};
}

Port mask_port(std::string_view name, Words words) {
  return {.name = name, .dtypes = kBool | kFloats, .type = "", .kind = PortKind::optional, .words = words};
}

std::vector<Port> sequence_output() {
  return {{.name = "y", .words = {"[batch, length, features]", "[пакет, длина, признаки]"}}};
}

BadSample refuse_matrix() {
  return {.name = "rank_2",
          .inputs = {in({3, 4})},
          .attrs = {{"heads", 2}, {"hidden", 5}},
          .code = ErrorCode::bad_shape,
          .contains = "[batch, length, features]"};
}

}  // namespace asg::nn
