#pragma once

#include <string>

#include "asg/graph/graph.h"

namespace asg::app {

// A model from a file: ONNX where the name ends in .onnx, else JSON.
Graph load_model(const std::string& file);

}  // namespace asg::app
