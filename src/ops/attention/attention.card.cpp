#include <cmath>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

constexpr int kQuery = 0;
constexpr int kKey = 1;
constexpr int kValue = 2;
constexpr int kMask = 3;
constexpr int kSeed = 4;
constexpr int kStep = 5;

// A score that softmax turns into exactly 0, small enough that nothing overflows in the dtype.
double lowest_score(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return -6e4;
    case DType::f64:
      return -1e300;
    default:
      return -1e38;
  }
}

void check_axis(const Tensor& a, const Tensor& b, int axis, const char* what) {
  if (!ops::surely_differ(a.shape()[axis], b.shape()[axis])) return;
  fail(ErrorCode::bad_shape, "operands of shapes " + a.shape().to_string() + " and " + b.shape().to_string(),
       std::string("the same ") + what);
}

void check_shapes(const BodyContext& ctx) {
  for (int index = kQuery; index <= kValue; ++index) {
    if (ctx.in(index).rank() == 4) continue;
    fail(ErrorCode::bad_shape, "an operand of shape " + ctx.in(index).shape().to_string(),
         "[batch, heads, length, width]", "insert the missing axes with Unsqueeze");
  }
  check_axis(ctx.in(kQuery), ctx.in(kKey), 0, "batch");
  check_axis(ctx.in(kQuery), ctx.in(kKey), 3, "width of queries and keys");
  for (int axis = 0; axis < 3; ++axis)
    check_axis(ctx.in(kKey), ctx.in(kValue), axis, "batch, heads and length of keys and values");
}

// How many query heads share one head of keys and values.
std::int64_t group_size(const Tensor& query, const Tensor& key) {
  const Dim& heads = query.shape()[1];
  const Dim& shared = key.shape()[1];
  if (heads == shared) return 1;
  const bool divides =
      heads.is_known() && shared.is_known() && shared.value() > 0 && heads.value() % shared.value() == 0;
  if (divides) return heads.value() / shared.value();
  fail(ErrorCode::bad_shape, heads.to_string() + " heads of queries and " + shared.to_string() + " of keys and values",
       "a number of heads of keys and values that divides the number of heads of queries");
}

double scale_of(const BodyContext& ctx) {
  const double given = ctx.real("scale");
  if (given != 0) return given;
  const Dim& width = ctx.in(kQuery).shape()[3];
  if (!width.is_known() || width.value() == 0) {
    fail(ErrorCode::missing_value, "heads of width " + width.to_string() + " and no scale",
         "a width that is known while building, or a scale", "give the attribute `scale`");
  }
  return 1 / std::sqrt(static_cast<double>(width.value()));
}

Tensor lengths(const Tensor& x, std::int64_t begin, std::int64_t end) {
  const Tensor from = ops::ints(x.graph(), {begin});
  return add_op("Slice", {add_op("Shape", {x}), from, ops::ints(x.graph(), {end})});
}

// [batch, groups · group, …] ↔ [batch, groups, group, …]
Tensor split_heads(const Tensor& x, std::int64_t groups, std::int64_t group) {
  const Tensor batch = lengths(x, 0, 1);
  const Tensor rest = lengths(x, 2, 4);
  const Tensor shape = add_op("Concat", {batch, ops::ints(x.graph(), {groups, group}), rest}, {{"axis", 0}});
  return add_op("Reshape", {x, shape});
}

Tensor merge_heads(const Tensor& x, std::int64_t heads) {
  const Tensor batch = lengths(x, 0, 1);
  const Tensor rest = lengths(x, 3, 5);
  const Tensor shape = add_op("Concat", {batch, ops::ints(x.graph(), {heads}), rest}, {{"axis", 0}});
  return add_op("Reshape", {x, shape});
}

// a · b, where heads of b serve several of a.
Tensor product(const Tensor& a, const Tensor& b, std::int64_t group) {
  if (group == 1) return add_op("MatMul", {a, b});
  const std::int64_t groups = b.shape()[1].value();
  const Tensor left = split_heads(a, groups, group);
  const Tensor right = split_heads(b, groups, 1);
  return merge_heads(add_op("MatMul", {left, right}), groups * group);
}

// true where position t may look at position s: s ≤ t.
Tensor causal_mask(const Tensor& query, const Tensor& key) {
  const Tensor rows = lengths(query, 2, 3);
  const Tensor columns = lengths(key, 2, 3);
  const Tensor shape = add_op("Concat", {rows, columns}, {{"axis", 0}});
  const Tensor all = add_op("Expand", {query.graph().constant(Array::scalar(DType::boolean, 1)), shape});
  return add_op("Trilu", {all}, {{"upper", false}});
}

// The scores with the mask added or applied, and where looking is allowed; no tensor where it is everywhere.
struct Masked {
  Tensor scores;
  Tensor allowed;

  void allow(const Tensor& mask) { allowed = allowed.valid() ? add_op("And", {allowed, mask}) : mask; }
};

