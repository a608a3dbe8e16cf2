#include "ops/support/operands.h"

#include <string>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"

namespace asg::ops {
namespace {

// Nothing where the arithmetic of dims has no answer: contents are only a convenience.
std::optional<Dim> folded_contents(const std::vector<Dim>& contents, const KnownBinary& rule) {
  std::optional<Dim> folded = contents.front();
  try {
    for (std::size_t k = 1; k < contents.size() && folded; ++k) folded = rule(*folded, contents[k]);
  } catch (const UserError&) {
    return std::nullopt;
  }
  return folded;
}

}  // namespace

std::vector<int> axes_or_all(const AttrReader& attributes, const std::vector<std::int64_t>& given, int rank) {
  std::vector<int> axes = normalize_axes(given, rank);
  const Attr* none_means_none = attributes.find("noop_with_empty_axes");
  if (!axes.empty() || (none_means_none != nullptr && none_means_none->as_boolean())) return axes;
  for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

std::vector<std::int64_t> known_ints(const Tensor& operand) {
  const auto& known = operand.graph().info(operand.value()).known;
  internal_check(known != nullptr, "integers of an op are not known although it was typed by them");
  std::vector<std::int64_t> numbers;
  for (const Dim& number : *known) numbers.push_back(number.value());
  return numbers;
}

std::vector<std::int64_t> axes_or_all(const AttrReader& attributes, const Tensor& x, const Tensor& axes) {
  const auto given = axes.valid() ? known_ints(axes) : std::vector<std::int64_t>{};
  const auto normalized = axes_or_all(attributes, given, x.rank());
  return {normalized.begin(), normalized.end()};
}

void check_one_number(const InferContext& ctx, int index) {
  const Shape& shape = ctx.shape(index);
  if (shape.rank() <= 1 && shape.element_count() == Dim(1)) return;
  const std::string name(ctx.op().inputs[static_cast<std::size_t>(index)].name);
  fail(ErrorCode::bad_shape, "input '" + name + "' of shape " + shape.to_string(), "one number");
}

std::function<void(InferContext&)> infer_known_reduction(KnownBinary rule) {
  return [rule = std::move(rule)](InferContext& ctx) {
    infer_reduction(ctx);
    const auto known = ctx.known(0);
    if (!known || known->empty() || axes_or_all(ctx, 1).empty()) return;
    const auto folded = folded_contents(*known, rule);
    const bool keep = ctx.boolean("keepdims");
    if (folded) set_known(ctx, {ctx.dtype(0), keep ? Shape{1} : Shape{}}, {*folded});
  };
}

}  // namespace asg::ops
