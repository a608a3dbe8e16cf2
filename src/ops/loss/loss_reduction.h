#pragma once

#include "asg/graph/card.h"

// What all losses have in common: how the losses of many elements become one number.
namespace asg::ops {

// The attribute `reduction`: mean or sum over all examples, or none.
AttrSpec reduction_attribute();
Tensor reduced(const BodyContext& ctx, const Tensor& losses);
// The same where examples weigh differently: the mean divides by the sum of the weights. With weights that are all
// zero it is 0/0, not a number, as in ONNX and PyTorch; the sum is 0.
Tensor reduced(const BodyContext& ctx, const Tensor& losses, const Tensor& weights);

// One number, or one for each element.
std::vector<Port> loss_port();

// The sample under every reduction; its name gets the reduction as suffix.
std::vector<Sample> for_each_reduction(const Sample& sample);

}  // namespace asg::ops
