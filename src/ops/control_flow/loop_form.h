#pragma once

#include "asg/graph/graph.h"

namespace asg::ops {

// A Loop has the inputs trip count, condition, states …, captures …; its body (number of the iteration, condition,
// states …, captures …) → (condition, states …, what is stacked …). So states are inputs from this one on in both.
inline constexpr int kFirstLoopState = 2;

// Whether the value is a constant that holds.
bool is_constant_true(const Graph& graph, Value value);
// Whether the body of a Loop never ends it: the condition that it gives is the one it got, or true.
bool never_ends(const Graph& body);

}  // namespace asg::ops
