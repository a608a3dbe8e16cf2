#pragma once

#include "asg/graph/card.h"

namespace asg {

// Whether the contract has a typed method for this op, see backend.h. A backend that has these and no others says so by
// `capabilities.supports_op = is_primitive`: other ops are then computed through their bodies, or on the host.
bool is_primitive(const OpCard& op);

}  // namespace asg
