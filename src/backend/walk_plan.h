#pragma once

#include <span>
#include <vector>

#include "asg/graph/graph.h"

namespace asg {

// Which nodes of a graph are run, in which order, and how often each value is used.
//   expects:    any graph, also a broken one
//   guarantees: every input of every node in `order` exists; outputs and updates refer to values that exist; without a
//               schedule, inputs come first
class WalkPlan {
 public:
  // The nodes that outputs and updates need. Throws missing_output (an output or update of a value that does not
  // exist), unknown_node and dangling_value (an input that does not exist), cycle; for a schedule also not_in_order
  // (a node twice).
  explicit WalkPlan(const Graph& graph, std::span<const NodeId> schedule = {});

  // Every output of every node has a slot.
  std::size_t slot(Value value) const { return first_slot_[value.node.number] + value.port; }
  std::size_t slots() const { return uses_.size(); }
  // By needed nodes, outputs and updates.
  std::uint32_t uses(std::size_t slot) const { return uses_[slot]; }

  const std::vector<NodeId>& order() const { return order_; }  // all nodes
  bool needed(NodeId id) const { return needed_[id.number]; }

 private:
  void check_edges(const Graph& graph) const;
  void check_schedule(const Graph& graph) const;
  void mark_needed(const Graph& graph);

  std::vector<NodeId> order_;
  std::vector<std::size_t> first_slot_;  // by node number
  std::vector<std::uint32_t> uses_;      // by slot
  std::vector<bool> needed_;             // by node number
};

}  // namespace asg
