#pragma once

#include <vector>

#include "asg/graph/graph.h"
#include "ops/control_flow/scan_form.h"

namespace asg {

// A Scan to be differentiated: what it runs, and on what.
struct Recurrence {
  Graph body;          // typed; (states, elements, captures) → (next states, what is stacked)
  ops::ScanForm form;  // axes are normalised
  std::vector<Tensor> states;
  std::vector<Tensor> scanned;
  std::vector<Tensor> captures;
  StreamKey stream = 0;
  SourceLocation where = {};
};

// Gradients of what comes out; no tensor where nothing reached it.
struct RecurrenceOutputs {
  std::vector<Tensor> states;  // a gradient for each float
  std::vector<Tensor> stacked;
};

// Whose gradients are asked for; floats only.
struct RecurrenceTargets {
  std::vector<bool> scanned;
  std::vector<bool> captures;
};

struct RecurrenceGradients {
  std::vector<Tensor> states;  // of each float; no tensor for others
  std::vector<Tensor> scanned;
  std::vector<Tensor> captures;
};

// Adds the gradient of a recurrence to its graph.
//   guarantees: ordinary nodes, so that it can be differentiated again; iterations that draw random numbers draw them
//               again as they were
//   example:    s' = tanh(s · w + x) → Scan (s before each iteration), Scan backwards (gradient of s, sum for w)
RecurrenceGradients differentiate(const Recurrence& recurrence, const RecurrenceOutputs& outputs,
                                  const RecurrenceTargets& targets);

}  // namespace asg
