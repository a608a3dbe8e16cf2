#include "compile/fusion/unit_table.h"

namespace asg::fusion {

UnitTable::UnitTable(const Graph& graph, const Layouts& layouts)
    : graph_(graph),
      layouts_(layouts),
      unit_of_(graph.next_node_id().number, -1),
      levels_(graph.next_node_id().number, Level::element) {}

bool UnitTable::is_direct(const Layout& layout) const {
  return layout.keeps_order(element_count(graph_.type(layout.root).shape.sizes()));
}

std::vector<int> UnitTable::units_before(const Node& node) const {
  std::vector<int> result;
  for (std::size_t k = 0; k < node.inputs.size(); ++k) {
    if (!node.inputs[k]) continue;
    const int before = unit_of(layout_of(node, k).root.node);
    if (before >= 0 && before != unit_of(node.id)) result.push_back(before);
  }
  return result;
}

}  // namespace asg::fusion
