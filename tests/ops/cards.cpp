#include "ops/cards.h"

#include "asg/graph/registry.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"

namespace asg::test {

std::vector<const OpCard*> cards_under_test() {
  register_layers();
  register_losses();
  return Registry::global().all();
}

}  // namespace asg::test
