#include "asg/graph/json.h"
#include "asg/ops/ops.h"
#include "must_fail/rows.h"

namespace asg::test {

std::vector<MustFail> json_rows() {
  return {
      {ErrorCode::bad_json, "truncated", [] { read_json(R"({"format":"asg-graph",)"); },
       "a text that is not JSON: parse error at line 1, column 23: syntax error while parsing object key - unexpected "
       "end of input; expected string literal",
       "valid JSON", "the file may be cut off or may have been changed by hand"},
      {ErrorCode::bad_json, "another_format", [] { read_json(R"({"format":"onnx","version":1})"); },
       "the text \"onnx\"", "the text \"asg-graph\""},
      {ErrorCode::unsupported_version, "newer_file", [] { read_json(R"({"format":"asg-graph","version":99})"); },
       "a file of version 99 of the format", "version 1 or earlier", "read it with a newer release"},
      {ErrorCode::limit_exceeded, "too_many_bytes",
       [] { read_json(R"({"format":"asg-graph","version":1,"nodes":[]})", {.max_bytes = 16}); }, "a text of 45 bytes",
       "at most 16 bytes", "raise the limit with --max-file-bytes if you trust the file"},
  };
}

}  // namespace asg::test
