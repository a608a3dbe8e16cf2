#include <span>

#include "asg/graph/registry.h"
#include "asg/loss/loss.h"

namespace asg {

std::span<OpCard (*const)()> builtin_loss_cards();  // made by CMake from the names of the card files

bool register_losses() {
  static const bool kDone = register_ops() && register_cards(builtin_loss_cards());
  return kDone;
}

}  // namespace asg
