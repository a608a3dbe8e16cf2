#pragma once

#include "asg/loss/generated/losses.h"
#include "asg/ops/ops.h"

namespace asg {

// Puts the cards of all losses, and of the ops they are made of, into the global registry, once. Whoever includes this
// header has it done before main.
bool register_losses();
inline const bool kLossesRegistered = register_losses();

}  // namespace asg
