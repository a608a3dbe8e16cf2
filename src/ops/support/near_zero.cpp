#include "ops/support/near_zero.h"

namespace asg::ops {

// What the sum rounds away comes back to first order.
Tensor log1p(const Tensor& x) {
  const Tensor sum = 1 + x;
  return add_op("Log", {sum}) + (x - (sum - 1)) / sum;
}

// tanh(x / 2) is (exp(x) - 1) / (exp(x) + 1).
Tensor expm1(const Tensor& x) { return add_op("Tanh", {0.5 * x}) * (add_op("Exp", {x}) + 1); }

}  // namespace asg::ops
