// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

// Applies a function that was defined once, as a graph of its own, to arguments. Many calls may share one definition,
// and each is typed by its own arguments. Random ops inside draw other numbers in every call.
//   (y₁, …, y_m) = f(x₁, …, x_n)
// body: the function: a closed graph, whose name is the name of the function
inline std::vector<Tensor> call_(const std::vector<Tensor>& inputs, const GraphPtr& body,
                                 SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("body", body);
  return add_node("Call", node_inputs({}, inputs), std::move(call));
}

// Holds a part of the graph that a device wants to run as a whole. It computes exactly what the nodes inside would
// compute one by one.
//   y = f(x₁, …, x_n)
// body: the graph that is run as one
inline std::vector<Tensor> carrier(const std::vector<Tensor>& inputs, const GraphPtr& body,
                                   SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("body", body);
  return add_node("Carrier", node_inputs({}, inputs), std::move(call));
}

struct GRUOptions {
  // which way the sequence is read; both ways have weights of their own
  std::string direction = "forward";
  // the length of the state; 0: as R says
  std::int64_t hidden_size = 0;
  // 0: the length comes first; 1: the batch comes first in X, Y and the states
  std::int64_t layout = 0;
  // what goes into an activation is cut off at this size; 0: nothing is
  double clip = 0.0;
  // the functions of the gates, for each direction; empty: the usual ones
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
  Tensor Y;
  // the state after the last element: [directions, batch, hidden]
  Tensor Y_h;
};

// A recurrent network with two gates. The update gate z decides how much of the old state is kept; the reset gate r,
// how much of it the candidate for the new one may see. The new state lies between the candidate and the old state.
//   h_t = (1 − z_t) ⊙ h̃_t + z_t ⊙ h_(t−1)
inline GRUOutputs gru(const Tensor& X, const Tensor& W, const Tensor& R, const Tensor& B = {},
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
  const std::vector<Tensor> outputs = add_node("GRU", {X, W, R, B, sequence_lens, initial_h}, std::move(call));
  return {outputs[0], outputs[1]};
}

// Runs one of two graphs, chosen by a single condition while the program runs; the other one costs nothing. Both take
// the same captures and must give outputs of the same types.
//   y = { f(x), c; g(x), otherwise }
// then_branch: what to compute when the condition holds
// else_branch: what to compute when it does not
inline std::vector<Tensor> if_(const Tensor& condition, const std::vector<Tensor>& captures,
                               const GraphPtr& then_branch, const GraphPtr& else_branch,
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("then_branch", then_branch);
  call.attrs.set("else_branch", else_branch);
  return add_node("If", node_inputs({condition}, captures), std::move(call));
}

struct LSTMOptions {
  // which way the sequence is read; both ways have weights of their own
  std::string direction = "forward";
  // the length of the state; 0: as R says
  std::int64_t hidden_size = 0;
  // 0: the length comes first; 1: the batch comes first in X, Y and the states
  std::int64_t layout = 0;
  // what goes into an activation is cut off at this size; 0: nothing is
  double clip = 0.0;
  // the functions of the gates, for each direction; empty: the usual ones
  std::vector<std::string> activations = {};
  // alpha of those functions that have one, in order
  std::vector<double> activation_alpha = {};
  // beta of those functions that have one, in order
  std::vector<double> activation_beta = {};
  // whether the forget gate is 1 minus the input gate instead of one of its own
  bool input_forget = false;
};

struct LSTMOutputs {
  // the state after every element: [length, directions, batch, hidden]
  Tensor Y;
  // the state after the last element: [directions, batch, hidden]
  Tensor Y_h;
  // the cell after the last element
  Tensor Y_c;
};

// A recurrent network with a second state, the cell, that is only ever scaled and added to: the forget gate scales it,
// the input gate admits a candidate. What the network shows of the cell is governed by the output gate. Peepholes let
// the gates look at the cell.
//   c_t = f_t ⊙ c_(t−1) + i_t ⊙ c̃_t,  h_t = o_t ⊙ tanh(c_t)
inline LSTMOutputs lstm(const Tensor& X, const Tensor& W, const Tensor& R, const Tensor& B = {},
                        const Tensor& sequence_lens = {}, const Tensor& initial_h = {}, const Tensor& initial_c = {},
                        const Tensor& P = {}, const LSTMOptions& options = {},
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
  const std::vector<Tensor> outputs = add_node("LSTM", {X, W, R, B, sequence_lens, initial_h, initial_c, P},
                                               std::move(call));
  return {outputs[0], outputs[1], outputs[2]};
}

struct LoopOptions {
  // how many inputs, the last ones, are the same in every iteration
  std::int64_t num_captures = 0;
};

