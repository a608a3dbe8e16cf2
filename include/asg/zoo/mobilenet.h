#pragma once

#include <vector>

#include "asg/graph/graph.h"
#include "asg/zoo/inputs.h"

namespace asg::zoo {

// MobileNetV2 (Sandler and others, 2018). Each stage is a row of the table in the paper: how often the channels are
// expanded, how many leave it, how many blocks it has, and the stride of its first block.
struct MobileNetV2Config {
  Images images = {};
  std::int64_t classes = 1000;
  double width_multiplier = 1;  // of all channels, which stay multiples of 8
  std::vector<std::int64_t> expansions = {1, 6, 6, 6, 6, 6, 6};
  std::vector<std::int64_t> stage_channels = {16, 24, 32, 64, 96, 160, 320};
  std::vector<std::int64_t> blocks = {1, 2, 3, 4, 3, 3, 1};
  std::vector<std::int64_t> strides = {1, 2, 2, 2, 1, 2, 1};
  double dropout = 0.2;  // before the last layer
  bool loss = true;      // input "labels" and output "loss", for training
};
Graph mobilenet_v2(const MobileNetV2Config& config = {});

}  // namespace asg::zoo
