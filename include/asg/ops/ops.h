#pragma once

#include "asg/ops/generated/all.h"

namespace asg {

// Puts the cards of all plain ops into the global registry, once; further calls do nothing. Whoever includes this
// header has it done before main.
bool register_ops();
inline const bool kOpsRegistered = register_ops();

// x * x: cheaper than pow, and exact for integers.
inline Tensor square(const Tensor& x, SourceLocation where = SourceLocation::current()) { return mul(x, x, where); }

}  // namespace asg
