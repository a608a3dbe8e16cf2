#pragma once

#include "asg/graph/graph.h"

namespace asg::decode {

// Refuses what lets the positions of a text meet elsewhere than in causal attention: run token by token, it would give
// other numbers. `plain` holds plain ops and layers that count positions; its input has the symbol `length`.
// Throws not_implemented, naming the node.
void check_positions_apart(const Graph& plain, const std::string& length);

}  // namespace asg::decode
