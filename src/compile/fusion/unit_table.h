#pragma once

#include <vector>

#include "compile/fusion/units.h"

namespace asg::fusion {

// Units while they grow: which there are, in which of them each node is and what it gives there.
class UnitTable {
 public:
  UnitTable(const Graph& graph, const Layouts& layouts);

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
  // The units that a node reads from, its own aside; one that it reads several times stands there as often.
  std::vector<int> units_before(const Node& node) const;

  std::vector<int> take_numbers() { return std::move(unit_of_); }
  std::vector<Level> take_levels() { return std::move(levels_); }

 private:
  const Graph& graph_;
  const Layouts& layouts_;
  std::vector<Unit> units_;
  std::vector<int> unit_of_;   // by node
  std::vector<Level> levels_;  // by node
};

}  // namespace asg::fusion
