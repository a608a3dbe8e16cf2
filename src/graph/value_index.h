#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "asg/graph/graph.h"

namespace asg {

// The values of a graph by how they are computed, so that those of another version of it can be found here.
class ValueIndex {
 public:
  explicit ValueIndex(const Graph& graph);  // which must outlive this

  // The first value of the graph that is computed in the same way.
  Value first_like(Value value) const;
  // Nodes with this op on these values, which are first ones. Integers that are known while building count by their
  // contents, so they stand for any here: an empty value.
  std::span<const NodeId> candidates(const OpCard& op, std::span<const Value> inputs) const;

 private:
  using Key = std::vector<std::uint64_t>;
  static Key key_of(const OpCard& op, std::span<const Value> inputs);
  void add(const Node& node);

  const Graph& graph_;
  std::map<Key, std::vector<NodeId>> nodes_;
  std::unordered_map<Value, Value> first_;  // of those that are not first themselves
};

// Whether two nodes of two versions do the same with their inputs: op, settings, body, parameters, random stream.
bool is_same_operation(const Node& a, const Node& b);

}  // namespace asg
