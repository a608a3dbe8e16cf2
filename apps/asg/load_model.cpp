#include "load_model.h"

#include "asg/core/platform.h"
#include "asg/graph/json.h"
#include "asg/graph/model.h"
#include "asg/io/onnx.h"

namespace asg::app {

Graph load_model(const std::string& file) {
  if (file.ends_with(".onnx")) return io::read_onnx_file(file).graph;
  const std::string text = platform::read_file(file);
  // A model with its journal, as checkpoints hold it.
  return text.starts_with(R"({"format":"asg-model")") ? Model::from_json(text).graph() : read_json(text);
}

}  // namespace asg::app
