// Any bytes are read as an ONNX model or refused with a UserError. What is accepted is a sound graph.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "asg/core/error.h"
#include "asg/graph/validate.h"
#include "asg/io/onnx.h"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  asg::io::OnnxOptions options;
  options.limits = {.max_bytes = 1 << 20, .max_nodes = 2000};
  std::optional<asg::io::OnnxModel> model;
  try {
    model = asg::io::read_onnx(std::string_view(reinterpret_cast<const char*>(data), size), options);
  } catch (const asg::UserError& error) {
    demand(!error.detail().given.empty());
    return 0;
  }
  demand(asg::problems_of(model->graph).empty());
  return 0;
}
