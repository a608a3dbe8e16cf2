#pragma once

#include <vector>

#include "asg/graph/card.h"

// What the convolution layers of one, two and three spatial axes have in common.
namespace asg::nn {

// Builds the layer out of Conv. Throws bad_shape and bad_attribute where input and configuration do not fit.
void convolution_body(BodyContext& ctx, int spatial);
std::vector<AttrSpec> convolution_layer_attributes(int spatial);
// Every two attributes meet at their defaults and away from them.
std::vector<Sample> convolution_layer_samples(int spatial);
std::vector<BadSample> bad_convolution_layers(int spatial);

// Ports: [batch, channels, length], [batch, channels, height, width], [batch, channels, depth, height, width].
std::vector<Port> image_port(int spatial);
std::vector<Port> filtered_port(int spatial);

// Refuses an input of another rank.
void check_image(const Tensor& x, int spatial);
// A list attribute of a number for each spatial axis (or two of them): strides, pads and the like.
AttrSpec window_attribute(std::string_view name, std::vector<std::int64_t> fallback, double least, Words words);
// Refuses a number of groups that does not divide both numbers of channels.
void check_groups(std::int64_t groups, std::int64_t in_channels, std::int64_t out_channels);
// The attribute `kernel`, checked to have one length for each spatial axis.
const std::vector<std::int64_t>& kernel_of(const BodyContext& ctx, int spatial);
// The attributes that all convolution layers begin with: channels and kernel, and that they end with: groups and bias.
std::vector<AttrSpec> filter_attributes(int spatial);
std::vector<AttrSpec> group_attributes();

}  // namespace asg::nn
