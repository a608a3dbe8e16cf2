#include "ops/support/infer.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "asg/graph/card.h"
#include "ops/support/operands.h"

namespace asg::ops {

namespace {

Shape broadcast_all(const InferContext& ctx) {
  Shape shape = ctx.shape(0);
  for (int index = 1; index < ctx.input_count(); ++index) {
    if (ctx.has(index)) shape = broadcast(shape, ctx.shape(index));
  }
  return shape;
}

bool in_range(const Dim& value, DType dtype) {
  if (dtype == DType::i64 || !value.is_known()) return true;
  return value.value() >= std::numeric_limits<std::int32_t>::min() &&
         value.value() <= std::numeric_limits<std::int32_t>::max();
}

// What a rule gives, or nothing where the arithmetic of dims has no answer: contents are only a convenience, so
// a number that does not fit must not refuse the node.
template <class Rule, class... Operands>
std::optional<Dim> attempt(const Rule& rule, const Operands&... operands) {
  try {
    return rule(operands...);
  } catch (const UserError&) {
    return std::nullopt;
  }
}

std::optional<std::vector<Dim>> combine_contents(const std::vector<Dim>& a, const std::vector<Dim>& b,
                                                 const KnownBinary& rule) {
  const std::size_t count = a.size() == 1 ? b.size() : a.size();
  std::vector<Dim> contents;
  for (std::size_t k = 0; k < count; ++k) {
    auto value = attempt(rule, a[a.size() == 1 ? 0 : k], b[b.size() == 1 ? 0 : k]);
    if (!value) return std::nullopt;
    contents.push_back(*std::move(value));
  }
  return contents;
}

}  // namespace

void infer_same(InferContext& ctx) { ctx.output(ctx.type(0)); }

void infer_identity(InferContext& ctx) {
  ctx.output(ctx.type(0));
  if (auto known = ctx.known(0)) ctx.output_known(0, *std::move(known));
}

void infer_broadcast(InferContext& ctx) { ctx.output({ctx.dtype(ctx.input_count() - 1), broadcast_all(ctx)}); }

void infer_broadcast_to_bool(InferContext& ctx) { ctx.output({DType::boolean, broadcast_all(ctx)}); }

std::function<void(InferContext&)> infer_known_unary(KnownUnary rule) {
  return [rule = std::move(rule)](InferContext& ctx) {
    ctx.output(ctx.type(0));
    const auto known = ctx.known(0);
    if (!known) return;
    std::vector<Dim> contents;
    for (const Dim& value : *known) {
      auto result = attempt(rule, value);
      if (!result) return;
      contents.push_back(*std::move(result));
    }
    set_known(ctx, ctx.type(0), std::move(contents));
  };
}

std::function<void(InferContext&)> infer_known_broadcast(KnownBinary rule) {
  return [rule = std::move(rule)](InferContext& ctx) {
    const TensorType type{ctx.dtype(0), broadcast_all(ctx)};
    ctx.output(type);
    auto contents = ctx.known(0);
    for (int index = 1; index < ctx.input_count() && contents; ++index) {
      const auto next = ctx.known(index);
      contents = next ? combine_contents(*contents, *next, rule) : std::nullopt;
    }
    if (contents) set_known(ctx, type, *std::move(contents));
  };
}

void set_known(InferContext& ctx, const TensorType& type, std::vector<Dim> contents) {
  if (!kIndex.contains(type.dtype) || type.shape.rank() > 1 || contents.size() > kMostKnown) return;
  for (const Dim& value : contents) {
    if (!in_range(value, type.dtype)) return;
  }
  ctx.output_known(0, std::move(contents));
}

std::optional<std::vector<Dim>> known_contents(const Array& array) {
  if (!kIndex.contains(array.dtype()) || array.rank() > 1 || array.count() > kMostKnown) return std::nullopt;
  std::vector<Dim> contents;
  for (std::int64_t position = 0; position < array.count(); ++position) contents.emplace_back(array.get_i64(position));
  return contents;
}

std::vector<std::int64_t> need_integers(const InferContext& ctx, int index, std::string_view what) {
  std::vector<std::int64_t> numbers;
  for (const Dim& value : ctx.need_known(index)) {
    if (!value.is_known()) {
      fail(ErrorCode::missing_value, std::string(what) + " that hold " + value.to_string(),
           std::string(what) + " that are numbers while the graph is built", "give them as a constant");
    }
    numbers.push_back(value.value());
  }
  return numbers;
}

std::vector<int> axes_or_all(const InferContext& ctx, int index) {
  const auto given = ctx.has(index) ? need_integers(ctx, index, "axes") : std::vector<std::int64_t>{};
  return axes_or_all(ctx, given, ctx.shape(0).rank());
}

void infer_reduction(InferContext& ctx) {
  const auto axes = axes_or_all(ctx, 1);
  const bool keep = ctx.boolean("keepdims");
  std::vector<Dim> dims;
  for (int axis = 0; axis < ctx.shape(0).rank(); ++axis) {
    const bool reduced = std::find(axes.begin(), axes.end(), axis) != axes.end();
    if (!reduced) dims.push_back(ctx.shape(0)[axis]);
    if (reduced && keep) dims.emplace_back(1);
  }
  ctx.output({ctx.dtype(0), Shape(std::move(dims))});
}

}  // namespace asg::ops
