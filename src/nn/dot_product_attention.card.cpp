#include "asg/graph/graph.h"
#include "nn/support/layers.h"
#include "nn/support/transformer.h"
#include "ops/support/pairs.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  // Declared in both modes, so that the slots do not depend on the mode.
  const Tensor seed = ctx.seed();
  const Tensor step = ctx.step();
  std::vector<Tensor> inputs = {ctx.in(0), ctx.in(1), ctx.in(2)};
  if (ctx.has(3)) inputs.push_back(ctx.in(3));
  Attrs attrs = {{"is_causal", ctx.boolean("causal")}};
  const double dropout = ctx.real("dropout");
  if (ctx.training() && dropout > 0) {
    inputs.resize(4);
    inputs.insert(inputs.end(), {seed, step});
    attrs.set("dropout", dropout);
  }
  ctx.output(ctx.op_named("attention", "Attention", std::move(inputs), std::move(attrs)));
}

std::vector<Port> inputs() {
  return {
      {.name = "query",
       .words = {"[batch, heads, length, width]: who asks", "[пакет, головы, длина, ширина]: кто спрашивает"}},
      {.name = "key",
       .words =
           {"[batch, heads, other length, width]: what is asked; fewer heads are shared by groups of queries' heads",
            "[пакет, головы, другая длина, ширина]: кого спрашивают; если голов меньше, их делят группы голов "
            "запросов"}},
      {.name = "value",
       .words = {"[batch, heads, other length, any width]: what is taken from there",
                 "[пакет, головы, другая длина, любая ширина]: что оттуда берут"}},
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
  for (Attrs& setting : ops::all_pairs({{"causal", {false, true}}, {"dropout", {0.0, 0.25}}})) {
    result.push_back({.name = "mixed_" + std::to_string(result.size() + 1),
                      .inputs = {in({1, 2, 3, 2}), in({1, 2, 3, 2}), in({1, 2, 3, 2})},
                      .attrs = std::move(setting)});
  }
  const SampleInput padding = in_bools({2, 1, 1, 3}, {true, true, false, true, false, false});
  const std::vector<Sample> others = {
      {.name = "cross", .inputs = {in({2, 3, 1, 5}), in({2, 3, 4, 5}), in({2, 3, 4, 2})}},
      {.name = "shared_heads", .inputs = {in({1, 4, 2, 3}), in({1, 2, 3, 3}), in({1, 2, 3, 1})}},
      {.name = "padding_mask", .inputs = {in({2, 1, 2, 2}), in({2, 1, 3, 2}), in({2, 1, 3, 2}), padding}},
      {.name = "added_mask", .inputs = {in({2, 1, 2, 2}), in({2, 1, 3, 2}), in({2, 1, 3, 2}), in({2, 3})}},
      {.name = "mask_and_dropout",
       .inputs = {in({2, 1, 2, 2}), in({2, 1, 3, 2}), in({2, 1, 3, 2}), padding},
       .attrs = {{"dropout", 0.25}}},
      {.name = "empty_batch", .inputs = {in({0, 1, 2, 2}), in({0, 1, 3, 2}), in({0, 1, 3, 2})}, .gradient = false}};
  result.insert(result.end(), others.begin(), others.end());
  return result;
}

}  // namespace

OpCard card_dot_product_attention() {
  return {
      .name = "nn.DotProductAttention",
      .category = Category::attention,
      .inputs = inputs(),
      .outputs = {{.name = "y",
                   .words = {"[batch, heads, length, width of the values]",
                             "[пакет, головы, длина, ширина значений]"}}},
      .attributes = {nn::causal_attribute(), nn::dropout_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "",
      .words = {.what = {"Compares queries with keys and takes the weighted mean of the values; in training some of "
                         "the weights are dropped, in evaluation none. "
                         "A position that may look nowhere gets zeros.",
                         "Сравнивает запросы с ключами и берёт взвешенное среднее значений; при обучении часть весов "
                         "отбрасывается, при оценке — нет. "
                         "Позиция, которой нельзя смотреть никуда, получает нули."},
                .formula = R"(y = \operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d}} + M\right) V)",
                .why = {"The part of attention that has no parameters. nn.MultiHeadAttention puts its projections "
                        "around it; for heads that come about otherwise it stands alone.",
                        "Часть внимания, у которой нет параметров. nn.MultiHeadAttention окружает её проекциями; для "
                        "голов, полученных иначе, её берут отдельно."}},
      .samples = samples(),
      .bad_samples = {{.name = "rank_3",
                       .inputs = {in({2, 3, 4}), in({2, 3, 4}), in({2, 3, 4})},
                       .code = ErrorCode::bad_shape,
                       .contains = "[batch, heads, length, width]"}},
  };
}

}  // namespace asg::nn_cards
