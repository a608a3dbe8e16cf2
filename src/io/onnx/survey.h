#pragma once

#include <string>
#include <vector>

#include "io/onnx/model.h"

namespace asg::io {

// What stands in the way of running a model, found without building its graph.
struct Survey {
  std::vector<std::string> missing_ops;  // sorted
  bool random = false;                   // holds an op that draws random numbers
  std::string values;                    // "strings", "a sequence", "an optional"; "" = only tensors of numbers
};

Survey survey(const ModelDef& model);

// A model from what its file says.
OnnxModel read_model(const ModelDef& def, const OnnxOptions& options);

}  // namespace asg::io
