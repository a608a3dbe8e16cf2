#pragma once

#include <optional>
#include <string>

#include "asg/graph/card.h"

// The samples of the cards as data: what goes into an op, what comes out, and its gradients, in JSON, so that other
// programs can compute the same and compare (see tools/peers).
namespace asg::samples {

// One sample, computed in one dtype. The gradients are those of Σ weights · outputs over all float outputs, by inputs
// ("input_0") and parameters (by slot).
struct Case {
  std::string sample;
  DType dtype = DType::f64;  // of its floats
  Mode mode = Mode::train;
  StreamKey stream = 0;  // of the node, where it draws random numbers
  Attrs attrs;           // as the sample gives them
  Attrs inputs;          // "input_0" …; absent ones are left out
  Attrs variables;       // by slot
  Attrs outputs;         // "output_0" …
  Attrs updates;         // new values of buffers, by slot
  Attrs randoms;         // what random ops inside a layer drew, by their path: masks
  Attrs weights;         // "output_0" …
  Attrs gradients;
};

// Nothing where the sample has no floats to be put into that dtype, or the ports refuse it.
std::optional<Case> compute(const OpCard& op, const Sample& sample, DType dtype, Mode mode);

// A line of JSON for an op: its peer, the defaults of its attributes and all cases.
std::string line_of(const OpCard& op);
// Lines for the trainings of a layer or loss: model, batch, first and last weights, losses.
std::string training_lines(const OpCard& op);

}  // namespace asg::samples
