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

std::vector<KeptRun> kept_along(const ResizeRule& rule, std::size_t axis) {
  if (axis < rule.kept.size() && !rule.kept[axis].empty()) return rule.kept[axis];
  return {{0, 0, std::min(rule.old_sizes[axis], rule.new_sizes[axis])}};
}

void zero_new(Array& result, const ResizeRule& rule, std::size_t axis) {
  std::int64_t at = 0;
  const auto zero_up_to = [&](std::int64_t end) {
    if (end <= at) return;
    Array slice = result.sliced(static_cast<int>(axis), at, end - at, 1);
    slice.assign(Array(result.dtype(), slice.sizes()));
  };
  for (const KeptRun& run : kept_along(rule, axis)) {
    zero_up_to(run.to);
    at = run.to + run.count;
  }
  zero_up_to(rule.new_sizes[axis]);
}

void copy_kept(const Array& from, Array to, const ResizeRule& rule, std::size_t axis) {
  if (axis == rule.new_sizes.size()) {
    to.assign(from);
    return;
  }
  for (const KeptRun& run : kept_along(rule, axis)) {
    const int number = static_cast<int>(axis);
    if (run.count == 0) continue;
    copy_kept(from.sliced(number, run.from, run.count, 1), to.sliced(number, run.to, run.count, 1), rule, axis + 1);
  }
}

}  // namespace

ResizeRule inverted(const ResizeRule& rule) {
  ResizeRule result = rule;
  std::swap(result.old_sizes, result.new_sizes);
  result.zero_axes.assign(result.zero_axes.size(), false);
  for (auto& runs : result.kept) {
    for (KeptRun& run : runs) std::swap(run.from, run.to);
  }
  return result;
}

namespace {

enum class SizeChange : std::uint8_t { none, longer, shorter, mixed };

SizeChange change_of(const std::vector<ResizeRule>& rules) {
  bool longer = false;
  bool shorter = false;
  for (const ResizeRule& rule : rules) {
    if (element_count(rule.old_sizes) == 0) continue;
    for (std::size_t axis = 0; axis < rule.new_sizes.size(); ++axis) {
      longer = longer || rule.new_sizes[axis] > rule.old_sizes[axis];
      shorter = shorter || rule.new_sizes[axis] < rule.old_sizes[axis];
    }
  }
  if (longer && shorter) return SizeChange::mixed;
  return longer ? SizeChange::longer : shorter ? SizeChange::shorter : SizeChange::none;
}

void forget_places(std::vector<ResizeRule>& rules) {
  for (ResizeRule& rule : rules) {
    rule.zero_axes.assign(rule.zero_axes.size(), false);
    rule.kept.clear();
  }
}

// Where every variable becomes shorter, the elements that stay are those that the way back would make old ones. So an
// edit and its inverse agree on the places.
void find_places_backwards(const Graph& before, const Graph& after, std::vector<ResizeRule>& rules) {
  for (ResizeRule& rule : rules) rule = inverted(rule);
  preserve_function(after, before, rules);
  for (ResizeRule& rule : rules) rule = inverted(rule);
}

}  // namespace

ResizePlan make_resize_plan(const Graph& before, const Graph& after, ResizePolicy policy) {
  ResizePlan plan;
  plan.policy = policy;
  for (const VarId id : after.variable_ids()) {
    if (!before.has(id) || before.variable(id).type == after.variable(id).type) continue;
    plan.rules.push_back(rule_for(before.variable(id), after.variable(id), policy));
  }
  if (policy == ResizePolicy::fresh) return plan;
  const bool is_asked = policy == ResizePolicy::preserve;
  if (plan.rules.empty() && !is_asked) {
    plan.policy = ResizePolicy::overlap;
    return plan;
  }
  std::optional<UserError> problem = preserve_function(before, after, plan.rules);
  if (problem && is_asked) throw UserError(*std::move(problem));
  if (!problem && policy != ResizePolicy::overlap) {
    plan.policy = ResizePolicy::preserve;
    return plan;
  }
  plan.policy = ResizePolicy::overlap;
  if (policy == ResizePolicy::automatic) plan.not_preserved = std::move(problem);
  const SizeChange change = change_of(plan.rules);
  if (change != SizeChange::longer) forget_places(plan.rules);
  if (change == SizeChange::shorter) find_places_backwards(before, after, plan.rules);
  for (ResizeRule& rule : plan.rules) rule.zero_axes.assign(rule.zero_axes.size(), false);
  return plan;
}

std::vector<ResizeRule> plan_resize(const Graph& before, const Graph& after, ResizePolicy policy) {
  return make_resize_plan(before, after, policy).rules;
}

Array resized(const Array& old, const Array& fresh, const ResizeRule& rule) {
  Array result = fresh.copy();
  for (std::size_t axis = 0; axis < rule.new_sizes.size(); ++axis) {
    if (rule.zero_axes[axis]) zero_new(result, rule, axis);
  }
  if (old.dtype() == result.dtype() && old.rank() == result.rank()) copy_kept(old, result, rule, 0);
  return result;
}

}  // namespace asg
