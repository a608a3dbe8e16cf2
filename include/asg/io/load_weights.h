#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/graph.h"
#include "asg/io/safetensors.h"

namespace asg::io {

// Where a variable of a model gets its value in a file that somebody else wrote.
struct WeightSource {
  std::string tensor;  // its name in the file; empty: this variable is left as it is, on purpose
  // What is done to the tensor first: a transpose, a slice of fused weights, a reshape. Null: nothing.
  std::function<Array(const Array& tensor)> change = {};
};

// The tensor with its axes in another order: axis k of the result is axis perm[k] of the tensor. Torch keeps the weight
// of a linear layer as [out, in], ASG as [in, out]: transposed({1, 0}).
std::function<Array(const Array& tensor)> transposed(std::vector<int> perm);

struct LoadOptions {
  // Every parameter and buffer must get a value, every tensor must be used or have the name of another variable of the
  // model (the state of random numbers, as in checkpoints); else load_weights throws with the report.
  bool strict = true;
  // Null: a variable gets the tensor of its own name.
  std::function<WeightSource(const Variable& variable)> source = {};
  // Tensors for which this is true may stay unused: masks, counters. Null: none may.
  std::function<bool(std::string_view tensor)> ignore = {};
  bool cast = true;  // floats of another size are converted; false: they are mismatched
};

// What became of each name, rising.
struct LoadReport {
  struct Mismatch {
    std::string variable;
    std::string tensor;
    std::string in_model;  // "f32[10, 4]"
    std::string in_file;   // after `change`, or why that failed
  };
  std::vector<std::string> loaded;      // variables
  std::vector<std::string> missing;     // variables that the file has no tensor for
  std::vector<std::string> unexpected;  // tensors that no variable asked for or is named like
  std::vector<Mismatch> mismatched;

  bool complete() const { return missing.empty() && unexpected.empty() && mismatched.empty(); }
  std::string to_text() const;  // for people; long lists are cut
};

struct LoadedWeights {
  std::map<VarId, Array> values;  // of the variables that were loaded
  LoadReport report;
};

// Finds values for the parameters and buffers of a model by name. Values are views of the file where nothing had to be
// changed. Nothing is assigned: put `values` into the TrainingState of a trainer, or into an executable. Throws
// missing_value or type_mismatch when strict.
LoadedWeights load_weights(const Graph& model, const Safetensors& file, const LoadOptions& options = {});

}  // namespace asg::io
