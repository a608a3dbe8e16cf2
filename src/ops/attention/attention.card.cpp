#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "asg/graph/registry.h"
#include "ops/attention/attention_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

constexpr int kQuery = 0;
constexpr int kKey = 1;
constexpr int kValue = 2;
constexpr int kMask = 3;
constexpr int kSeed = 4;
constexpr int kStep = 5;

void body(BodyContext& ctx) {
  ctx.output(ops::attention_by_parts(ops::attention_operands(ctx, ctx.inputs),
                                     [&](const std::vector<Tensor>& inputs, const Attrs& attrs) {
                                       return ctx.op_named("dropout", "Dropout", inputs, attrs);
                                     }));
}

// Where a mask of numbers is learnt, its gradient is that of the scores, so they are there anyway.
void gradient_with_mask(GradientContext& ctx) {
  // The Dropout inside the body of this node.
  const StreamKey stream = combine(ctx.stream, "dropout");
  const auto drop = [&](const std::vector<Tensor>& inputs, const Attrs& attrs) {
    NodeSpec spec{.op = &Registry::global().get("Dropout"), .attrs = attrs, .stream = stream};
    for (const Tensor& input : inputs) spec.inputs.push_back(input.value());
    return ctx.graph().add_outputs(std::move(spec)).front();
  };
  const auto found = ops::attention_gradients_by_parts(ops::attention_operands(ctx, ctx.inputs), ctx.grad(), drop);
  ctx.set(kQuery, found.query);
  ctx.set(kKey, found.key);
  ctx.set(kValue, found.value);
  const DType dtype = ctx.in(kMask).dtype();
  ctx.set_summed(kMask, dtype == found.scores.dtype() ? found.scores : add_op("Cast", {found.scores}, {{"to", dtype}}));
}

// AttentionGrad draws the random numbers of this node: the same stream gives the Dropout in its body the same key.
void gradient(GradientContext& ctx) {
  if (ctx.has(kMask) && ctx.needs(kMask)) return gradient_with_mask(ctx);
  NodeSpec spec{.op = &Registry::global().get("AttentionGrad"), .attrs = ctx.attrs(), .stream = ctx.stream};
  const auto add = [&](int index) { spec.inputs.push_back(ctx.has(index) ? ctx.in(index).value() : Value{}); };
  for (const int index : {kQuery, kKey, kValue}) add(index);
  spec.inputs.push_back(ctx.grad().value());
  for (const int index : {kMask, kSeed, kStep}) add(index);
  while (!spec.inputs.back()) spec.inputs.pop_back();
  const std::vector<Tensor> found = ctx.graph().add_outputs(std::move(spec));
  for (const int index : {kQuery, kKey, kValue}) ctx.set(index, found[static_cast<std::size_t>(index)]);
}

std::vector<Port> inputs() {
  std::vector<Port> ports = ops::attention_operand_ports();
  for (const Port& port : ops::attention_optional_ports()) ports.push_back(port);
  return ports;
}

Cost cost(const CostContext& ctx) {
  const Shape& key = ctx.inputs()[kKey].shape;
  const double others = static_cast<double>(key[2].known().value_or(1));
  const double products = ctx.elements(ctx.inputs()[kQuery]) + ctx.elements(ctx.outputs()[0]);
  return {.flops = 2 * products * others, .bytes = ops::bytes_moved(ctx), .compute_bound = true};
}

SampleInput reals(Sizes sizes, std::vector<double> values) {
  return in_exact(Array::of<double>(std::move(sizes), values));
}

