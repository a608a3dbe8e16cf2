#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "asg/core/files.h"
#include "io/onnx/model.h"

namespace onnx {
class TensorProto;
}

namespace asg::io {

// The files below the folder of a model that hold elements of its tensors. Each is mapped once and tensors share its
// memory, so that many that name the same bytes cost no more than the file; those that are not aligned are copied, all
// together up to the limit of a file.
class ExternalData {
 public:
  explicit ExternalData(std::string folder) : folder_(std::move(folder)) {}

  Array read(const onnx::TensorProto& tensor, DType dtype, std::int64_t bytes);

 private:
  std::string folder_;  // "": no file is read
  std::map<std::string, std::shared_ptr<const platform::MappedFile>> files_;
  std::int64_t copied_ = 0;  // bytes
};

// A tensor in any of the encodings of the format: raw bytes, typed fields, a file. Throws bad_onnx where the data do
// not fit the sizes, io_error where a file cannot be read.
TensorDef decode_tensor(const onnx::TensorProto& tensor, ExternalData& external);

}  // namespace asg::io
