#pragma once

#include <span>
#include <vector>

#include "asg/graph/graph.h"

namespace asg::train {

// Adds to a step graph d loss / d value for each of its values, beside the gradients that it has. Empty values stand
// for those that the loss does not depend on, that are no floats, and that an op without a gradient lies before.
std::vector<Value> add_tap_gradients(Graph& graph, Value loss, std::span<const Value> values);

}  // namespace asg::train
