#pragma once

#include <string_view>
#include <vector>

#include "asg/graph/card.h"

// What the cards of layers have in common.
namespace asg::nn {

// The length of an axis that a parameter's shape depends on. Throws bad_shape when it is not known while building.
std::int64_t known_length(const BodyContext& ctx, const Tensor& tensor, int axis, std::string_view what);

// Ports of layers with one input and one output of the same dtype.
std::vector<Port> x_port(Words words);
std::vector<Port> y_port(Words words);

// The attribute that names an activation op, and the ops it may name.
AttrSpec activation_attribute();
// Whether its derivative has no jump, so that differences can be trusted anywhere.
bool is_smooth(std::string_view activation);
// The attribute `dropout`: the share of elements that training sets to zero.
AttrSpec dropout_attribute();

// A dropout layer inside a layer. It stands there also at ratio 0, so that edits can address it.
Tensor dropout(BodyContext& ctx, std::string name, const Tensor& x, double ratio);

}  // namespace asg::nn
