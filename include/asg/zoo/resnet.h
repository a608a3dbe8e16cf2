#pragma once

#include <vector>

#include "asg/graph/graph.h"
#include "asg/zoo/inputs.h"

namespace asg::zoo {

// Deep residual networks (He and others, 2015), as torchvision builds them: the 3×3 convolution of a bottleneck takes
// the stride.
struct ResNetConfig {
  Images images = {};
  std::int64_t classes = 1000;
  std::vector<std::int64_t> blocks = {2, 2, 2, 2};  // of each stage; every stage but the first halves the picture
  bool bottleneck = false;                          // blocks of three convolutions, with four times the channels
  std::int64_t base_channels = 64;                  // of the first stage; each has twice those of the one before
  bool small_images = false;  // a first convolution of 3×3 without stride and no pool, for pictures of about 32×32
  bool loss = true;           // input "labels" and output "loss", for training
};
Graph resnet(const ResNetConfig& config = {});

// These choose `blocks` and `bottleneck`, whatever the configuration says.
Graph resnet18(ResNetConfig config = {});
Graph resnet34(ResNetConfig config = {});
Graph resnet50(ResNetConfig config = {});

}  // namespace asg::zoo
