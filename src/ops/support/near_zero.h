#pragma once

#include "asg/graph/tensor.h"

// Bodies of functions that are almost x near zero, without the loss of digits that a sum with 1 brings.
namespace asg::ops {

Tensor log1p(const Tensor& x);  // ln(1 + x) for x ≥ 0, not for infinity
Tensor expm1(const Tensor& x);  // exp(x) - 1

}  // namespace asg::ops
