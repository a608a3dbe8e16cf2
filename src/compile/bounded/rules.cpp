#include <algorithm>

#include "compile/bounded/site.h"

namespace asg::bounded {
namespace {

// Axes of all inputs counted from the last; a length of 1 takes that of its neighbours.
void elementwise(Site& site) {
  const int rank = site.lengths().rank();
  StoredShape result(static_cast<std::size_t>(rank));
  for (std::size_t input = 0; input < site.node().inputs.size(); ++input) {
    if (!site.has(input)) continue;
    const StoredShape& shape = site.stored(input);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      StoredAxis& to = result[result.size() - shape.size() + axis];
      if (shape[axis].empty()) continue;
      if (!to.empty() && to != shape[axis]) throw Refusal{"meets axes that lie in different ways"};
      to = shape[axis];
    }
  }
  for (std::size_t port = 0; port < site.node().outputs.size(); ++port) site.lay_out(result, port);
}

// Ops that read a tensor along one axis and keep all others: nothing may be bounded there.
template <int kDefaultAxis>
void along_axis(Site& site) {
  const Attr* given = site.attributes().find("axis");
  const int axis = normalize_axis(given != nullptr ? given->as_integer() : kDefaultAxis, site.rank(0));
  if (is_ragged(site.stored(0)[static_cast<std::size_t>(axis)])) throw Refusal{"looks along an axis that is bounded"};
  for (std::size_t port = 0; port < site.node().outputs.size(); ++port) {
    StoredShape shape = site.stored(0);
    shape[static_cast<std::size_t>(axis)] = site.plain(axis, port);
    site.lay_out(std::move(shape), port);
  }
}

// What comes before an axis never depends on what comes behind.
void cumulative(Site& site) {
  const std::vector<Dim> axis = site.contents(1);
  const int along = normalize_axis(axis.front().value(), site.rank(0));
  if (site.attributes().boolean("reverse")) site.mask(0, std::vector<int>{along}, 0);
  site.lay_out(site.stored(0));
}

// Random numbers are drawn by place, counted over all places: those of the first axis stay where they are.
void random(Site& site) {
  const StoredShape& shape = site.stored(0);
  bool first = true;
  for (const StoredAxis& axis : shape) {
    if (is_ragged(axis) && (!first || axis.size() > 1)) {
      throw Refusal{"draws random numbers by place, and a bounded axis that is not the first one would move them"};
    }
    first = first && axis.empty();
  }
  for (std::size_t port = 0; port < site.node().outputs.size(); ++port) site.lay_out(shape, port);
}

// Each place by its own row and column.
void same_places(Site& site) { site.lay_out(site.stored(0)); }

Rules all_rules() {
  Rules rules;
  for (const std::string_view op : {"Trilu", "EyeLike", "Print"}) rules[op] = {same_places, {1}};
  for (const std::string_view op : {"Dropout", "Bernoulli", "RandomUniformLike", "RandomNormalLike"}) {
    rules[op] = {random};
  }
  for (const std::string_view op : {"Hardmax", "Softmax", "LogSoftmax", "Sort"}) rules[op] = {along_axis<-1>};
  rules["TopK"] = {along_axis<-1>, {1}};
  rules["Split"] = {along_axis<0>, {1}};
  rules["CumSum"] = {cumulative, {1}};
  add_moving_rules(rules);
  add_mixing_rules(rules);
  return rules;
}

}  // namespace

const Rule* rule_for(const OpCard& op) {
  static const Rules kRules = all_rules();
  static const Rule kElementwise = {elementwise};
  const auto found = kRules.find(op.name);
  if (found != kRules.end()) return &found->second;
  return op.traits.elementwise ? &kElementwise : nullptr;
}

}  // namespace asg::bounded
