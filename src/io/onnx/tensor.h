#pragma once

#include <string>

#include "io/onnx/model.h"

namespace onnx {
class TensorProto;
}

namespace asg::io {

// A tensor in any of the encodings of the format: raw bytes, typed fields, a file below `folder`. Throws bad_onnx where
// the data do not fit the sizes, io_error where a file cannot be read.
TensorDef decode_tensor(const onnx::TensorProto& tensor, const std::string& folder);

}  // namespace asg::io
