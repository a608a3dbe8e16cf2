#pragma once

#include "asg/graph/card.h"

namespace asg {

// Whether the contract has a typed method for this op.
bool is_primitive(const OpCard& op);

}  // namespace asg
