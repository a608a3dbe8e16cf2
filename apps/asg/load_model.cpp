#include "load_model.h"

#include "asg/core/platform.h"
#include "asg/graph/json.h"
#include "asg/io/onnx.h"

namespace asg::app {

Graph load_model(const std::string& file) {
  return file.ends_with(".onnx") ? io::read_onnx_file(file).graph : read_json(platform::read_file(file));
}

}  // namespace asg::app
