#pragma once

#include "asg/ops/generated/all.h"

namespace asg {

// Puts the cards of all plain ops into the global registry, once; further calls do nothing. Whoever includes this
// header has it done before main.
bool register_ops();
inline const bool kOpsRegistered = register_ops();

}  // namespace asg
