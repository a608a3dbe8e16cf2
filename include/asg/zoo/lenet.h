#pragma once

#include <string>

#include "asg/graph/graph.h"
#include "asg/zoo/inputs.h"

namespace asg::zoo {

// LeNet-5 (LeCun and others, 1998) for pictures of digits, 28×28 padded to 32×32. Where the original pooled with
// learned weights and ended in radial basis functions, this one has plain pools and a linear layer, as is usual now.
struct LeNetConfig {
  Images images = {.channels = 1, .height = 28, .width = 28};
  std::int64_t classes = 10;
  std::int64_t padding = 2;         // around the picture
  std::string activation = "Tanh";  // any op of that kind
  std::string pooling = "average";  // or "max"
  bool loss = true;                 // inputs "labels" and output "loss", for training
};
Graph lenet(const LeNetConfig& config = {});

}  // namespace asg::zoo
