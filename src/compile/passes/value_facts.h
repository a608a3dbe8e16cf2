#pragma once

#include <optional>
#include <unordered_map>

#include "asg/core/array.h"
#include "asg/graph/card.h"
#include "asg/graph/graph.h"

namespace asg::passes {

// What can be said of values without computing them. Answers look a few nodes back at most.
class ValueFacts {
 public:
  // The one number of a value all of whose elements have the same bits, as a scalar: a constant, or one that was
  // repeated or reshaped. Nothing for a value without elements.
  std::optional<Array> uniform(const Graph& graph, Value value);
  // Whether it is such a value, and the number is this one, sign of a zero included.
  bool is_number(const Graph& graph, Value value, double number);

  // Whether every element is NaN or at least +0: neither negative nor -0.
  bool is_at_least_zero(const Graph& graph, Value value);

 private:
  std::optional<Array> uniform_constant(const Graph& graph, Value value);
  bool is_at_least_zero(const Graph& graph, Value value, int depth);

  std::unordered_map<NodeId, std::optional<Array>> constants_;  // long ones are read once
};

}  // namespace asg::passes
