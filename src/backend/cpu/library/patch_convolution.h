#pragma once

#include <memory>

#include "backend/cpu/library/convolution.h"

namespace asg::cpu {

// By products of the weights with patches of the pictures, tile by tile: no array of all patches is made.
std::unique_ptr<const ConvolutionPlan> patch_convolution(const ConvolutionSpec& spec);

}  // namespace asg::cpu