// Runs its body again and again, up to a number of times, as long as the body says that it wants to go on. States
// travel from one iteration to the next; other results are stacked along a new first axis, one row per iteration.
//   (c_t, s_t, y_t) = f(t, s_(t−1)),  t = 0, 1, … while c_(t−1)
// body: one iteration: (its number, condition, states, captures) → (whether to go on, next states, what is stacked)
inline std::vector<Tensor> loop(const Ints& trip_count, const Tensor& condition, const std::vector<Tensor>& inputs,
                                const GraphPtr& body, const LoopOptions& options = {},
                                SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("body", body);
  call.attrs.set("num_captures", options.num_captures);
  return add_node("Loop", node_inputs({trip_count, condition}, inputs), std::move(call));
}

struct PrintOptions {
  // what stands before the value
  std::string message = "";
  // from how many elements on the middle is left out
  std::int64_t summarize = 64;
};

// Passes its input through unchanged and hands type and value to the log of the program on the way. Long tensors are
// shortened in the middle. Only the reference kernel shows anything; an exported model holds an Identity instead.
//   y = x
inline Tensor print(const Tensor& x, const PrintOptions& options = {},
                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("message", options.message);
  call.attrs.set("summarize", options.summarize);
  return add_node("Print", {x}, std::move(call))[0];
}

struct RNNOptions {
  // which way the sequence is read; both ways have weights of their own
  std::string direction = "forward";
  // the length of the state; 0: as R says
  std::int64_t hidden_size = 0;
  // 0: the length comes first; 1: the batch comes first in X, Y and the states
  std::int64_t layout = 0;
  // what goes into an activation is cut off at this size; 0: nothing is
  double clip = 0.0;
  // the functions of the gates, for each direction; empty: the usual ones
  std::vector<std::string> activations = {};
  // alpha of those functions that have one, in order
  std::vector<double> activation_alpha = {};
  // beta of those functions that have one, in order
  std::vector<double> activation_beta = {};
};

struct RNNOutputs {
  // the state after every element: [length, directions, batch, hidden]
  Tensor Y;
  // the state after the last element: [directions, batch, hidden]
  Tensor Y_h;
};

// Reads a sequence element by element and keeps a state: the new state is a function, tanh unless told otherwise, of
// the element and the old state, each multiplied by its own weights. It gives the state after every element and the
// last one.
//   h_t = f(x_t Wᵀ + h_(t−1) Rᵀ + b_W + b_R)
inline RNNOutputs rnn(const Tensor& X, const Tensor& W, const Tensor& R, const Tensor& B = {},
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
  const std::vector<Tensor> outputs = add_node("RNN", {X, W, R, B, sequence_lens, initial_h}, std::move(call));
  return {outputs[0], outputs[1]};
}

struct ScanOptions {
  // how many inputs, the last ones, are the same in every iteration
  std::int64_t num_captures = 0;
  // the axis of each scanned tensor; empty: 0
  std::vector<std::int64_t> scan_input_axes = {};
  // 0: from the first element, 1: from the last; empty: 0
  std::vector<std::int64_t> scan_input_directions = {};
  // the axis along which each result is stacked; empty: 0
  std::vector<std::int64_t> scan_output_axes = {};
  // 0: appended at the end, 1: put in front; empty: 0
  std::vector<std::int64_t> scan_output_directions = {};
  // the number of an iteration is part of the key of its random numbers; a gradient, which walks back, counts backward
  // to draw the same ones
  std::string numbering = "forward";
};

// Walks along one or more sequences and runs its body once per element, handing the states that the body returns to the
// next run. What else the body returns is stacked into sequences of the same length. With no elements the states come
// out as they went in.
//   (s_t, y_t) = f(s_(t−1), x_t),  t = 1… n
// body: one iteration: (states, an element of each scanned tensor, captures) → (next states, what is stacked)
// num_scan_inputs: how many inputs are walked along
inline std::vector<Tensor> scan(const std::vector<Tensor>& inputs, const GraphPtr& body, std::int64_t num_scan_inputs,
                                const ScanOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("body", body);
  call.attrs.set("num_scan_inputs", num_scan_inputs);
  call.attrs.set("num_captures", options.num_captures);
  call.attrs.set("scan_input_axes", options.scan_input_axes);
  call.attrs.set("scan_input_directions", options.scan_input_directions);
  call.attrs.set("scan_output_axes", options.scan_output_axes);
  call.attrs.set("scan_output_directions", options.scan_output_directions);
  call.attrs.set("numbering", options.numbering);
  return add_node("Scan", node_inputs({}, inputs), std::move(call));
}

}  // namespace asg
