#pragma once

#include "asg/graph/contexts.h"
#include "asg/graph/node.h"

namespace asg {

// The gradients of a plain op that has no rule but a body: a copy of the body stands beside the node, and a sweep of
// its own goes through it. For ops that appear during a sweep (those of gradients, which are differentiated again);
// others are expanded before.
void differentiate_by_body(const Node& node, GradientContext& context);

}  // namespace asg
