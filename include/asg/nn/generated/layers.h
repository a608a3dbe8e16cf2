// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg::nn {

struct BatchNormOptions {
  // the channel axis
  std::int64_t axis = 1;
  // weight of the newest batch in the running statistics
  double momentum = 0.1;
  // added to the variance
  double epsilon = 1e-05;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Shifts and scales each channel to mean 0 and variance 1 over the batch, then applies a learned scale γ and shift β.
// Training also keeps running statistics, which evaluation uses instead of the batch.
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
// weights are used everywhere, so a shape is recognised wherever it stands.
//   y_(o,i,j) = b_o + ∑_(c,u,v) w_(o,c,u,v) x_(c,si+u,sj+v)
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

struct DropoutOptions {
  // share of elements set to zero
  double ratio = 0.5;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// In training it sets each element to zero with probability `ratio` and scales the others up, so that the mean stays
// the same. In evaluation it passes its input through unchanged.
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

// Looks up rows of a learned table: each index is replaced by the row that it names. Only rows that were looked up get
// a gradient.
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
  // whether the projections add a bias
  bool bias = true;
  // share of elements that training sets to zero
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Two linear layers with an activation between them: the first widens the features, the second brings them back. Every
// position is treated alike and alone.
//   y = φ(x W₁ + b₁) W₂ + b₂
// hidden: features between the two projections
inline Tensor feed_forward(const Tensor& x, std::int64_t hidden, const FeedForwardOptions& options = {},
                           SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("hidden", hidden);
  call.attrs.set("activation", options.activation);
  call.attrs.set("bias", options.bias);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.FeedForward", {x}, std::move(call))[0];
}

struct LayerNormOptions {
  // first axis of the features
  std::int64_t axis = -1;
  // added to the variance
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
  // true where looking is allowed; broadcast to [batch, heads, length, other length]
  Tensor mask = {};
  // each position sees itself and earlier ones only
  bool causal = false;
  // whether the projections add a bias
  bool bias = true;
  // share of elements that training sets to zero
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Every position asks all others how relevant they are (query against key), turns the answers into weights by softmax
// and takes the weighted mean of their values. Several heads do this side by side on slices of the features.
//   y = softmax(Q Kᵀ / √d) V W_O
// heads: number of heads
inline Tensor multi_head_attention(const Tensor& query, std::int64_t heads,
                                   const MultiHeadAttentionOptions& options = {},
                                   SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("heads", heads);
  call.attrs.set("causal", options.causal);
  call.attrs.set("bias", options.bias);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.MultiHeadAttention", {query, options.key, options.value, options.mask}, std::move(call))[0];
}

struct TransformerBlockOptions {
  // true where looking is allowed; broadcast to [batch, heads, length, length]
  Tensor mask = {};
  // the op between the two projections
  std::string activation = "Gelu";
  // normalise before attention and feed-forward (true) or after the sums (false)
  bool norm_first = true;
  // each position sees itself and earlier ones only
  bool causal = false;
  // share of elements that training sets to zero
  double dropout = 0.0;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Self-attention, which moves information between positions, then a feed-forward layer, which works on each position.
// Both are added to their input (residual connections) and normalised.
//   h = x + Attention(Norm(x)),  y = h + FeedForward(Norm(h))
// heads: number of attention heads
// hidden: features inside the feed-forward part
inline Tensor transformer_block(const Tensor& x, std::int64_t heads, std::int64_t hidden,
                                const TransformerBlockOptions& options = {},
                                SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("heads", heads);
  call.attrs.set("hidden", hidden);
  call.attrs.set("activation", options.activation);
  call.attrs.set("norm_first", options.norm_first);
  call.attrs.set("causal", options.causal);
  call.attrs.set("dropout", options.dropout);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("nn.TransformerBlock", {x, options.mask}, std::move(call))[0];
}

}  // namespace asg::nn
