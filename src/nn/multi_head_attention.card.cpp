#include <cmath>

#include "asg/graph/graph.h"
#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

struct Heads {
  std::int64_t count;
  std::int64_t width;  // of one head
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
  return {heads, features / heads};
}

// [batch, length, features] → [batch, heads, length, width]
Tensor split_heads(const Tensor& x, const Heads& heads) {
  const Tensor shape = x.graph().constant(Array::ints({0, 0, heads.count, heads.width}));
  return add_op("Transpose", {add_op("Reshape", {x, shape})}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
}

Tensor merge_heads(const Tensor& x, const Heads& heads) {
  const Tensor turned = add_op("Transpose", {x}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
  return add_op("Reshape", {turned, x.graph().constant(Array::ints({0, 0, heads.count * heads.width}))});
}

// Sets scores to a number that softmax turns into 0 where the mask is false.
Tensor masked(const Tensor& scores, const Tensor& mask) {
  constexpr double kMasked = -1e9;  // not −∞: a row that is masked everywhere must not become NaN
  const double lowest = scores.dtype() == DType::f16 ? -6e4 : kMasked;
  return add_op("Where", {mask, scores, scores.graph().scalar(scores.dtype(), lowest)});
}

// true where position t may look at position s: s ≤ t.
Tensor causal_mask(const Tensor& query, const Tensor& key) {
  Graph& graph = query.graph();
  const Tensor length_axis = graph.constant(Array::ints({1}));
  const Tensor rows = add_op("Gather", {add_op("Shape", {query}), length_axis});
  const Tensor columns = add_op("Gather", {add_op("Shape", {key}), length_axis});
  const Tensor shape = add_op("Concat", {rows, columns}, {{"axis", 0}});
  const Tensor all = add_op("Expand", {graph.constant(Array::scalar(DType::boolean, 1)), shape});
  return add_op("Trilu", {all}, {{"upper", false}});
}

void body(BodyContext& ctx) {
  const Tensor& query = ctx.in(0);
  const Tensor& key = ctx.has(1) ? ctx.in(1) : query;
  const Tensor& value = ctx.has(2) ? ctx.in(2) : key;
  const Heads heads = heads_of(ctx, query);
  const std::int64_t features = heads.count * heads.width;
  const Attrs projection = {{"units", features}, {"bias", ctx.boolean("bias")}};
  const Tensor q = split_heads(ctx.layer("query_projection", "nn.Linear", {query}, projection), heads);
  const Tensor k = split_heads(ctx.layer("key_projection", "nn.Linear", {key}, projection), heads);
  const Tensor v = split_heads(ctx.layer("value_projection", "nn.Linear", {value}, projection), heads);
  const Tensor turned_k = add_op("Transpose", {k}, {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}});
  Tensor scores = add_op("MatMul", {q, turned_k}) * (1 / std::sqrt(static_cast<double>(heads.width)));
  if (ctx.boolean("causal")) scores = masked(scores, causal_mask(query, key));
  if (ctx.has(3)) scores = masked(scores, ctx.in(3));
  Tensor weights = ctx.op_named("weights", "Softmax", {scores});
  weights = nn::dropout(ctx, "dropout", weights, ctx.real("dropout"));
  const Tensor mixed = merge_heads(add_op("MatMul", {weights, v}), heads);
  ctx.output(ctx.layer("output_projection", "nn.Linear", {mixed}, projection));
  ctx.governed("dropout", "ratio", "dropout");
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
       .dtypes = kBool,
       .type = "",
       .kind = PortKind::optional,
       .words = {"true where looking is allowed; broadcast to [batch, heads, length, other length]",
                 "true там, где смотреть можно; растягивается до [пакет, головы, длина, другая длина]"},
       .differentiable = false}};
}

