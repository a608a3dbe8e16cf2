#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "asg/graph/graph.h"

namespace asg {

// Nodes in an order in which inputs come first; ties by id, so the same graph gives the same order.
// Iterative. Throws cycle, naming a few nodes on it.
std::vector<NodeId> topological_order(const Graph& graph);

// One use of a value: input number `input` of node `user`.
struct Use {
  NodeId user;
  std::uint32_t input = 0;
  friend bool operator==(const Use&, const Use&) = default;
};

// Who uses what, for all nodes, in two flat arrays.
class UseMap {
 public:
  explicit UseMap(const Graph& graph);
  std::span<const Use> uses(NodeId node) const&;       // of any port, by user id
  std::span<const Use> uses(NodeId node) && = delete;  // it would outlive the map
  std::vector<Use> uses(const Graph& graph, Value value) const;

 private:
  std::vector<std::uint32_t> first_;
  std::vector<Use> uses_;
};

// The nodes that `roots` depend on, the roots included, by rising id.
std::vector<NodeId> ancestors(const Graph& graph, std::span<const Value> roots);
// The nodes that depend on `from`, `from` included, by rising id.
std::vector<NodeId> descendants(const Graph& graph, std::span<const NodeId> from);

// Where each value of an old graph went in a new one. Every pass returns one, so that a node can be followed
// through all views.
class Remap {
 public:
  static Remap identity(const Graph& graph);  // every value stays
  void set(Value from, Value to);
  Value operator()(Value from) const;  // none where it has no counterpart
  Remap then(const Remap& next) const;

 private:
  std::vector<Value> first_;                 // of port 0, by old node id
  std::unordered_map<Value, Value> others_;  // of later ports, which few nodes have
};

}  // namespace asg
