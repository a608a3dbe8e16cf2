#include "loss/support/bent.h"

#include "ops/support/gradients.h"

namespace asg::loss {

Tensor bent(const Tensor& difference, double threshold) {
  // No square of what is large: where it overflows, the gradient of a choice between the two would be NaN.
  const Tensor magnitude = add_op("Abs", {difference});
  const Tensor core = add_op("Min", {magnitude, ops::scalar_like(magnitude, threshold)});
  return core * (magnitude - core * 0.5);
}

}  // namespace asg::loss