std::vector<Sample> samples() {
  return {
      {.name = "self", .inputs = {in({2, 3, 4})}, .attrs = {{"heads", 2}}},
      {.name = "one_head", .inputs = {in({2, 3, 4})}, .attrs = {{"heads", 1}}},
      {.name = "causal", .inputs = {in({2, 5, 4})}, .attrs = {{"heads", 2}, {"causal", true}}},
      {.name = "no_bias", .inputs = {in({1, 3, 6})}, .attrs = {{"heads", 3}, {"bias", false}}},
      {.name = "causal_no_bias", .inputs = {in({2, 3, 4})}, .attrs = {{"heads", 2}, {"causal", true}, {"bias", false}}},
      {.name = "dropout", .inputs = {in({2, 4, 4})}, .attrs = {{"heads", 2}, {"dropout", 0.25}}},
      {.name = "causal_dropout",
       .inputs = {in({2, 4, 4})},
       .attrs = {{"heads", 2}, {"causal", true}, {"dropout", 0.25}}},
      {.name = "dropout_no_bias",
       .inputs = {in({2, 4, 4})},
       .attrs = {{"heads", 2}, {"bias", false}, {"dropout", 0.25}}},
      {.name = "cross", .inputs = {in({2, 3, 4}), in({2, 5, 6})}, .attrs = {{"heads", 2}}},
      {.name = "cross_value", .inputs = {in({2, 3, 4}), in({2, 5, 6}), in({2, 5, 7})}, .attrs = {{"heads", 2}}},
      {.name = "padding_mask",
       .inputs = {in({2, 3, 4}), absent(), absent(), in_bools({2, 1, 1, 3}, {true, true, false, true, false, false})},
       .attrs = {{"heads", 2}}},
      {.name = "length_1", .inputs = {in({3, 1, 4})}, .attrs = {{"heads", 2}}}};
}

}  // namespace

OpCard card_multi_head_attention() {
  return {
      .name = "nn.MultiHeadAttention",
      .category = Category::attention,
      .inputs = inputs(),
      .outputs = {{.name = "y", .words = {"[batch, length, features]", "[пакет, длина, признаки]"}}},
      .attributes = {{.name = "heads", .least = 1, .words = {"number of heads", "число голов"}},
                     {.name = "causal",
                      .kind = AttrKind::boolean,
                      .fallback = false,
                      .words = {"each position sees itself and earlier ones only",
                                "позиция видит только себя и прошлое"}},
                     {.name = "bias",
                      .kind = AttrKind::boolean,
                      .fallback = true,
                      .words = {"whether the projections add a bias", "прибавляют ли проекции смещение"}},
                     nn::dropout_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.MultiheadAttention",
      .words =
          {.what =
               {"Every position asks all others how relevant they are (query against key), turns the answers into "
                "weights by softmax and takes the weighted mean of their values. Several heads do this side by side on "
                "slices of the features.",
                "Каждая позиция спрашивает остальные, насколько они важны (запрос против ключа), превращает ответы в "
                "веса через softmax и берёт взвешенное среднее значений. Несколько голов делают это параллельно на "
                "срезах признаков."},
           .formula = R"(y = \text{softmax}\left(\frac{Q K^\top}{\sqrt{d}}\right) V W_O)",
           .why = {"It lets information travel between any two positions in one step, whatever their distance. This is "
                   "what "
                   "made transformers displace recurrent networks.",
                   "Позволяет информации пройти между любыми двумя позициями за один шаг, как бы далеко они ни стояли. "
                   "Этим "
                   "трансформеры вытеснили рекуррентные сети."}},
      .samples = samples(),
      .bad_samples = {{.name = "heads_do_not_divide",
                       .inputs = {in({2, 3, 4})},
                       .attrs = {{"heads", 3}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "divides the features"},
                      {.name = "rank_2",
                       .inputs = {in({3, 4})},
                       .attrs = {{"heads", 2}},
                       .code = ErrorCode::bad_shape,
                       .contains = "[batch, length, features]"}},
  };
}

}  // namespace asg::nn_cards
