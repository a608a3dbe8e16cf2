#include "compile/fusion/unit_table.h"

#include <algorithm>

#include "asg/graph/card.h"

namespace asg::fusion {

UnitTable::UnitTable(const Graph& graph, std::span<const NodeId> order, const Layouts& layouts)
    : graph_(graph),
      layouts_(layouts),
      unit_of_(graph.next_node_id().number, -1),
      levels_(graph.next_node_id().number, Level::element),
      first_source_(std::size_t{graph.next_node_id().number} + 1, 0) {
  const auto is_computed = [&](const Node& node) { return !node.op->traits.leaf && !layouts.is_view(node.id); };
  for (const NodeId id : order) {
    const Node& node = graph.node(id);
    if (is_computed(node)) first_source_[std::size_t{id.number} + 1] = static_cast<std::uint32_t>(node.inputs.size());
  }
  for (std::size_t k = 1; k < first_source_.size(); ++k) first_source_[k] += first_source_[k - 1];
  sources_.resize(first_source_.back());
  for (const NodeId id : order) {
    const Node& node = graph.node(id);
    if (!is_computed(node)) continue;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      if (node.inputs[k]) sources_[first_source_[id.number] + k] = layouts.input_of(node, k).root.node;
    }
  }
}

bool UnitTable::is_direct(const Layout& layout) const { return layout.keeps_order(layouts_.count_of(layout.root)); }

const std::vector<int>& UnitTable::units_before(int number) {
  before_.clear();
  for (const NodeId id : unit(number).nodes) {
    for (const NodeId source : sources_of(id)) {
      const int before = unit_of(source);
      if (before >= 0 && before != number) before_.push_back(before);
    }
  }
  std::sort(before_.begin(), before_.end());
  before_.erase(std::unique(before_.begin(), before_.end()), before_.end());
  return before_;
}

}  // namespace asg::fusion
