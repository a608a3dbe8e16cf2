#pragma once

#include <span>
#include <vector>

#include "compile/fusion/units.h"

namespace asg::fusion {

// Units while they grow: which there are, in which of them each node is and what it gives there.
class UnitTable {
 public:
  // `order` is that of the nodes to be put into units, and of what they need.
  UnitTable(const Graph& graph, std::span<const NodeId> order, const Layouts& layouts);

  const Graph& graph() const { return graph_; }
  const Layouts& layouts() const { return layouts_; }

  std::vector<Unit>& all() { return units_; }
  const std::vector<Unit>& all() const { return units_; }
  Unit& unit(int number) { return units_[static_cast<std::size_t>(number)]; }
  const Unit& unit(int number) const { return units_[static_cast<std::size_t>(number)]; }
  int unit_of(NodeId node) const { return unit_of_[node.number]; }  // -1: none
  void put(NodeId node, int unit) { unit_of_[node.number] = unit; }
  Level level(NodeId node) const { return levels_[node.number]; }
  void set_level(NodeId node, Level level) { levels_[node.number] = level; }

  const Layout& layout_of(const Node& node, std::size_t input) const { return layouts_.input_of(node, input); }
  // Whether a value may be used in the kernel that computes its root.
  bool is_direct(const Layout& layout) const;
  // Of each input of a node, the node that computes what is read there; none where the input is absent.
  std::span<const NodeId> sources_of(NodeId node) const& {
    return std::span(sources_).subspan(first_source_[node.number],
                                       first_source_[std::size_t{node.number} + 1] - first_source_[node.number]);
  }
  // The units that a unit reads from, in rising order; valid until the next call.
  const std::vector<int>& units_before(int number);

  std::vector<int> take_numbers() { return std::move(unit_of_); }
  std::vector<Level> take_levels() { return std::move(levels_); }

 private:
  const Graph& graph_;
  const Layouts& layouts_;
  std::vector<Unit> units_;
  std::vector<int> unit_of_;   // by node
  std::vector<Level> levels_;  // by node
  std::vector<NodeId> sources_;
  std::vector<std::uint32_t> first_source_;  // by node: in sources_
  std::vector<int> before_;
};

}  // namespace asg::fusion
