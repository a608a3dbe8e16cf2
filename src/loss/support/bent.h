#pragma once

#include "asg/graph/tensor.h"

namespace asg::loss {

// ½ d² while |d| is below the threshold, beyond it the tangent threshold · (|d| − ½ threshold).
Tensor bent(const Tensor& difference, double threshold);

}  // namespace asg::loss
