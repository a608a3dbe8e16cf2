#include "ops/attention/attention_parts.h"

#include <cmath>

#include "asg/graph/graph.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"

namespace asg::ops {
namespace {

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
  if (!surely_differ(a.shape()[axis], b.shape()[axis])) return;
  fail(ErrorCode::bad_shape, "operands of shapes " + a.shape().to_string() + " and " + b.shape().to_string(),
       std::string("the same ") + what);
}

void check_shapes(const AttentionOperands& operands) {
  for (const Tensor& operand : {operands.query, operands.key, operands.value}) {
    if (operand.rank() == 4) continue;
    fail(ErrorCode::bad_shape, "an operand of shape " + operand.shape().to_string(), "[batch, heads, length, width]",
         "insert the missing axes with Unsqueeze");
  }
  check_axis(operands.query, operands.key, 0, "batch");
  check_axis(operands.query, operands.key, 3, "width of queries and keys");
  for (int axis = 0; axis < 3; ++axis)
    check_axis(operands.key, operands.value, axis, "batch, heads and length of keys and values");
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

double scale_of(const AttentionOperands& operands) {
  if (operands.scale != 0) return operands.scale;
  const Dim& width = operands.query.shape()[3];
  if (!width.is_known() || width.value() == 0) {
    fail(ErrorCode::missing_value, "heads of width " + width.to_string() + " and no scale",
         "a width that is known while building, or a scale", "give the attribute `scale`");
  }
  return 1 / std::sqrt(static_cast<double>(width.value()));
}

Tensor lengths(const Tensor& x, std::int64_t begin, std::int64_t end) {
  const Tensor from = ints(x.graph(), {begin});
  return add_op("Slice", {add_op("Shape", {x}), from, ints(x.graph(), {end})});
}

// [batch, groups · group, …] ↔ [batch, groups, group, …]
Tensor split_heads(const Tensor& x, std::int64_t groups, std::int64_t group) {
  const Tensor batch = lengths(x, 0, 1);
  const Tensor rest = lengths(x, 2, 4);
  const Tensor shape = add_op("Concat", {batch, ints(x.graph(), {groups, group}), rest}, {{"axis", 0}});
  return add_op("Reshape", {x, shape});
}

Tensor merge_heads(const Tensor& x, std::int64_t heads) {
  const Tensor batch = lengths(x, 0, 1);
  const Tensor rest = lengths(x, 3, 5);
  const Tensor shape = add_op("Concat", {batch, ints(x.graph(), {heads}), rest}, {{"axis", 0}});
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

// The last two axes exchanged.
Tensor turned(const Tensor& x) {
  std::vector<std::int64_t> perm;
  for (int axis = 0; axis < x.rank(); ++axis) perm.push_back(axis);
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return add_op("Transpose", {x}, {{"perm", perm}});
}

// aᵀ · b, summed over the heads of a and b that share one of the result, which has as many as `result`.
Tensor shared_product(const Tensor& a, const Tensor& b, const Tensor& result, std::int64_t group) {
  if (group == 1) return add_op("MatMul", {turned(a), b});
  const std::int64_t groups = result.shape()[1].value();
  const Tensor each = add_op("MatMul", {turned(split_heads(a, groups, group)), split_heads(b, groups, group)});
  return add_op("ReduceSum", {each, ints(each.graph(), {2})}, {{"keepdims", false}});
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

Masked masked(const AttentionOperands& operands, const Tensor& scores) {
  Masked result{scores, {}};
  const DType dtype = result.scores.dtype();
  if (operands.causal) result.allow(causal_mask(operands.query, operands.key));
  if (operands.mask.valid()) {
    const Tensor& mask = operands.mask;
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
      result.scores = result.scores + where_or_zero(finite, number);
      result.allow(finite);
    }
  }
  if (!result.allowed.valid()) return result;
  const Tensor lowest = result.scores.graph().scalar(dtype, lowest_score(dtype));
  result.scores = choose(result.allowed, result.scores, lowest);
  return result;
}

// Products know lengths by the names of either operand.
Tensor shaped_like(const Tensor& x, const Tensor& like) {
  return x.type() == like.type() ? x : add_op("Reshape", {x, shape_of(like)});
}

// The weights of softmax, and what dropout leaves of them.
struct Weights {
  Tensor all;
  Tensor kept;     // the same without dropout
  Tensor dropped;  // bools: where a weight stays; absent without dropout
};

Weights weights_of(const AttentionOperands& operands, const Tensor& query, std::int64_t group,
                   const DropWeights& drop) {
  const Masked scores = masked(operands, product(query, turned(operands.key), group));
  Weights weights;
  weights.all = add_op("Softmax", {scores.scores});
  // A row that may look nowhere gets zeros.
  if (scores.allowed.valid()) weights.all = where_or_zero(scores.allowed, weights.all);
  weights.kept = weights.all;
  if (operands.dropout == 0) return weights;
  if (!operands.seed.valid() || !operands.step.valid()) {
    fail(ErrorCode::missing_input, "dropout " + std::to_string(operands.dropout) + " without seed and step",
         "the inputs `seed` and `step`, which say what is dropped");
  }
  weights.kept = drop({weights.all, operands.seed, operands.step}, {{"ratio", operands.dropout}});
  weights.dropped = weights.kept.graph().tensor({weights.kept.node(), 1});
  return weights;
}

Port random_port(std::string_view name, Words words) {
  return {.name = name,
          .dtypes = {DType::u64},
          .type = "",
          .kind = PortKind::optional,
          .words = words,
          .differentiable = false};
}

}  // namespace

AttentionOperands attention_operands(const AttrReader& attributes, std::vector<Tensor> inputs) {
  inputs.resize(6);
  return {.query = inputs[0],
          .key = inputs[1],
          .value = inputs[2],
          .mask = inputs[3],
          .seed = inputs[4],
          .step = inputs[5],
          .scale = attributes.real("scale"),
          .causal = attributes.boolean("is_causal"),
          .dropout = attributes.real("dropout")};
}

Tensor attention_by_parts(const AttentionOperands& operands, const DropWeights& drop) {
  check_shapes(operands);
  const std::int64_t group = group_size(operands.query, operands.key);
  const Tensor query = operands.query * scale_of(operands);
  return product(weights_of(operands, query, group, drop).kept, operands.value, group);
}

AttentionGradients attention_gradients_by_parts(const AttentionOperands& operands, const Tensor& gradient,
                                                const DropWeights& drop) {
  check_shapes(operands);
  const std::int64_t group = group_size(operands.query, operands.key);
  const double scale = scale_of(operands);
  const Tensor query = operands.query * scale;
  const Weights weights = weights_of(operands, query, group, drop);
  Tensor by_weights = product(gradient, turned(operands.value), group);
  if (weights.dropped.valid()) {
    const double kept = operands.dropout < 1 ? 1 / (1 - operands.dropout) : 0;
    by_weights = where_or_zero(weights.dropped, by_weights * kept);
  }
  const Tensor mean = reduce_keeping("ReduceSum", weights.all * by_weights, {3});
  const Tensor by_scores = weights.all * (by_weights - mean);
  return {.query = shaped_like(product(by_scores, operands.key, group) * scale, operands.query),
          .key = shaped_like(shared_product(by_scores, query, operands.key, group), operands.key),
          .value = shaped_like(shared_product(weights.kept, gradient, operands.value, group), operands.value),
          .scores = by_scores};
}

std::vector<Port> attention_operand_ports() {
  return {
      {.name = "Q", .words = {"queries: [batch, heads, length, width]", "запросы: [пакет, головы, длина, ширина]"}},
      {.name = "K",
       .words =
           {"keys: [batch, heads, other length, width]; fewer heads than queries have are shared by groups of them",
            "ключи: [пакет, головы, другая длина, ширина]; если голов меньше, чем у запросов, их делят группы голов"}},
      {.name = "V",
       .words = {"values: [batch, heads, other length, any width]",
                 "значения: [пакет, головы, другая длина, любая ширина]"}}};
}

std::vector<Port> attention_optional_ports() {
  return {{.name = "attn_mask",
           .dtypes = kFloats | kBool,
           .type = "",
           .kind = PortKind::optional,
           .words = {"bool: true where looking is allowed; floats: added to the scores; broadcast to [batch, heads, "
                     "length, other length]",
                     "логическая: true там, где смотреть можно; вещественная: прибавляется к оценкам; растягивается до "
                     "[пакет, головы, длина, другая длина]"}},
          random_port("seed", {"the seed of all random numbers of the model; needed by dropout",
                               "зерно всех случайных чисел модели; нужно для dropout"}),
          random_port("step", {"the number of the training step; needed by dropout",
                               "номер шага обучения; нужен для dropout"})};
}

std::vector<AttrSpec> attention_attributes() {
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

}  // namespace asg::ops
