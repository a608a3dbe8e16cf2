#include <span>

#include "asg/graph/registry.h"
#include "asg/ops/ops.h"

namespace asg {

std::span<OpCard (*const)()> builtin_op_cards();  // made by CMake from the names of the card files

bool register_ops() {
  static const bool kDone = register_cards(builtin_op_cards());
  return kDone;
}

}  // namespace asg