std::vector<Sample> samples() {
  const auto number = [](std::uint64_t value) { return in_exact(Array::of<std::uint64_t>({}, {value})); };
  const std::vector<SampleInput> small = {in({1, 2, 3, 2}), in({1, 2, 2, 2}), in({1, 2, 2, 2})};
  const std::vector<SampleInput> random = {small[0], small[1], small[2], absent(), number(7), number(3)};
  const SampleInput padding = in_bools({2, 1, 1, 4}, {true, true, false, true, true, true, true, false});
  const double none = -ops::kInfinity;
  return {
      {.name = "cross", .inputs = {in({2, 3, 1, 5}), in({2, 3, 4, 5}), in({2, 3, 4, 2})}},
      {.name = "causal",
       .inputs = {in({2, 1, 4, 2}), in({2, 1, 4, 2}), in({2, 1, 4, 3})},
       .attrs = {{"is_causal", true}}},
      {.name = "grouped_queries", .inputs = {in({2, 4, 3, 2}), in({2, 2, 3, 2}), in({2, 2, 3, 2})}},
      {.name = "one_shared_head",
       .inputs = {in({1, 3, 2, 2}), in({1, 1, 3, 2}), in({1, 1, 3, 2})},
       .attrs = {{"is_causal", true}, {"scale", 0.3}}},
      {.name = "padding", .inputs = {in({2, 2, 2, 2}), in({2, 2, 4, 2}), in({2, 2, 4, 2}), padding}},
      {.name = "added_mask", .inputs = {small[0], small[1], small[2], in({2, 3, 2})}, .attrs = {{"scale", 1.5}}},
      {.name = "dropout", .inputs = random, .attrs = {{"dropout", 0.25}}},
      {.name = "dropout_causal_scale",
       .inputs = random,
       .attrs = {{"dropout", 0.25}, {"is_causal", true}, {"scale", 0.5}}},
      {.name = "length_1", .inputs = {in({3, 2, 1, 2}), in({3, 2, 1, 2}), in({3, 2, 1, 2})}, .attrs = {{"scale", 0.5}}},
      // Row 0 may look nowhere, row 1 only at position 0, row 2 everywhere with equal scores.
      {.name = "masked_everywhere",
       .inputs = {reals({1, 1, 3, 1}, {5, 6, 0}), reals({1, 1, 2, 1}, {1, 2}), reals({1, 1, 2, 2}, {1, 2, 3, 4}),
                  in_bools({3, 2}, {false, false, true, false, true, true})},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 3, 2}, {0, 0, 1, 2, 2, 3})}},
      {.name = "masked_everywhere_by_infinity",
       .inputs = {reals({1, 1, 3, 1}, {5, 6, 0}), reals({1, 1, 2, 1}, {1, 2}), reals({1, 1, 2, 2}, {1, 2, 3, 4}),
                  reals({3, 2}, {none, none, 0, none, 1, 1})},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 3, 2}, {0, 0, 1, 2, 2, 3})}},
      {.name = "huge_scores",
       .inputs = {reals({1, 1, 1, 1}, {1e6}), reals({1, 1, 2, 1}, {1, -1}), reals({1, 1, 2, 1}, {3, 4})},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 1, 1}, {3})}},
      {.name = "nothing_to_look_at",
       .inputs = {in({1, 2, 3, 2}), in({1, 2, 0, 2}), in({1, 2, 0, 2})},
       .gradient = false,
       .expected = {Array(DType::f64, {1, 2, 3, 2})}},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "rank_3",
       .inputs = {in({2, 3, 4}), in({2, 3, 4}), in({2, 3, 4})},
       .code = ErrorCode::bad_shape,
       .contains = "[batch, heads, length, width]"},
      {.name = "heads_do_not_divide",
       .inputs = {in({1, 3, 2, 2}), in({1, 2, 2, 2}), in({1, 2, 2, 2})},
       .code = ErrorCode::bad_shape,
       .contains = "3 heads of queries and 2 of keys"},
      {.name = "other_widths",
       .inputs = {in({1, 1, 2, 2}), in({1, 1, 2, 3}), in({1, 1, 2, 3})},
       .code = ErrorCode::bad_shape,
       .contains = "width of queries and keys"},
      {.name = "other_lengths",
       .inputs = {in({1, 1, 2, 2}), in({1, 1, 2, 2}), in({1, 1, 3, 2})},
       .code = ErrorCode::bad_shape,
       .contains = "keys and values"},
      {.name = "mask_that_does_not_fit",
       .inputs = {in({1, 1, 2, 2}), in({1, 1, 3, 2}), in({1, 1, 3, 2}), in({3, 2})},
       .code = ErrorCode::bad_shape,
       .contains = "can be broadcast to [1, 1, 2, 3]"},
      {.name = "dropout_without_seed",
       .inputs = {in({1, 1, 2, 2}), in({1, 1, 2, 2}), in({1, 1, 2, 2})},
       .attrs = {{"dropout", 0.5}},
       .code = ErrorCode::missing_input,
       .contains = "seed"},
  };
}

}  // namespace

OpCard card_attention() {
  return {
      .name = "Attention",
      .category = Category::attention,
      .inputs = inputs(),
      .outputs = {{.name = "Y", .words = {"[batch, heads, length, width of V]", "[пакет, головы, длина, ширина V]"}}},
      .attributes = ops::attention_attributes(),
      .traits = {.random = true},
      .body = body,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = cost,
      .torch = "torch.nn.functional.scaled_dot_product_attention",
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 2e-2, .bf16 = 1e-1},
      .words =
          {.what =
               {"Compares each query with all keys; softmax turns the scores into weights that sum to 1, and the "
                "result is the mean of the values under these weights. A mask of bools forbids places, one of floats "
                "is added to the scores, where minus infinity forbids too. A query that may look nowhere gets zeros.",
                "Сравнивает каждый запрос со всеми ключами; softmax превращает оценки в веса с суммой 1, и результат — "
                "среднее значений с этими весами. Логическая маска запрещает места, вещественная прибавляется к "
                "оценкам, и минус бесконечность в ней — тоже запрет. Запрос, которому нельзя смотреть никуда, получает "
                "нули."},
           .formula = R"(Y = \operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d}} + M\right) V)",
           .why = {"It is the core of transformers: a soft look-up in which what to read is decided by content, not by "
                   "place. Fewer heads of keys and values than of queries, as in LLaMA 2 70B, make the cache of a "
                   "language model smaller and its generation faster.",
                   "Сердце трансформеров: мягкий поиск, в котором содержание, а не место решает, что читать. Если "
                   "голов ключей и значений меньше, чем голов запросов, как в LLaMA 2 70B, кэш языковой модели меньше, "
                   "а генерация быстрее."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
