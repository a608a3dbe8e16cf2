#pragma once

#include "asg/graph/card.h"

// What the cards of losses have in common.
namespace asg::loss {

// The attribute `reduction`: mean or sum over all examples, or none.
AttrSpec reduction_attribute();
Tensor reduced(const BodyContext& ctx, const Tensor& losses);

}  // namespace asg::loss
