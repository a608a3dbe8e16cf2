#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "asg/compile/executable.h"
#include "asg/core/array.h"
#include "asg/core/limits.h"
#include "asg/graph/graph.h"

// Reads models in the ONNX format. Ops are found by the `.onnx` entries of the cards; older opsets are lifted to the
// form that the cards have. docs/onnx.md says what is read.
namespace asg::io {

// Bounds for files that are not to be trusted. Those of the process (asg/core/limits.h) where a caller names no others.
struct OnnxLimits {
  std::int64_t max_bytes = limit_of(Limit::file_bytes);  // protobuf itself ends at 2 GiB
  std::int64_t max_nodes = limit_of(Limit::nodes);       // after functions have been put in place of their calls
};

struct OnnxOptions {
  // Float initialisers that a gradient can reach become trainable parameters; else all become constants.
  bool trainable = true;
  // Values of inputs by their ONNX names, where they are known already. They decide what the file leaves open: the
  // lengths of an input, its rank, and, where it is a short list that an op needs while the graph is built (the shape
  // of a Reshape), its contents: such an input becomes a constant.
  NamedArrays given = {};
  // Where files with external data lie; "" refuses them. `read_onnx_file` sets it to the folder of the file.
  std::string folder = {};
  OnnxLimits limits = {};
};

struct OnnxModel {
  Graph graph;
  // Inputs of the graph by their ONNX names: those with a '/' are called otherwise here.
  std::map<std::string, std::string, std::less<>> inputs;
};

// A model from the bytes of a file, or from a file. Throws io_error, bad_onnx, unknown_op, limit_exceeded, and what
// building the graph throws; errors of a node name it as the file does.
OnnxModel read_onnx(std::string_view bytes, const OnnxOptions& options = {});
OnnxModel read_onnx_file(const std::string& path, OnnxOptions options = {});

// One tensor (a TensorProto, as in the official test data).
Array read_onnx_tensor(std::string_view bytes);

}  // namespace asg::io
