#include "ops/support/norms.h"

#include <limits>

#include "ops/support/gradients.h"

namespace asg::ops {

// With p = 1 there is no power to overflow. The scale is a factor that cancels, also in the gradient. Where it is 0 or
// infinite it is left out; a root of 0 has no slope, so there the norm is a plain 0.
Tensor lp_norm(const Tensor& x, const std::vector<std::int64_t>& axes, double p) {
  const Tensor size = add_op("Abs", {x});
  if (p == 1) return reduce_keeping("ReduceSum", size, axes);
  const Tensor largest = reduce_keeping("ReduceMax", size, axes);
  const Tensor zero = add_op("Equal", {largest, scalar_like(x, 0)});
  const Tensor infinite = add_op("Equal", {largest, scalar_like(x, std::numeric_limits<double>::infinity())});
  const Tensor one = scalar_like(x, 1);
  const Tensor scale = choose(add_op("Or", {zero, infinite}), one, largest);
  const Tensor powers = add_op("Pow", {size / scale, scalar_like(x, p)});
  const Tensor sum = choose(zero, one, reduce_keeping("ReduceSum", powers, axes));
  const Tensor root = add_op("Pow", {sum, scalar_like(x, 1 / p)});
  return zero_where(zero, scale * root);
}

}  // namespace asg::ops
