#pragma once

#include <string>
#include <vector>

#include "asg/graph/card.h"
#include "asg/graph/registry.h"
#include "support/run_op.h"

namespace asg::test {

// A sample of a card in one dtype, computed by the reference kernel.
struct Computed {
  const OpCard* op;
  std::string name;
  Attrs attrs;
  Inputs inputs;
  std::vector<Array> outputs;
};

inline std::vector<Computed> computed_samples(const std::string& op_name, DType dtype) {
  const OpCard& op = *Registry::global().find(op_name);
  std::vector<Computed> all;
  for (const Sample& sample : op.samples) {
    Inputs inputs = sample_inputs(op, sample.name, sample.inputs);
    for (auto& input : inputs) {
      if (input && is_float(input->dtype())) input = input->cast(dtype).dense();
    }
    if (!is_float(inputs[0]->dtype())) continue;
    auto outputs = run_op(op, sample.attrs, inputs);
    all.push_back({&op, sample.name, sample.attrs, inputs, outputs});
  }
  return all;
}

}  // namespace asg::test
