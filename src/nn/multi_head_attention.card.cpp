#include <limits>

#include "asg/graph/graph.h"
#include "nn/support/layers.h"
#include "nn/support/transformer.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/pairs.h"

namespace asg::nn_cards {
namespace {

struct Heads {
  std::int64_t count;   // of the queries
  std::int64_t shared;  // of the keys and values; each serves count / shared heads of the queries
  std::int64_t width;   // of one head
};

Heads heads_of(const BodyContext& ctx, const Tensor& query) {
  if (query.rank() != 3) {
    fail(ErrorCode::bad_shape, "a query of shape " + query.shape().to_string(), "[batch, length, features]");
  }
  const std::int64_t features = nn::known_length(ctx, query, 2, "features");
  const std::int64_t heads = ctx.integer("heads");
  if (features % heads != 0) {
    fail(ErrorCode::bad_attribute, std::to_string(heads) + " heads for " + std::to_string(features) + " features",
         "a number of heads that divides the features");
  }
  const std::int64_t shared = ctx.integer("key_value_heads") == 0 ? heads : ctx.integer("key_value_heads");
  if (heads % shared != 0) {
    fail(ErrorCode::bad_attribute,
         std::to_string(shared) + " heads of keys and values for " + std::to_string(heads) + " heads",
         "a number that divides the heads");
  }
  return {heads, shared, features / heads};
}

// [batch, length, features] → [batch, heads, length, width]
Tensor split_heads(const Tensor& x, std::int64_t heads, std::int64_t width) {
  const Tensor shape = ops::ints(x.graph(), {0, 0, heads, width});
  return add_op("Transpose", {add_op("Reshape", {x, shape})}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
}

Tensor merge_heads(const Tensor& x, const Heads& heads) {
  const Tensor turned = add_op("Transpose", {x}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
  return add_op("Reshape", {turned, ops::ints(x.graph(), {0, 0, heads.count * heads.width})});
}

// What is added to the scores so that they tell how far apart two positions are: [1, heads, length, other length].
Tensor distance_bias(BodyContext& ctx, const Tensor& q, const Tensor& k, const Heads& heads) {
  Graph& graph = ctx.graph();
  const Tensor ones = ops::ints(graph, {1});
  const Tensor shape = add_op(
      "Concat", {ones, ops::ints(graph, {heads.count}), ops::length_of(q, 2), ops::length_of(k, 2)}, {{"axis", 0}});
  const Tensor zeros = add_op("Expand", {ops::scalar_like(q, 0), shape});
  return ctx.layer("alibi", "nn.AlibiBias", {zeros});
}

// The bias with a mask on top. Numbers add up; where a mask of bools is false, −∞ forbids.
Tensor with_mask(const Tensor& bias, const Tensor& mask) {
  if (mask.dtype() == DType::boolean) {
    return ops::choose(mask, bias, ops::scalar_like(bias, -std::numeric_limits<double>::infinity()));
  }
  return bias + (mask.dtype() == bias.dtype() ? mask : add_op("Cast", {mask}, {{"to", bias.dtype()}}));
}

void body(BodyContext& ctx) {
  const Tensor& query = ctx.in(0);
  const Tensor& key = ctx.has(1) ? ctx.in(1) : query;
  const Tensor& value = ctx.has(2) ? ctx.in(2) : key;
  const Heads heads = heads_of(ctx, query);
  const auto project = [&](const char* name, const Tensor& x, std::int64_t count) {
    const Tensor features =
        ctx.layer(name, "nn.Linear", {x}, {{"units", count * heads.width}, {"bias", ctx.boolean("bias")}});
    return split_heads(features, count, heads.width);
  };
  Tensor q = project("query_projection", query, heads.count);
  Tensor k = project("key_projection", key, heads.shared);
  const Tensor v = project("value_projection", value, heads.shared);
  if (ctx.text("positions") == "rotary") {
    const Attrs turning = {{"base", ctx.real("rotary_base")}};
    q = ctx.layer("query_rotary", "nn.RotaryPosition", {q}, turning);
    k = ctx.layer("key_rotary", "nn.RotaryPosition", {k}, turning);
    for (const char* rotary : {"query_rotary", "key_rotary"}) ctx.governed(rotary, "base", "rotary_base");
  }
  std::vector<Tensor> operands = {q, k, v};
  if (ctx.has(3)) operands.push_back(ctx.in(3));
  if (ctx.text("positions") == "alibi") {
    const Tensor bias = distance_bias(ctx, q, k, heads);
    operands.resize(4);
    operands[3] = ctx.has(3) ? with_mask(bias, ctx.in(3)) : bias;
  }
  const Tensor mixed = ctx.layer("dot_product", "nn.DotProductAttention", std::move(operands),
                                 {{"causal", ctx.boolean("causal")}, {"dropout", ctx.real("dropout")}});
  ctx.output(ctx.layer("output_projection", "nn.Linear", {merge_heads(mixed, heads)},
                       {{"units", heads.count * heads.width}, {"bias", ctx.boolean("bias")}}));
  for (const char* attribute : {"causal", "dropout"}) ctx.governed("dot_product", attribute, attribute);
}

std::vector<Port> inputs() {
  return {
      {.name = "query", .words = {"[batch, length, features]: who asks", "[пакет, длина, признаки]: кто спрашивает"}},
      {.name = "key",
       .kind = PortKind::optional,
       .words = {"[batch, other length, features]: what is asked; absent: the query itself",
                 "[пакет, другая длина, признаки]: кого спрашивают; нет — сам запрос"}},
      {.name = "value",
       .kind = PortKind::optional,
       .words = {"what is taken from there; absent: the key", "что оттуда берут; нет — ключ"}},
      {.name = "mask",
       .dtypes = kBool | kFloats,
       .type = "",
       .kind = PortKind::optional,
       .words = {"bools: true where looking is allowed; numbers: added to the scores; broadcast to [batch, heads, "
                 "length, other length]",
                 "логический: true там, где смотреть можно; числа прибавляются к оценкам; растягивается до [пакет, "
                 "головы, длина, другая длина]"}}};
}

std::vector<Sample> samples() {
  std::vector<Sample> result;
  for (Attrs& setting : ops::all_pairs({{"causal", {false, true}},
                                        {"bias", {true, false}},
                                        {"dropout", {0.0, 0.25}},
                                        {"key_value_heads", {0, 1}},
                                        {"rotary_base", {10000.0, 50.0}},
                                        {"positions", nn::positions_attribute().choices}})) {
    setting.set("heads", 2);
    result.push_back(
        {.name = "mixed_" + std::to_string(result.size() + 1), .inputs = {in({1, 3, 4})}, .attrs = std::move(setting)});
  }
  const SampleInput padding = in_bools({2, 1, 1, 3}, {true, true, false, true, false, false});
  const SampleInput custom = in_bools({2, 1, 3, 3}, {true, false, false, true, true, false, false, true, true, false,
                                                     true, false, true, true, true, true, true, false});
  const std::vector<Sample> others = {
      {.name = "self", .inputs = {in({2, 3, 4})}, .attrs = {{"heads", 2}}},
      {.name = "one_head", .inputs = {in({2, 3, 4})}, .attrs = {{"heads", 1}}},
      {.name = "grouped_query", .inputs = {in({1, 2, 4})}, .attrs = {{"heads", 4}, {"key_value_heads", 2}}},
      {.name = "cross", .inputs = {in({2, 3, 4}), in({2, 5, 6})}, .attrs = {{"heads", 2}}},
      {.name = "cross_value", .inputs = {in({1, 3, 4}), in({1, 5, 6}), in({1, 5, 7})}, .attrs = {{"heads", 2}}},
      {.name = "padding_mask", .inputs = {in({2, 3, 4}), absent(), absent(), padding}, .attrs = {{"heads", 2}}},
      {.name = "custom_mask",
       .inputs = {in({2, 3, 4}), absent(), absent(), custom},
       .attrs = {{"heads", 2}, {"causal", true}}},
      {.name = "added_mask", .inputs = {in({2, 3, 4}), absent(), absent(), in({2, 3, 3})}, .attrs = {{"heads", 2}}},
      {.name = "cross_mask",
       .inputs = {in({1, 2, 4}), in({1, 3, 4}), absent(), in_bools({3}, {true, false, true})},
       .attrs = {{"heads", 2}}},
      {.name = "length_1", .inputs = {in({3, 1, 4})}, .attrs = {{"heads", 2}}},
      {.name = "empty_batch", .inputs = {in({0, 3, 4})}, .attrs = {{"heads", 2}}, .gradient = false}};
  result.insert(result.end(), others.begin(), others.end());
  return result;
}

}  // namespace

OpCard card_multi_head_attention() {
  return {
      .name = "nn.MultiHeadAttention",
      .category = Category::attention,
      .inputs = inputs(),
      .outputs = {{.name = "y", .words = {"[batch, length, features]", "[пакет, длина, признаки]"}}},
      .attributes = {{.name = "heads", .least = 1, .words = {"number of heads", "число голов"}},
                     nn::key_value_heads_attribute(),
                     nn::causal_attribute(),
                     nn::positions_attribute(),
                     nn::rotary_base_attribute(),
                     nn::bias_attribute({"whether the projections add a bias", "прибавляют ли проекции смещение"}),
                     nn::dropout_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.MultiheadAttention",
      .peer_differences = {{{"custom_mask"}, "a position that may look nowhere gets zeros; PyTorch gives it NaN"}},
      .words = {.what = {"Every position asks all others how relevant they are (query against key), turns the answers "
                         "into weights by softmax and takes the weighted mean of their values. Several heads do this "
                         "side by side on slices of the features; groups of them may share keys and values. A position "
                         "that a mask lets look nowhere takes nothing from anywhere: zeros.",
                         "Каждая позиция спрашивает остальные, насколько они важны (запрос против ключа), превращает "
                         "ответы в веса через softmax и берёт взвешенное среднее значений. Несколько голов делают это "
                         "параллельно на срезах признаков; ключи и значения могут быть общими у группы голов. Позиция, "
                         "которой маска не позволяет смотреть никуда, не берёт ничего: нули."},
                .formula = R"(y = \text{softmax}\left(\frac{Q K^\top}{\sqrt{d}}\right) V W_O)",
                .why = {"It lets information travel between any two positions in one step, whatever their distance, "
                        "where a recurrent network needs a step for each position in between. With shared keys and "
                        "values, as in LLaMA 2 70B, the cache of a language model shrinks with them.",
                        "Позволяет информации пройти между любыми двумя позициями за один шаг, как бы далеко они ни "
                        "стояли, тогда как рекуррентной сети нужен шаг на каждую позицию между ними. С общими ключами "
                        "и значениями, как в LLaMA 2 70B, уменьшается и кэш языковой модели."}},
      .samples = samples(),
      .bad_samples = {{.name = "heads_do_not_divide",
                       .inputs = {in({2, 3, 4})},
                       .attrs = {{"heads", 3}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "divides the features"},
                      {.name = "groups_do_not_divide",
                       .inputs = {in({2, 3, 4})},
                       .attrs = {{"heads", 4}, {"key_value_heads", 3}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "divides the heads"},
                      {.name = "rank_2",
                       .inputs = {in({3, 4})},
                       .attrs = {{"heads", 2}},
                       .code = ErrorCode::bad_shape,
                       .contains = "[batch, length, features]"}},
  };
}

}  // namespace asg::nn_cards
