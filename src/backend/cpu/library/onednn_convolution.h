#pragma once

#include <memory>

#include "backend/cpu/library/convolution.h"

namespace asg::cpu {

// By oneDNN, picture by picture, in the layouts that it likes best. Null where it knows no good way (f64, nothing to
// compute, unusual windows), and in a build without it.
std::unique_ptr<const ConvolutionPlan> onednn_convolution(const ConvolutionSpec& spec);

}  // namespace asg::cpu
