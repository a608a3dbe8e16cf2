#pragma once

#include <vector>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/control_flow/subgraphs.h"

namespace asg::ops {

// How a Scan splits its inputs and outputs, read from its attributes and checked.
struct ScanForm {
  int states = 0;
  int inputs = 0;  // the scanned ones
  int captures = 0;
  int outputs = 0;                 // the stacked ones
  std::vector<Stacking> in = {};   // of each scanned input; the axes are normalised
  std::vector<Stacking> out = {};  // of each stacked output; -1 is the last axis of the result
  bool backward = false;           // iterations are numbered from the last to the first

  int all_inputs() const { return states + inputs + captures; }
};

// `ranks`: of all inputs of the node. Throws wrong_input_count, capture_mismatch, bad_attribute, bad_index.
ScanForm scan_form(const AttrReader& ctx, const Graph& body, const std::vector<int>& ranks);

// The shape without, or with, an axis.
Shape without_axis(const Shape& shape, int axis);
Shape with_axis(const Shape& shape, int axis, const Dim& length);

}  // namespace asg::ops
