// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg::nn {

struct AlibiBiasOptions {
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Lowers the attention scores in proportion to the distance between the two positions, in either direction. Every head
// has its own slope, from steep, looking at neighbours only, to nearly flat; the formula gives them for a number of
// heads that is a power of two, others take slopes in between. Nothing is learned.
//   y_(h,i,j) = x_(h,i,j) − m_h|i − j|,  m_h = 2^(−8h/n)
inline Tensor alibi_bias(const Tensor& scores, const Ints& offset = {}, const AlibiBiasOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.AlibiBias", {scores, offset}, std::move(call))[0];
}

struct BatchNormOptions {
  // the channel axis
  std::int64_t axis = 1;
  // weight of the newest batch in the running statistics
  double momentum = 0.1;
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Shifts and scales each channel to mean 0 and variance 1 over the batch, then applies a learned scale γ and shift β.
// Training also keeps running statistics, with the unbiased variance, which evaluation uses instead of those of the
// batch.
//   y = γ ((x − μ_c) / √(σ_c² + ε)) + β
inline Tensor batch_norm(const Tensor& x, const BatchNormOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("momentum", options.momentum);
  call.attrs.set("epsilon", options.epsilon);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.BatchNorm", {x}, std::move(call))[0];
}

struct BilinearOptions {
  // whether a bias is added
  bool bias = true;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Every output is a weighted sum of all products of a feature of `a` with a feature of `b`, one matrix of weights for
// each output. With either input held still it is a linear layer of the other.
//   y_k = aᵀ W_k b + β_k
// units: number of output features
inline Tensor bilinear(const Tensor& a, const Tensor& b, std::int64_t units, const BilinearOptions& options = {},
                       SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("units", units);
  call.attrs.set("bias", options.bias);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.Bilinear", {a, b}, std::move(call))[0];
}

struct BottleneckBlockOptions {
  // by how much height and width are divided
  std::int64_t stride = 1;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// A 1×1 convolution reduces the channels, a 3×3 one works on the few that are left, and another 1×1 one restores
// them; each is followed by a batch norm, and the result is added to the input. The 3×3 convolution takes the stride.
//   y = Relu(N₃(W₃ * Relu(N₂(W₂ * Relu(N₁(W₁ * x))))) + x)
// channels: number of output channels
// inner: number of channels that the 3×3 convolution works on, usually a quarter
inline Tensor bottleneck_block(const Tensor& x, std::int64_t channels, std::int64_t inner,
                               const BottleneckBlockOptions& options = {},
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("channels", channels);
  call.attrs.set("inner", inner);
  call.attrs.set("stride", options.stride);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.BottleneckBlock", {x}, std::move(call))[0];
}

struct Conv1dOptions {
  // step of the window
  std::vector<std::int64_t> strides = {1};
  // zeros added at the beginning and at the end
  std::vector<std::int64_t> pads = {0, 0};
  // distance between taps of a filter
  std::vector<std::int64_t> dilations = {1};
  // channels are split into so many independent parts
  std::int64_t groups = 1;
  // whether a bias is added
  bool bias = true;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Slides learned filters along a sequence: each output channel tells how strongly its filter answers at every moment.
// The input may have any length; the number of parameters does not depend on it.
//   y_(o,i) = b_o + ∑_(c,u) w_(o,c,u) x_(c, si+du−q)
// channels: number of filters
// kernel: length of a filter
inline Tensor conv1d(const Tensor& x, std::int64_t channels, const std::vector<std::int64_t>& kernel,
                     const Conv1dOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("channels", channels);
  call.attrs.set("kernel", kernel);
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("groups", options.groups);
  call.attrs.set("bias", options.bias);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.Conv1d", {x}, std::move(call))[0];
}

struct Conv2dOptions {
  // step of the window
  std::vector<std::int64_t> strides = {1, 1};
  // zeros added at top, left, bottom, right
  std::vector<std::int64_t> pads = {0, 0, 0, 0};
  // distance between taps of a filter
  std::vector<std::int64_t> dilations = {1, 1};
  // channels are split into so many independent parts
  std::int64_t groups = 1;
  // whether a bias is added
  bool bias = true;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Slides learned filters over an image: each output channel is the response of one filter at every place. The same
// weights are used everywhere, so a shape is recognised wherever it stands. With stride 1 and no padding the map loses
// kernel - 1 rows and columns.
//   y_(o,i,j) = b_o + ∑_(c,u,v) w_(o,c,u,v) x_(c, si+du−q, sj+dv−q)
// channels: number of filters
// kernel: height and width of a filter
inline Tensor conv2d(const Tensor& x, std::int64_t channels, const std::vector<std::int64_t>& kernel,
                     const Conv2dOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("channels", channels);
  call.attrs.set("kernel", kernel);
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("groups", options.groups);
  call.attrs.set("bias", options.bias);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.Conv2d", {x}, std::move(call))[0];
}

struct Conv3dOptions {
  // step of the window
  std::vector<std::int64_t> strides = {1, 1, 1};
  // zeros added at the front, top, left, and at the back, bottom, right
  std::vector<std::int64_t> pads = {0, 0, 0, 0, 0, 0};
  // distance between taps of a filter
  std::vector<std::int64_t> dilations = {1, 1, 1};
  // channels are split into so many independent parts
  std::int64_t groups = 1;
  // whether a bias is added
  bool bias = true;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Slides learned boxes of weights through a volume, so that a filter sees depth, height and width at once. Neighbouring
// slices, or frames of a video, are judged together.
//   y_(o,i,j,k) = b_o + ∑_(c,t,u,v) w_(o,c,t,u,v) x_(c, si+dt−q, sj+du−q, sk+dv−q)
// channels: number of filters
// kernel: depth, height and width of a filter
inline Tensor conv3d(const Tensor& x, std::int64_t channels, const std::vector<std::int64_t>& kernel,
                     const Conv3dOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("channels", channels);
  call.attrs.set("kernel", kernel);
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("groups", options.groups);
  call.attrs.set("bias", options.bias);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.Conv3d", {x}, std::move(call))[0];
}

struct ConvTranspose1dOptions {
  // how far apart the filter's copies are laid
  std::vector<std::int64_t> strides = {1};
  // elements cut off at the beginnings of the axes, then at their ends
  std::vector<std::int64_t> pads = {0, 0};
  // distance between taps of a filter
  std::vector<std::int64_t> dilations = {1};
  // elements added at the end of each axis
  std::vector<std::int64_t> output_padding = {0};
  // channels are split into so many independent parts
  std::int64_t groups = 1;
  // whether a bias is added
  bool bias = true;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Spreads each input element over the output through a learned filter, `strides` apart, and adds up where the copies
// overlap. It is the gradient of nn.Conv1d with respect to its input, so it undoes what that does to the length, but
// not to the values.
//   y_(o,j) = b_o + ∑_c ∑_(si+du−q=j) w_(c,o,u) x_(c,i)
// channels: number of filters
// kernel: length of a filter
inline Tensor conv_transpose1d(const Tensor& x, std::int64_t channels, const std::vector<std::int64_t>& kernel,
                               const ConvTranspose1dOptions& options = {},
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("channels", channels);
  call.attrs.set("kernel", kernel);
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("output_padding", options.output_padding);
  call.attrs.set("groups", options.groups);
  call.attrs.set("bias", options.bias);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.ConvTranspose1d", {x}, std::move(call))[0];
}

struct ConvTranspose2dOptions {
  // how far apart the filter's copies are laid
  std::vector<std::int64_t> strides = {1, 1};
  // elements cut off at the beginnings of the axes, then at their ends
  std::vector<std::int64_t> pads = {0, 0, 0, 0};
  // distance between taps of a filter
  std::vector<std::int64_t> dilations = {1, 1};
  // elements added at the end of each axis
  std::vector<std::int64_t> output_padding = {0, 0};
  // channels are split into so many independent parts
  std::int64_t groups = 1;
  // whether a bias is added
  bool bias = true;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Lays a copy of a learned filter into the output for every input pixel, `strides` apart and weighted by the pixel, and
// adds up where copies overlap. So a small map becomes a larger one.
//   y_(o,k,l) = b_o + ∑_c ∑_(si+du−q=k) ∑_(sj+dv−q=l) w_(c,o,u,v) x_(c,i,j)
// channels: number of filters
// kernel: height and width of a filter
inline Tensor conv_transpose2d(const Tensor& x, std::int64_t channels, const std::vector<std::int64_t>& kernel,
                               const ConvTranspose2dOptions& options = {},
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("channels", channels);
  call.attrs.set("kernel", kernel);
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("output_padding", options.output_padding);
  call.attrs.set("groups", options.groups);
  call.attrs.set("bias", options.bias);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.ConvTranspose2d", {x}, std::move(call))[0];
}

struct DotProductAttentionOptions {
  // each position sees itself and earlier ones only
  bool causal = false;
  // share of elements that training sets to zero
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Compares queries with keys and takes the weighted mean of the values; in training some of the weights are dropped, in
// evaluation none. A position that may look nowhere gets zeros.
//   y = softmax(Q Kᵀ / √d + M) V
inline Tensor dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& mask = {}, const DotProductAttentionOptions& options = {},
                                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("causal", options.causal);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.DotProductAttention", {query, key, value, mask}, std::move(call))[0];
}

struct DropoutOptions {
  // share of elements set to zero
  double ratio = 0.5;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// In training it sets each element to zero with probability `ratio` and multiplies the others by 1 / (1 - ratio), so
// that the mean stays the same. In evaluation it passes its input through unchanged.
//   y = m ⊙ x / (1 − p),  m ∼ Bernoulli(1 − p)
inline Tensor dropout(const Tensor& x, const DropoutOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("ratio", options.ratio);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.Dropout", {x}, std::move(call))[0];
}

struct EmbeddingOptions {
  // dtype of the table
  DType dtype = DType::f32;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Looks up rows of a learned table: each index is replaced by the row that it names, so the shape gains an axis of
// length `width`. Only rows that were looked up get a gradient; an index outside the table is an error.
//   y = W_x
// count: number of rows
// width: length of a row
inline Tensor embedding(const Tensor& indices, std::int64_t count, std::int64_t width,
                        const EmbeddingOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("count", count);
  call.attrs.set("width", width);
  call.attrs.set("dtype", options.dtype);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.Embedding", {indices}, std::move(call))[0];
}

struct FeedForwardOptions {
  // the op between the two projections
  std::string activation = "Gelu";
  // the form of Gelu: none is exact, tanh that of GPT-2; other activations have one form
  std::string approximate = "none";
  // multiply by a second projection: GLU with Sigmoid, SwiGLU with Silu
  bool gated = false;
  // whether the projections add a bias
  bool bias = true;
  // share of elements that training sets to zero
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Two linear layers with an activation between them: the first widens the features, the second brings them back. With
// `gated` the activation of one projection opens and closes a second one. Every position is treated alike and alone.
//   y = φ(x W₁ + b₁) W₂ + b₂
// hidden: features between the two projections
inline Tensor feed_forward(const Tensor& x, std::int64_t hidden, const FeedForwardOptions& options = {},
                           SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("hidden", hidden);
  call.attrs.set("activation", options.activation);
  call.attrs.set("approximate", options.approximate);
  call.attrs.set("gated", options.gated);
  call.attrs.set("bias", options.bias);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.FeedForward", {x}, std::move(call))[0];
}

struct GRUOptions {
  // the length of each sequence; absent: all are full
  Tensor lengths = {};
  // [batch, layers · directions, `hidden`]: states before the first element; absent: 0
  Tensor first_h = {};
  // how many layers stand on top of each other
  std::int64_t layers = 1;
  // a second set of weights reads backwards; both results stand side by side
  bool bidirectional = false;
  // whether biases are added
  bool bias = true;
  // share of elements that training sets to zero between layers
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

struct GRUOutputs {
  // [batch, length, directions · `hidden`]: the last layer's state after every element
  Tensor y;
  // [batch, layers · directions, `hidden`]: all layers' states after the last element
  Tensor h;
};

// A recurrent layer with one state and two gates: one says how much of the old state stays, the other how much of it
// the new candidate may see. The rows of the weights stand in the order update, reset, candidate, as in ONNX.
//   h_t = z_t ⊙ h_(t−1) + (1 − z_t) ⊙ tanh(W x_t + r_t ⊙ (R h_(t−1)))
// hidden: length of the state
inline GRUOutputs gru(const Tensor& x, std::int64_t hidden, const GRUOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("hidden", hidden);
  call.attrs.set("layers", options.layers);
  call.attrs.set("bidirectional", options.bidirectional);
  call.attrs.set("bias", options.bias);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  const std::vector<Tensor> outputs = add_node("nn.GRU", {x, options.lengths, options.first_h}, std::move(call));
  return {outputs[0], outputs[1]};
}

struct GroupNormOptions {
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Splits the channels of each example into groups and shifts and scales every group to mean 0 and variance 1, over its
// channels and all places. A learned scale γ and shift β for each channel follow.
//   y = γ ((x − μ_g) / √(σ_g² + ε)) + β
// groups: number of groups; it divides the channels
inline Tensor group_norm(const Tensor& x, std::int64_t groups, const GroupNormOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("groups", groups);
  call.attrs.set("epsilon", options.epsilon);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.GroupNorm", {x}, std::move(call))[0];
}

struct InstanceNormOptions {
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Shifts and scales every channel of every example to mean 0 and variance 1 over its places, then applies a learned
// scale γ and shift β. It does the same in training and evaluation.
//   y_(n,c) = γ_c ((x_(n,c) − μ_(n,c)) / √(σ_(n,c)² + ε)) + β_c
inline Tensor instance_norm(const Tensor& x, const InstanceNormOptions& options = {},
                            SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("epsilon", options.epsilon);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.InstanceNorm", {x}, std::move(call))[0];
}

struct InvertedResidualOptions {
  // how many times more channels there are inside; 1: no first convolution
  std::int64_t expansion = 6;
  // by how much height and width are divided
  std::int64_t stride = 1;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// A 1×1 convolution widens the channels, a 3×3 one filters each of them alone, and another 1×1 one brings them back
// to few, without an activation. Where size and channels stay the same the input is added.
//   y = x + N₃(W₃ * φ(N₂(D * φ(N₁(W₁ * x))))),  φ(u) = min(max(u, 0), 6)
// channels: number of output channels
inline Tensor inverted_residual(const Tensor& x, std::int64_t channels, const InvertedResidualOptions& options = {},
                                SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("channels", channels);
  call.attrs.set("expansion", options.expansion);
  call.attrs.set("stride", options.stride);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.InvertedResidual", {x}, std::move(call))[0];
}

struct LSTMOptions {
  // the length of each sequence; absent: all are full
  Tensor lengths = {};
  // [batch, layers · directions, `hidden`]: states before the first element; absent: 0
  Tensor first_h = {};
  // cells before the first element, of the same shape; absent: 0
  Tensor first_c = {};
  // how many layers stand on top of each other
  std::int64_t layers = 1;
  // a second set of weights reads backwards; both results stand side by side
  bool bidirectional = false;
  // whether biases are added
  bool bias = true;
  // share of elements that training sets to zero between layers
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

struct LSTMOutputs {
  // [batch, length, directions · `hidden`]: the last layer's state after every element
  Tensor y;
  // [batch, layers · directions, `hidden`]: all layers' states after the last element
  Tensor h;
  // all layers' cells after the last element
  Tensor c;
};

// A recurrent layer with two memories: a cell, to which gates add and from which they erase, and a state that shows
// part of it. The rows of the weights stand in the order input, output, forget, candidate, as in ONNX.
//   c_t = f_t ⊙ c_(t−1) + i_t ⊙ g_t,  h_t = o_t ⊙ tanh(c_t)
// hidden: length of the state
inline LSTMOutputs lstm(const Tensor& x, std::int64_t hidden, const LSTMOptions& options = {},
                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("hidden", hidden);
  call.attrs.set("layers", options.layers);
  call.attrs.set("bidirectional", options.bidirectional);
  call.attrs.set("bias", options.bias);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  const std::vector<Tensor> outputs = add_node("nn.LSTM", {x, options.lengths, options.first_h, options.first_c},
                                               std::move(call));
  return {outputs[0], outputs[1], outputs[2]};
}

struct LayerNormOptions {
  // first axis of the features
  std::int64_t axis = -1;
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Shifts and scales the features of each position to mean 0 and variance 1, then applies a learned scale γ and shift
// β. Other positions and other examples play no part.
//   y = γ ((x − μ) / √(σ² + ε)) + β
inline Tensor layer_norm(const Tensor& x, const LayerNormOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("epsilon", options.epsilon);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.LayerNorm", {x}, std::move(call))[0];
}

struct LearnedPositionOptions {
  // the position at which the input begins; absent: 0
  Ints offset = {};
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Adds a learned row to each position: row 0 to the first, row 1 to the second, counted from `offset`. The table has
// `count` rows; shorter inputs use its beginning, longer ones are refused.
//   y_t = x_t + W_t
// count: positions that the table holds; the input may be shorter
inline Tensor learned_position(const Tensor& x, std::int64_t count, const LearnedPositionOptions& options = {},
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("count", count);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.LearnedPosition", {x, options.offset}, std::move(call))[0];
}

struct LinearOptions {
  // whether a bias is added
  bool bias = true;
  // store the weight as [units, features], so that it can be shared with an embedding
  bool transposed = false;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Multiplies the last axis by a weight matrix and adds a bias: every output feature is a weighted sum of all input
// features. All other axes, such as batch and time, are left as they are.
//   y = x W + b
// units: number of output features
inline Tensor linear(const Tensor& x, std::int64_t units, const LinearOptions& options = {},
                     SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("units", units);
  call.attrs.set("bias", options.bias);
  call.attrs.set("transposed", options.transposed);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.Linear", {x}, std::move(call))[0];
}

struct MultiHeadAttentionOptions {
  // [batch, other length, features]: what is asked; absent: the query itself
  Tensor key = {};
  // what is taken from there; absent: the key
  Tensor value = {};
  // bools: true where looking is allowed; numbers: added to the scores; broadcast to [batch, heads, length, other
  // length]
  Tensor mask = {};
  // heads of keys and values, each shared by a group of heads; 0: as many as heads
  std::int64_t key_value_heads = 0;
  // each position sees itself and earlier ones only
  bool causal = false;
  // how attention knows where a position stands; none: x tells it, or nothing does
  std::string positions = "none";
  // with rotary positions: about how many times slower the last pair of features turns than the first
  double rotary_base = 1e+04;
  // whether the projections add a bias
  bool bias = true;
  // share of elements that training sets to zero
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Every position asks all others how relevant they are (query against key), turns the answers into weights by softmax
// and takes the weighted mean of their values. Several heads do this side by side on slices of the features; groups of
// them may share keys and values. A position that a mask lets look nowhere takes nothing from anywhere: zeros.
//   y = softmax(Q Kᵀ / √d) V W_O
// heads: number of heads
inline Tensor multi_head_attention(const Tensor& query, std::int64_t heads,
                                   const MultiHeadAttentionOptions& options = {},
                                   SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("heads", heads);
  call.attrs.set("key_value_heads", options.key_value_heads);
  call.attrs.set("causal", options.causal);
  call.attrs.set("positions", options.positions);
  call.attrs.set("rotary_base", options.rotary_base);
  call.attrs.set("bias", options.bias);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.MultiHeadAttention", {query, options.key, options.value, options.mask}, std::move(call))[0];
}

struct PReluOptions {
  // one slope for each channel instead of one for all
  bool per_channel = false;
  // the channel axis, where slopes are per channel
  std::int64_t axis = 1;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Keeps positive elements and multiplies negative ones by a slope that is learned, for all channels together or for
// each its own. It starts at 0.25.
//   y = { x, x ≥ 0; a x, x < 0 }
inline Tensor p_relu(const Tensor& x, const PReluOptions& options = {},
                     SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("per_channel", options.per_channel);
  call.attrs.set("axis", options.axis);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.PRelu", {x}, std::move(call))[0];
}

struct RMSNormOptions {
  // first axis of the features
  std::int64_t axis = -1;
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Divides the features of each position by their root mean square, then multiplies by a learned scale γ. Unlike layer
// norm it neither subtracts the mean nor adds a shift.
//   y = γ (x / √((1 / n) ∑_i x_i² + ε))
inline Tensor rms_norm(const Tensor& x, const RMSNormOptions& options = {},
                       SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("epsilon", options.epsilon);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.RMSNorm", {x}, std::move(call))[0];
}

struct RNNOptions {
  // the length of each sequence; absent: all are full
  Tensor lengths = {};
  // [batch, layers · directions, `hidden`]: states before the first element; absent: 0
  Tensor first_h = {};
  // how many layers stand on top of each other
  std::int64_t layers = 1;
  // a second set of weights reads backwards; both results stand side by side
  bool bidirectional = false;
  // whether biases are added
  bool bias = true;
  // share of elements that training sets to zero between layers
  double dropout = 0.0;
  // the activation of the sum of weighted input and weighted state
  std::string activation = "Tanh";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

struct RNNOutputs {
  // [batch, length, directions · `hidden`]: the last layer's state after every element
  Tensor y;
  // [batch, layers · directions, `hidden`]: all layers' states after the last element
  Tensor h;
};

// Reads a sequence element by element and keeps a state: the next state is an activation of weighted input and weighted
// old state. Several layers may stand on top of each other, each reading the states of the one below.
//   h_t = φ(W x_t + R h_(t−1) + b)
// hidden: length of the state
inline RNNOutputs rnn(const Tensor& x, std::int64_t hidden, const RNNOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("hidden", hidden);
  call.attrs.set("layers", options.layers);
  call.attrs.set("bidirectional", options.bidirectional);
  call.attrs.set("bias", options.bias);
  call.attrs.set("dropout", options.dropout);
  call.attrs.set("activation", options.activation);
  call.name = options.name;
  call.bindings = options.bindings;
  const std::vector<Tensor> outputs = add_node("nn.RNN", {x, options.lengths, options.first_h}, std::move(call));
  return {outputs[0], outputs[1]};
}

struct ResidualBlockOptions {
  // by how much height and width are divided
  std::int64_t stride = 1;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Two 3×3 convolutions with batch norms, whose result is added to the input of the block before the last Relu. Where
// the number of channels or the size changes, a 1×1 convolution brings the input to the new shape.
//   y = Relu(N₂(W₂ * Relu(N₁(W₁ * x))) + x)
// channels: number of output channels
inline Tensor residual_block(const Tensor& x, std::int64_t channels, const ResidualBlockOptions& options = {},
                             SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("channels", channels);
  call.attrs.set("stride", options.stride);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.ResidualBlock", {x}, std::move(call))[0];
}

struct RotaryPositionOptions {
  // about how many times slower the last pair of features turns than the first
  double base = 1e+04;
  // pairs are neighbours 0 and 1, 2 and 3, … (GPT-J); else feature k and k + width/2 (LLaMA)
  bool interleaved = false;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Turns each pair of features by an angle that grows with the position, fast for the first pairs and slowly for the
// last. Lengths of vectors stay the same, and any length and offset will do.
//   [u′; v′] = [u cos θ − v sin θ; v cos θ + u sin θ],  θ = t b^(−2k/d)
inline Tensor rotary_position(const Tensor& x, const Ints& offset = {}, const RotaryPositionOptions& options = {},
                              SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("base", options.base);
  call.attrs.set("interleaved", options.interleaved);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.RotaryPosition", {x, offset}, std::move(call))[0];
}

struct SinusoidalPositionOptions {
  // about how many times slower the last pair of features turns than the first
  double base = 1e+04;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Adds to each position a fixed pattern of sines and cosines: pairs of features turn like the hands of many clocks,
// each slower than the one before. No parameter is learned, and the input may have any length.
//   y_(t,2k) = x_(t,2k) + sin(t b^(−2k/d)),  y_(t,2k+1) = x_(t,2k+1) + cos(t b^(−2k/d))
inline Tensor sinusoidal_position(const Tensor& x, const Ints& offset = {},
                                  const SinusoidalPositionOptions& options = {},
                                  SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("base", options.base);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.SinusoidalPosition", {x, offset}, std::move(call))[0];
}

struct SpatialDropoutOptions {
  // share of channels set to zero
  double ratio = 0.5;
  // the channel axis
  std::int64_t axis = 1;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// In training it sets whole channels of an example to zero with probability `ratio` and multiplies the others by 1 / (1
// - ratio). In evaluation it passes its input through unchanged.
//   y_(n,c) = m_(n,c) x_(n,c) / (1 − p),  m_(n,c) ∼ Bernoulli(1 − p)
inline Tensor spatial_dropout(const Tensor& x, const SpatialDropoutOptions& options = {},
                              SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("ratio", options.ratio);
  call.attrs.set("axis", options.axis);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.SpatialDropout", {x}, std::move(call))[0];
}

struct TransformerBlockOptions {
  // as that of nn.MultiHeadAttention, for [batch, heads, length, length]
  Tensor mask = {};
  // the op between the two projections
  std::string activation = "Gelu";
  // the form of Gelu: none is exact, tanh that of GPT-2; other activations have one form
  std::string approximate = "none";
  // a gated feed-forward part, SwiGLU with Silu
  bool gated = false;
  // the layer that normalises
  std::string norm = "LayerNorm";
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
  // normalise before attention and feed-forward (true) or after the sums (false)
  bool norm_first = true;
  // each position sees itself and earlier ones only
  bool causal = false;
  // how attention knows where a position stands; none: x tells it, or nothing does
  std::string positions = "none";
  // with rotary positions: about how many times slower the last pair of features turns than the first
  double rotary_base = 1e+04;
  // heads of keys and values, each shared by a group of heads; 0: as many as heads
  std::int64_t key_value_heads = 0;
  // whether attention and feed-forward add biases
  bool bias = true;
  // share of elements that training sets to zero
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Self-attention, which moves information between positions, then a feed-forward layer, which works on each position.
// Each reads its input normalised and adds what it finds to the input itself (a residual connection); with `norm_first`
// off the sum is normalised instead.
//   h = x + Attention(Norm(x)),  y = h + FeedForward(Norm(h))
// heads: number of attention heads
// hidden: number of features inside the feed-forward part
inline Tensor transformer_block(const Tensor& x, std::int64_t heads, std::int64_t hidden,
                                const TransformerBlockOptions& options = {},
                                SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("heads", heads);
  call.attrs.set("hidden", hidden);
  call.attrs.set("activation", options.activation);
  call.attrs.set("approximate", options.approximate);
  call.attrs.set("gated", options.gated);
  call.attrs.set("norm", options.norm);
  call.attrs.set("epsilon", options.epsilon);
  call.attrs.set("norm_first", options.norm_first);
  call.attrs.set("causal", options.causal);
  call.attrs.set("positions", options.positions);
  call.attrs.set("rotary_base", options.rotary_base);
  call.attrs.set("key_value_heads", options.key_value_heads);
  call.attrs.set("bias", options.bias);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.TransformerBlock", {x, options.mask}, std::move(call))[0];
}

struct TransformerDecoderOptions {
  // which positions x may see of itself
  Tensor mask = {};
  // which positions of the memory x may see
  Tensor memory_mask = {};
  // number of blocks
  std::int64_t layers = 1;
  // the op between the two projections
  std::string activation = "Gelu";
  // the form of Gelu: none is exact, tanh that of GPT-2; other activations have one form
  std::string approximate = "none";
  // a gated feed-forward part, SwiGLU with Silu
  bool gated = false;
  // the layer that normalises
  std::string norm = "LayerNorm";
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
  // normalise before attention and feed-forward (true) or after the sums (false)
  bool norm_first = true;
  // each position sees itself and earlier ones only
  bool causal = true;
  // how attention knows where a position stands; none: x tells it, or nothing does
  std::string positions = "none";
  // with rotary positions: about how many times slower the last pair of features turns than the first
  double rotary_base = 1e+04;
  // heads of keys and values, each shared by a group of heads; 0: as many as heads
  std::int64_t key_value_heads = 0;
  // whether attention and feed-forward add biases
  bool bias = true;
  // share of elements that training sets to zero
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// `layers` decoder blocks of one configuration, one after the other; all of them read the same memory, and by default
// none looks ahead in x. With `norm_first` a last norm follows, since nothing else normalises the sum of all blocks.
//   y = Norm(D_n(… D₁(x, m) …, m))
// heads: number of attention heads
// hidden: number of features inside the feed-forward part
inline Tensor transformer_decoder(const Tensor& x, const Tensor& memory, std::int64_t heads, std::int64_t hidden,
                                  const TransformerDecoderOptions& options = {},
                                  SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("heads", heads);
  call.attrs.set("hidden", hidden);
  call.attrs.set("layers", options.layers);
  call.attrs.set("activation", options.activation);
  call.attrs.set("approximate", options.approximate);
  call.attrs.set("gated", options.gated);
  call.attrs.set("norm", options.norm);
  call.attrs.set("epsilon", options.epsilon);
  call.attrs.set("norm_first", options.norm_first);
  call.attrs.set("causal", options.causal);
  call.attrs.set("positions", options.positions);
  call.attrs.set("rotary_base", options.rotary_base);
  call.attrs.set("key_value_heads", options.key_value_heads);
  call.attrs.set("bias", options.bias);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.TransformerDecoder", {x, memory, options.mask, options.memory_mask}, std::move(call))[0];
}

struct TransformerDecoderBlockOptions {
  // which positions x may see of itself
  Tensor mask = {};
  // which positions of the memory x may see
  Tensor memory_mask = {};
  // the op between the two projections
  std::string activation = "Gelu";
  // the form of Gelu: none is exact, tanh that of GPT-2; other activations have one form
  std::string approximate = "none";
  // a gated feed-forward part, SwiGLU with Silu
  bool gated = false;
  // the layer that normalises
  std::string norm = "LayerNorm";
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
  // normalise before attention and feed-forward (true) or after the sums (false)
  bool norm_first = true;
  // each position sees itself and earlier ones only
  bool causal = true;
  // how attention knows where a position stands; none: x tells it, or nothing does
  std::string positions = "none";
  // with rotary positions: about how many times slower the last pair of features turns than the first
  double rotary_base = 1e+04;
  // heads of keys and values, each shared by a group of heads; 0: as many as heads
  std::int64_t key_value_heads = 0;
  // whether attention and feed-forward add biases
  bool bias = true;
  // share of elements that training sets to zero
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Self-attention over what has been written so far, attention to a memory such as an encoder's output, then a
// feed-forward layer. Each is added to its input and normalised; the self-attention looks back only, unless `causal` is
// turned off.
//   h = x + Attention(Norm(x)),  g = h + Attention(Norm(h), m),  y = g + FeedForward(Norm(g))
// heads: number of attention heads
// hidden: number of features inside the feed-forward part
inline Tensor transformer_decoder_block(const Tensor& x, const Tensor& memory, std::int64_t heads, std::int64_t hidden,
                                        const TransformerDecoderBlockOptions& options = {},
                                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("heads", heads);
  call.attrs.set("hidden", hidden);
  call.attrs.set("activation", options.activation);
  call.attrs.set("approximate", options.approximate);
  call.attrs.set("gated", options.gated);
  call.attrs.set("norm", options.norm);
  call.attrs.set("epsilon", options.epsilon);
  call.attrs.set("norm_first", options.norm_first);
  call.attrs.set("causal", options.causal);
  call.attrs.set("positions", options.positions);
  call.attrs.set("rotary_base", options.rotary_base);
  call.attrs.set("key_value_heads", options.key_value_heads);
  call.attrs.set("bias", options.bias);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.TransformerDecoderBlock", {x, memory, options.mask, options.memory_mask}, std::move(call))[0];
}

struct TransformerEncoderOptions {
  // given to every block
  Tensor mask = {};
  // number of blocks
  std::int64_t layers = 1;
  // the op between the two projections
  std::string activation = "Gelu";
  // the form of Gelu: none is exact, tanh that of GPT-2; other activations have one form
  std::string approximate = "none";
  // a gated feed-forward part, SwiGLU with Silu
  bool gated = false;
  // the layer that normalises
  std::string norm = "LayerNorm";
  // added under the root, so that nothing is divided by zero
  double epsilon = 1e-05;
  // normalise before attention and feed-forward (true) or after the sums (false)
  bool norm_first = true;
  // each position sees itself and earlier ones only
  bool causal = false;
  // how attention knows where a position stands; none: x tells it, or nothing does
  std::string positions = "none";
  // with rotary positions: about how many times slower the last pair of features turns than the first
  double rotary_base = 1e+04;
  // heads of keys and values, each shared by a group of heads; 0: as many as heads
  std::int64_t key_value_heads = 0;
  // whether attention and feed-forward add biases
  bool bias = true;
  // share of elements that training sets to zero
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// `layers` transformer blocks of one configuration, one after the other. With `norm_first` a last norm follows, since
// nothing else normalises the sum of all blocks.
//   y = Norm(B_n(… B₁(x)))
// heads: number of attention heads
// hidden: number of features inside the feed-forward part
inline Tensor transformer_encoder(const Tensor& x, std::int64_t heads, std::int64_t hidden,
                                  const TransformerEncoderOptions& options = {},
                                  SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("heads", heads);
  call.attrs.set("hidden", hidden);
  call.attrs.set("layers", options.layers);
  call.attrs.set("activation", options.activation);
  call.attrs.set("approximate", options.approximate);
  call.attrs.set("gated", options.gated);
  call.attrs.set("norm", options.norm);
  call.attrs.set("epsilon", options.epsilon);
  call.attrs.set("norm_first", options.norm_first);
  call.attrs.set("causal", options.causal);
  call.attrs.set("positions", options.positions);
  call.attrs.set("rotary_base", options.rotary_base);
  call.attrs.set("key_value_heads", options.key_value_heads);
  call.attrs.set("bias", options.bias);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.TransformerEncoder", {x, options.mask}, std::move(call))[0];
}

}  // namespace asg::nn
