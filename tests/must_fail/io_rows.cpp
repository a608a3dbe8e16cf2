#include "asg/io/onnx.h"
#include "must_fail/rows.h"

namespace asg::test {

std::vector<MustFail> io_rows() {
  return {
      {ErrorCode::bad_onnx, "text_as_a_model", [] { io::read_onnx("this is text"); }, "bytes that are not a model",
       "a file in the ONNX format", "the file may be cut off"},
  };
}

}  // namespace asg::test
