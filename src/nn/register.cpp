#include <span>

#include "asg/graph/registry.h"
#include "asg/nn/nn.h"

namespace asg {

std::span<OpCard (*const)()> builtin_layer_cards();  // made by CMake from the names of the card files

bool register_layers() {
  static const bool kDone = register_ops() && register_cards(builtin_layer_cards());
  return kDone;
}

}  // namespace asg
