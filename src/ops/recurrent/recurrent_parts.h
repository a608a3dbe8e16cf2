#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asg/graph/card.h"
#include "ops/control_flow/scan_builder.h"

// What RNN, GRU and LSTM have in common. Each is a Scan per direction over the products of the inputs with their
// weights; the ops differ in one step.
namespace asg::ops {

// One of the functions that ONNX allows for gates, with its parameters, read once and applied many times.
class GateFunction {
 public:
  GateFunction(std::string name, double alpha, double beta);
  Tensor operator()(const Tensor& x) const;

 private:
  std::string name_;
  double alpha_;
  double beta_;
};

// Inputs of all three ops.
inline constexpr int kX = 0;
inline constexpr int kW = 1;
inline constexpr int kR = 2;
inline constexpr int kB = 3;
inline constexpr int kLengths = 4;
inline constexpr int kInitialH = 5;
inline constexpr int kInitialC = 6;
inline constexpr int kPeepholes = 7;

// What one direction works with. All tensors stand in the body of the op.
struct Direction {
  std::int64_t hidden = 0;
  Tensor recurrence;  // R transposed: [hidden, gates · hidden]
  Tensor input_bias;  // [gates · hidden]; none where the op has no bias
  Tensor recurrent_bias;
  Tensor peepholes;                     // [3 · hidden], LSTM only
  std::vector<GateFunction> functions;  // f, g, h …
  double clip = 0;                      // 0: none

  Tensor clipped(const Tensor& x) const;
};

// One step, inside the body of the Scan: from x · W + what `joined_bias` says and the states to the next states.
//   captures: makes a tensor of the op's body visible inside
struct Step {
  Tensor x;                    // [batch, gates · hidden]
  std::vector<Tensor> states;  // [batch, hidden]
};

// A kind of recurrent op: how many gates, which functions by default, how the step goes.
class RecurrentKind {
 public:
  virtual ~RecurrentKind() = default;
  RecurrentKind() = default;
  RecurrentKind(const RecurrentKind&) = delete;
  RecurrentKind& operator=(const RecurrentKind&) = delete;

  virtual int gates() const = 0;
  virtual int states() const { return 1; }
  virtual std::vector<std::string> functions() const = 0;  // of one direction
  // How much of the recurrent bias, counted in gates, may be added to the products before the Scan.
  virtual int biases_outside() const { return gates(); }
  // Adds the captures that the step needs, then returns the next states.
  virtual std::vector<Tensor> step(ScanBuilder& scan, const Direction& direction, const Step& now) const = 0;
};

// Builds the body of such an op: outputs Y, Y_h and, with two states, Y_c.
void recurrent_body(BodyContext& ctx, const RecurrentKind& kind);

// A part [from, to) of the last axis, counted in blocks of `hidden`.
Tensor gates_of(const Tensor& x, std::int64_t hidden, int from, int to);
Tensor times(const Tensor& a, const Tensor& b);  // matrix product

// Ports, attributes and refusals.
std::vector<Port> recurrent_inputs(bool cell);
std::vector<Port> recurrent_outputs(bool cell);
std::vector<AttrSpec> recurrent_attributes();
std::vector<BadSample> bad_recurrent_samples(int gates);

}  // namespace asg::ops
