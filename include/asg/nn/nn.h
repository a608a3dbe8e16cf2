#pragma once

#include "asg/nn/containers.h"
#include "asg/nn/generated/layers.h"
#include "asg/ops/ops.h"

namespace asg {

// Puts the cards of all layers, and of the ops they are made of, into the global registry, once. Whoever includes this
// header has it done before main.
bool register_layers();
inline const bool kLayersRegistered = register_layers();

}  // namespace asg
