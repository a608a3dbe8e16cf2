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
  // number of groups of channels that do not see each other
  std::int64_t group = 1;
  // NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or beginning (LOWER);
  // VALID adds nothing
  std::string auto_pad = "NOTSET";
};

// Slides small filters over the input and takes, at every position, the weighted sum of what lies under the filter,
// over all channels of its group. Each filter gives one output channel. As in other frameworks the filter is not
// flipped: it is a cross-correlation.
//   y_nop = b_o + ∑_c ∑_t w_oct x_(nc, ps+td−q)
inline Tensor conv(const Tensor& x, const Tensor& w, const Tensor& b = {}, const ConvOptions& options = {},
                   SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("group", options.group);
  call.attrs.set("auto_pad", options.auto_pad);
  return add_node("Conv", {x, w, b}, std::move(call))[0];
}

struct ConvInputGradOptions {
  // how far the window moves on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> strides = {};
  // zeros to add at the beginnings of all spatial axes, then at their ends; empty is none
  std::vector<std::int64_t> pads = {};
  // distance between the taps of the window on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> dilations = {};
  // number of groups of channels that do not see each other
  std::int64_t group = 1;
  // NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or beginning (LOWER);
  // VALID adds nothing
  std::string auto_pad = "NOTSET";
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
  return add_node("ConvInputGrad", {grad, w, shape}, std::move(call))[0];
}

struct ConvWeightGradOptions {
  // how far the window moves on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> strides = {};
  // zeros to add at the beginnings of all spatial axes, then at their ends; empty is none
  std::vector<std::int64_t> pads = {};
  // distance between the taps of the window on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> dilations = {};
  // number of groups of channels that do not see each other
  std::int64_t group = 1;
  // NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or beginning (LOWER);
  // VALID adds nothing
  std::string auto_pad = "NOTSET";
};

// Tells how the loss changes with each weight of a convolution's filters: for every tap it sums, over all pictures and
// positions, the output's gradient times the input element under that tap.
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
  return add_node("ConvWeightGrad", {grad, x, shape}, std::move(call))[0];
}

}  // namespace asg
