#pragma once

#include <string_view>
#include <vector>

#include "asg/graph/card.h"

// What the cards of layers have in common.
namespace asg::nn {

// The length of an axis that a parameter's shape depends on. Throws bad_shape when it is not known while building.
std::int64_t known_length(const BodyContext& ctx, const Tensor& tensor, int axis, std::string_view what);

// The lengths of the axes from `first` on, known while building: the shape of what a norm scales them by.
Shape normalised_shape(const BodyContext& ctx, const Tensor& x, int first);

// Ports of layers with one input and one output of the same dtype.
std::vector<Port> x_port(Words words);
std::vector<Port> y_port(Words words);

// The attribute `bias`, true unless chosen otherwise.
AttrSpec bias_attribute(Words words);
// The attribute `epsilon` of norms.
AttrSpec epsilon_attribute();

// The attribute that names an activation op: any of that category that takes and gives one tensor of one shape and
// needs no attribute.
AttrSpec activation_attribute();
// The attribute `approximate`: which form of Gelu, where that is the activation.
AttrSpec approximate_attribute();
// The attributes of the activation op that is being built: Gelu has two forms, others one.
Attrs activation_attrs(const BodyContext& ctx);
// The attribute `dropout`: the share of elements that training sets to zero.
AttrSpec dropout_attribute();

// [channels] → [1, channels, 1, …], so that it lies along an axis of a tensor of the given rank.
Tensor along_axis(const Tensor& vector, int rank, int axis);

// A dropout layer inside a layer. It stands there also at ratio 0, so that edits can address it.
Tensor dropout(BodyContext& ctx, std::string name, const Tensor& x, double ratio);

}  // namespace asg::nn
