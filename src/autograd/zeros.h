#pragma once

#include "asg/graph/graph.h"
#include "asg/graph/tensor.h"

namespace asg {

// Zeros of the type of `target`, whatever its lengths turn out to be.
inline Tensor zeros_like(const Tensor& target) {
  const Tensor zero = target.graph().scalar(target.dtype(), 0);
  const Tensor shape = add_op("Shape", {target});
  return add_op("Expand", {zero, shape});
}

}  // namespace asg
