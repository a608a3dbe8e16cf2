#pragma once

#include <cstdint>
#include <vector>

#include "asg/graph/graph.h"

namespace asg::fusion {

// Numbers of the values of a graph, from 0 on and rising as the values do: so that what is known of values lies in
// plain vectors.
class ValueNumbers {
 public:
  explicit ValueNumbers(const Graph& graph);

  std::size_t of(Value value) const { return std::size_t{first_[value.node.number]} + value.port; }
  std::size_t count() const { return first_.back(); }
  std::uint32_t ports_of(NodeId node) const { return first_[std::size_t{node.number} + 1] - first_[node.number]; }

 private:
  std::vector<std::uint32_t> first_;  // by node: of its port 0
};

// Some of the values of a graph. The numbers must outlive it.
class ValueSet {
 public:
  ValueSet() = default;
  explicit ValueSet(const ValueNumbers& numbers) : numbers_(&numbers), is_in_(numbers.count(), false) {}

  std::size_t size() const { return size_; }
  bool contains(Value value) const { return is_in_[numbers_->of(value)]; }
  void insert(Value value) { put(value, true); }
  void erase(Value value) { put(value, false); }
  void erase(const ValueSet& others);

 private:
  void put(Value value, bool in);

  const ValueNumbers* numbers_ = nullptr;
  std::vector<bool> is_in_;  // by number
  std::size_t size_ = 0;
};

}  // namespace asg::fusion
