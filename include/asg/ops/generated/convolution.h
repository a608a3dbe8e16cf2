// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

struct ConvOptions {
  // how far the window moves on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> strides = {};
  // zeros to add at the beginnings of all spatial axes, then at their ends; empty is none
  std::vector<std::int64_t> pads = {};
  // distance between the taps of the window on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> dilations = {};
  // number of groups of channels that do not see each other; one per channel makes a depthwise convolution
  std::int64_t group = 1;
  // NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or beginning (LOWER);
  // VALID adds nothing
  std::string auto_pad = "NOTSET";
  // the spatial lengths of the filters, which tell it themselves; where it is given it must agree
  std::vector<std::int64_t> kernel_shape = {};
};

// Slides small filters over the input and takes, at every position, the weighted sum of what lies under the filter,
// over all channels of its group; each filter gives one output channel. Positions p are a stride s apart and taps t a
// dilation d, and q zeros are padded in front. As in other frameworks the filter is not flipped: it is a
// cross-correlation.
//   y_nop = b_o + ∑_c ∑_t w_oct x_(nc, ps+td−q)
inline Tensor conv(const Tensor& x, const Tensor& w, const Tensor& b = {}, const ConvOptions& options = {},
                   SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("group", options.group);
  call.attrs.set("auto_pad", options.auto_pad);
  call.attrs.set("kernel_shape", options.kernel_shape);
  return add_node("Conv", {x, w, b}, std::move(call))[0];
}

struct ConvInputGradOptions {
  // how far the window moves on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> strides = {};
  // zeros to add at the beginnings of all spatial axes, then at their ends; empty is none
  std::vector<std::int64_t> pads = {};
  // distance between the taps of the window on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> dilations = {};
  // number of groups of channels that do not see each other; one per channel makes a depthwise convolution
  std::int64_t group = 1;
  // NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or beginning (LOWER);
  // VALID adds nothing
  std::string auto_pad = "NOTSET";
  // the spatial lengths of the filters, which tell it themselves; where it is given it must agree
  std::vector<std::int64_t> kernel_shape = {};
};

// Tells how the loss changes with each element of a convolution's input: every output position spreads its gradient,
// weighted by the filter, over the elements it was computed from. The shape is an operand, because several input sizes
// lead to the same output size when the stride is above 1.
//   y_nci = ∑_o ∑_(ps+td−q=i) w_oct g_nop
inline Tensor conv_input_grad(const Tensor& grad, const Tensor& w, const Ints& shape,
                              const ConvInputGradOptions& options = {},
                              SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("group", options.group);
  call.attrs.set("auto_pad", options.auto_pad);
  call.attrs.set("kernel_shape", options.kernel_shape);
  return add_node("ConvInputGrad", {grad, w, shape}, std::move(call))[0];
}

struct ConvTransposeOptions {
  // how far the window moves on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> strides = {};
  // elements to cut off at the beginnings of all spatial axes, then at their ends: the padding of the convolution that
  // this op reverses
  std::vector<std::int64_t> pads = {};
  // distance between the taps of the window on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> dilations = {};
  // number of groups of channels that do not see each other; one per channel makes a depthwise convolution
  std::int64_t group = 1;
  // NOTSET uses `pads`; SAME gives a result of size · stride, an odd element is cut off at the end (UPPER) or
  // beginning (LOWER); VALID cuts nothing off
  std::string auto_pad = "NOTSET";
  // the spatial lengths of the filters, which tell it themselves; where it is given it must agree
  std::vector<std::int64_t> kernel_shape = {};
  // elements to add at the end of each spatial axis of the result, to choose among the sizes that one convolution maps
  // to the same size; empty is none
  std::vector<std::int64_t> output_padding = {};
  // the spatial lengths of the result, from which the pads follow; `pads` is then not used. Empty computes them
  std::vector<std::int64_t> output_shape = {};
};

// Every input element draws a copy of the filter, multiplied by its own value, into the result; the copies stand a
// stride apart and are summed where they overlap. It changes sizes the other way from a convolution with the same
// attributes, and as a matrix it is the transpose of that convolution, not its inverse.
//   y_noi = b_o + ∑_c ∑_(ps+td−q=i) w_cot x_ncp
inline Tensor conv_transpose(const Tensor& x, const Tensor& w, const Tensor& b = {},
                             const ConvTransposeOptions& options = {},
                             SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("group", options.group);
  call.attrs.set("auto_pad", options.auto_pad);
  call.attrs.set("kernel_shape", options.kernel_shape);
  call.attrs.set("output_padding", options.output_padding);
  call.attrs.set("output_shape", options.output_shape);
  return add_node("ConvTranspose", {x, w, b}, std::move(call))[0];
}

struct ConvWeightGradOptions {
  // how far the window moves on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> strides = {};
  // zeros to add at the beginnings of all spatial axes, then at their ends; empty is none
  std::vector<std::int64_t> pads = {};
  // distance between the taps of the window on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> dilations = {};
  // number of groups of channels that do not see each other; one per channel makes a depthwise convolution
  std::int64_t group = 1;
  // NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or beginning (LOWER);
  // VALID adds nothing
  std::string auto_pad = "NOTSET";
  // the spatial lengths of the filters, which tell it themselves; where it is given it must agree
  std::vector<std::int64_t> kernel_shape = {};
};

// Tells how the loss changes with each weight of a convolution's filters: for every tap it sums, over all pictures and
// positions, the output's gradient times the input element under that tap. Elements of the padding count as 0.
//   y_oct = ∑_n ∑_p g_nop x_(nc, ps+td−q)
inline Tensor conv_weight_grad(const Tensor& grad, const Tensor& x, const Ints& shape,
                               const ConvWeightGradOptions& options = {},
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("group", options.group);
  call.attrs.set("auto_pad", options.auto_pad);
  call.attrs.set("kernel_shape", options.kernel_shape);
  return add_node("ConvWeightGrad", {grad, x, shape}, std::move(call))[0];
}

}  // namespace asg
