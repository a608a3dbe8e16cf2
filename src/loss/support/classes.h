#pragma once

#include "asg/graph/card.h"

// What losses against class numbers have in common.
namespace asg::loss {

// The attribute `axis`: where the classes stand.
AttrSpec class_axis_attribute();
// The same counted from 0, for input 0.
int class_axis(const BodyContext& ctx);
// The optional weight of classes, input 2.
Tensor class_weight(const BodyContext& ctx);

// ops::label_samples with the classes on axis 1, and samples with the classes on the last axis, the default.
std::vector<Sample> class_samples(double low, double high);
std::vector<BadSample> bad_class_samples();

}  // namespace asg::loss
