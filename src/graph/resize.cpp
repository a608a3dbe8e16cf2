#include "asg/graph/resize.h"

#include <algorithm>
#include <utility>

#include "preserve.h"

namespace asg {
namespace {

// Where shapes of other rank or dtype follow each other there is no common block: everything is new.
bool has_common_block(const Variable& before, const Variable& after) {
  return before.type.dtype == after.type.dtype && before.type.shape.rank() == after.type.shape.rank();
}

ResizeRule rule_for(const Variable& before, const Variable& after, ResizePolicy policy) {
  ResizeRule rule;
  rule.variable = after.id;
  rule.new_sizes = after.type.shape.sizes();
  rule.zero_axes.resize(rule.new_sizes.size(), false);
  rule.old_sizes.resize(rule.new_sizes.size(), 0);
  if (policy != ResizePolicy::fresh && has_common_block(before, after)) rule.old_sizes = before.type.shape.sizes();
  return rule;
}

}  // namespace

std::vector<ResizeRule> plan_resize(const Graph& before, const Graph& after, ResizePolicy policy) {
  std::vector<ResizeRule> rules;
  for (const VarId id : after.variable_ids()) {
    if (!before.has(id) || before.variable(id).type == after.variable(id).type) continue;
    rules.push_back(rule_for(before.variable(id), after.variable(id), policy));
  }
  if (policy == ResizePolicy::preserve && !rules.empty()) preserve_function(before, after, rules);
  return rules;
}

Array resized(const Array& old, const Array& fresh, const ResizeRule& rule) {
  Array result = fresh.copy();
  Sizes common = rule.new_sizes;
  for (std::size_t axis = 0; axis < common.size(); ++axis) {
    common[axis] = std::min(rule.old_sizes[axis], rule.new_sizes[axis]);
    const std::int64_t added = rule.new_sizes[axis] - common[axis];
    if (!rule.zero_axes[axis] || added == 0) continue;
    Array slice = result.sliced(static_cast<int>(axis), common[axis], added, 1);
    slice.assign(Array(result.dtype(), slice.sizes()));
  }
  const bool comparable = old.dtype() == result.dtype() && old.rank() == result.rank();
  if (!comparable || element_count(common) == 0) return result;
  Array to = result;
  Array from = old;
  for (std::size_t axis = 0; axis < common.size(); ++axis) {
    to = to.sliced(static_cast<int>(axis), 0, common[axis], 1);
    from = from.sliced(static_cast<int>(axis), 0, common[axis], 1);
  }
  to.assign(from);
  return result;
}

}  // namespace asg