Masked masked(const BodyContext& ctx, const Tensor& scores) {
  Masked result{scores, {}};
  const DType dtype = result.scores.dtype();
  if (ctx.boolean("is_causal")) result.allow(causal_mask(ctx.in(kQuery), ctx.in(kKey)));
  if (ctx.has(kMask)) {
    const Tensor& mask = ctx.in(kMask);
    if (!can_broadcast_to(mask.shape(), result.scores.shape())) {
      fail(ErrorCode::bad_shape, "a mask of shape " + mask.shape().to_string(),
           "one that can be broadcast to " + result.scores.shape().to_string(),
           "the axes are [batch, heads, length, other length]; a padding mask is [batch, 1, 1, other length]");
    }
    if (mask.dtype() == DType::boolean) {
      result.allow(mask);
    } else {
      // −∞ forbids, exactly as false does: a sum with it would make NaN of a row that is forbidden everywhere.
      const Tensor number = mask.dtype() == dtype ? mask : add_op("Cast", {mask}, {{"to", dtype}});
      const Tensor finite = number > lowest_score(dtype);
      result.scores = result.scores + ops::where_or_zero(finite, number);
      result.allow(finite);
    }
  }
  if (!result.allowed.valid()) return result;
  const Tensor lowest = result.scores.graph().scalar(dtype, lowest_score(dtype));
  result.scores = ops::choose(result.allowed, result.scores, lowest);
  return result;
}

Tensor dropped(BodyContext& ctx, const Tensor& weights) {
  const double ratio = ctx.real("dropout");
  if (ratio == 0) return weights;
  if (!ctx.has(kSeed) || !ctx.has(kStep)) {
    fail(ErrorCode::missing_input, "dropout " + std::to_string(ratio) + " without seed and step",
         "the inputs `seed` and `step`, which say what is dropped");
  }
  return ctx.op_named("dropout", "Dropout", {weights, ctx.in(kSeed), ctx.in(kStep)}, {{"ratio", ratio}});
}

void body(BodyContext& ctx) {
  check_shapes(ctx);
  const Tensor& key = ctx.in(kKey);
  const std::int64_t group = group_size(ctx.in(kQuery), key);
  const Tensor query = ctx.in(kQuery)*scale_of(ctx);
  const Tensor turned = add_op("Transpose", {key}, {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}});
  const Masked scores = masked(ctx, product(query, turned, group));
  Tensor weights = ctx.op_named("weights", "Softmax", {scores.scores});
  // A row that may look nowhere gets zeros.
  if (scores.allowed.valid()) weights = ops::where_or_zero(scores.allowed, weights);
  ctx.output(product(dropped(ctx, weights), ctx.in(kValue), group));
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

Port random_port(std::string_view name, Words words) {
  return {.name = name,
          .dtypes = {DType::u64},
          .type = "",
          .kind = PortKind::optional,
          .words = words,
          .differentiable = false};
}

std::vector<Port> inputs() {
  return {
      {.name = "Q", .words = {"queries: [batch, heads, length, width]", "запросы: [пакет, головы, длина, ширина]"}},
      {.name = "K",
       .words =
           {"keys: [batch, heads, other length, width]; fewer heads than queries have are shared by groups of them",
            "ключи: [пакет, головы, другая длина, ширина]; если голов меньше, чем у запросов, их делят группы голов"}},
      {.name = "V",
       .words = {"values: [batch, heads, other length, any width]",
                 "значения: [пакет, головы, другая длина, любая ширина]"}},
      {.name = "attn_mask",
       .dtypes = kFloats | kBool,
       .type = "",
       .kind = PortKind::optional,
       .words = {"bool: true where looking is allowed; floats: added to the scores; broadcast to [batch, heads, "
                 "length, other length]",
                 "логическая: true там, где смотреть можно; вещественная: прибавляется к оценкам; растягивается до "
                 "[пакет, головы, длина, другая длина]"}},
      random_port("seed", {"the seed of all random numbers of the model; needed by dropout",
                           "зерно всех случайных чисел модели; нужно для dropout"}),
      random_port("step",
                  {"the number of the training step; needed by dropout", "номер шага обучения; нужен для dropout"})};
}

std::vector<AttrSpec> attributes() {
  return {{.name = "is_causal",
           .kind = AttrKind::boolean,
           .fallback = false,
           .words = {"whether a query sees only keys up to its own position; both are counted from the start",
                     "видит ли запрос только ключи до своей позиции включительно; те и другие считаются с начала"}},
          {.name = "scale",
           .kind = AttrKind::real,
           .fallback = 0.0,
           .least = 0,
           .words = {"what scores are multiplied by; 0 means 1 / √width", "множитель оценок; 0 означает 1 / √ширины"}},
          {.name = "dropout",
           .kind = AttrKind::real,
           .fallback = 0.0,
           .least = 0,
           .most = 1,
           .words = {"the probability with which a weight is dropped; those that stay are scaled up",
                     "вероятность, с которой вес отбрасывается; оставшиеся увеличиваются"}}};
}

}  // namespace

OpCard card_attention() {
  return {
      .name = "Attention",
      .category = Category::attention,
      .inputs = inputs(),
      .outputs = {{.name = "Y", .words = {"[batch, heads, length, width of V]", "[пакет, головы, длина, ширина V]"}}},
      .attributes = attributes(),
      .traits = {.random = true},
      .body = body,
      .gradient_kind = GradientKind::body,
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
