#include "loss/support/bent.h"

#include "ops/support/gradients.h"

namespace asg::loss {

Tensor bent(const Tensor& difference, double threshold) {
  const Tensor magnitude = add_op("Abs", {difference});
  const Tensor is_small = magnitude < threshold;
  const Tensor square = difference * difference * 0.5;
  const Tensor line = (magnitude - 0.5 * threshold) * threshold;
  return ops::choose(is_small, square, line);
}

}  // namespace asg::loss
