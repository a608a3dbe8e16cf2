#pragma once

#include "asg/graph/contexts.h"
#include "asg/graph/node.h"

namespace asg {

// The gradient of an If is an If: each branch computes its values again and then the gradients of its captures, so
// that nothing has to be kept from a branch that may not have run.
void differentiate_if(const Node& node, GradientContext& context);

}  // namespace asg
