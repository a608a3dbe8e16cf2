// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

struct GRUOptions {
  // which way the sequence is read; each direction has weights of its own
  std::string direction = "forward";
  // the length of the state; 0: as R says
  std::int64_t hidden_size = 0;
  // 0: the length comes first; 1: the batch comes first in X, Y and the states
  std::int64_t layout = 0;
  // what goes into an activation is held between -clip and clip; 0: it is not
  double clip = 0.0;
  // the functions of the gates, for each direction; empty: Sigmoid for gates and Tanh elsewhere
  std::vector<std::string> activations = {};
  // alpha of those functions that have one, in order
  std::vector<double> activation_alpha = {};
  // beta of those functions that have one, in order
  std::vector<double> activation_beta = {};
  // whether the reset gate multiplies the state after its weights (as PyTorch and cuDNN do) or before them
  bool linear_before_reset = false;
};

struct GRUOutputs {
  // the state after every element: [length, directions, batch, hidden]
  Tensor y;
  // the state after the last element: [directions, batch, hidden]
  Tensor y_h;
};

// A recurrent network with two gates. The update gate z decides how much of the old state is kept, the reset gate r how
// much of it the candidate for the new one may see; the new state lies between the candidate and the old state. In W, R
// and B the gates stand in the order z, r, candidate.
//   z_t = σ(x_t W_zᵀ + h_(t−1) R_zᵀ + b_z),  r_t = σ(x_t W_rᵀ + h_(t−1) R_rᵀ + b_r); h̃_t = tanh(x_t
//   W_hᵀ + (r_t ⊙ h_(t−1)) R_hᵀ + b_h); h_t = (1 − z_t) ⊙ h̃_t + z_t ⊙ h_(t−1)
inline GRUOutputs gru(const Tensor& x, const Tensor& w, const Tensor& r, const Tensor& b = {},
                      const Tensor& sequence_lens = {}, const Tensor& initial_h = {}, const GRUOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("direction", options.direction);
  call.attrs.set("hidden_size", options.hidden_size);
  call.attrs.set("layout", options.layout);
  call.attrs.set("clip", options.clip);
  call.attrs.set("activations", options.activations);
  call.attrs.set("activation_alpha", options.activation_alpha);
  call.attrs.set("activation_beta", options.activation_beta);
  call.attrs.set("linear_before_reset", options.linear_before_reset);
  const std::vector<Tensor> outputs = add_node("GRU", {x, w, r, b, sequence_lens, initial_h}, std::move(call));
  return {outputs[0], outputs[1]};
}

struct LSTMOptions {
  // which way the sequence is read; each direction has weights of its own
  std::string direction = "forward";
  // the length of the state; 0: as R says
  std::int64_t hidden_size = 0;
  // 0: the length comes first; 1: the batch comes first in X, Y and the states
  std::int64_t layout = 0;
  // what goes into an activation is held between -clip and clip; 0: it is not
  double clip = 0.0;
  // the functions of the gates, for each direction; empty: Sigmoid for gates and Tanh elsewhere
  std::vector<std::string> activations = {};
  // alpha of those functions that have one, in order
  std::vector<double> activation_alpha = {};
  // beta of those functions that have one, in order
  std::vector<double> activation_beta = {};
  // whether the forget gate is 1 minus the input gate; its own weights are then not used
  bool input_forget = false;
};

struct LSTMOutputs {
  // the state after every element: [length, directions, batch, hidden]
  Tensor y;
  // the state after the last element: [directions, batch, hidden]
  Tensor y_h;
  // the cell after the last element
  Tensor y_c;
};

// A recurrent network with a second state, the cell, that is only ever scaled and added to: the forget gate scales it,
// the input gate admits a candidate, and the output gate decides how much of the cell is shown. Peepholes let the gates
// look at the cell. In W, R and B the gates stand in the order i, o, f, candidate, which is not that of PyTorch.
//   g_t = σ(x_t W_gᵀ + h_(t−1) R_gᵀ + b_g),  g ∈ {i, o, f}; c̃_t = tanh(x_t W_cᵀ + h_(t−1) R_cᵀ + b_c);
//   c_t = f_t ⊙ c_(t−1) + i_t ⊙ c̃_t,  h_t = o_t ⊙ tanh(c_t)
inline LSTMOutputs lstm(const Tensor& x, const Tensor& w, const Tensor& r, const Tensor& b = {},
                        const Tensor& sequence_lens = {}, const Tensor& initial_h = {}, const Tensor& initial_c = {},
                        const Tensor& p = {}, const LSTMOptions& options = {},
                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("direction", options.direction);
  call.attrs.set("hidden_size", options.hidden_size);
  call.attrs.set("layout", options.layout);
  call.attrs.set("clip", options.clip);
  call.attrs.set("activations", options.activations);
  call.attrs.set("activation_alpha", options.activation_alpha);
  call.attrs.set("activation_beta", options.activation_beta);
  call.attrs.set("input_forget", options.input_forget);
  const std::vector<Tensor> outputs = add_node("LSTM", {x, w, r, b, sequence_lens, initial_h, initial_c, p},
                                               std::move(call));
  return {outputs[0], outputs[1], outputs[2]};
}

struct RNNOptions {
  // which way the sequence is read; each direction has weights of its own
  std::string direction = "forward";
  // the length of the state; 0: as R says
  std::int64_t hidden_size = 0;
  // 0: the length comes first; 1: the batch comes first in X, Y and the states
  std::int64_t layout = 0;
  // what goes into an activation is held between -clip and clip; 0: it is not
  double clip = 0.0;
  // the functions of the gates, for each direction; empty: Sigmoid for gates and Tanh elsewhere
  std::vector<std::string> activations = {};
  // alpha of those functions that have one, in order
  std::vector<double> activation_alpha = {};
  // beta of those functions that have one, in order
  std::vector<double> activation_beta = {};
};

struct RNNOutputs {
  // the state after every element: [length, directions, batch, hidden]
  Tensor y;
  // the state after the last element: [directions, batch, hidden]
  Tensor y_h;
};

// Reads a sequence element by element and keeps a state: the new state is a function, tanh unless told otherwise, of
// the sum of the element and the old state, each multiplied by its own weights. It gives the state after every element
// and the last one.
//   h_t = f(x_t Wᵀ + h_(t−1) Rᵀ + b_W + b_R)
inline RNNOutputs rnn(const Tensor& x, const Tensor& w, const Tensor& r, const Tensor& b = {},
                      const Tensor& sequence_lens = {}, const Tensor& initial_h = {}, const RNNOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("direction", options.direction);
  call.attrs.set("hidden_size", options.hidden_size);
  call.attrs.set("layout", options.layout);
  call.attrs.set("clip", options.clip);
  call.attrs.set("activations", options.activations);
  call.attrs.set("activation_alpha", options.activation_alpha);
  call.attrs.set("activation_beta", options.activation_beta);
  const std::vector<Tensor> outputs = add_node("RNN", {x, w, r, b, sequence_lens, initial_h}, std::move(call));
  return {outputs[0], outputs[1]};
}

}  // namespace asg
