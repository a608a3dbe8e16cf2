#pragma once

#include "asg/graph/graph.h"
#include "asg/zoo/inputs.h"

namespace asg::zoo {

// The vision transformer (Dosovitskiy and others, 2020): patches of the picture become a sequence, a learned token in
// front of it gathers what the classifier reads. The configuration alone is that of ViT-Tiny (Touvron and others).
struct VitConfig {
  Images images = {};
  std::int64_t classes = 1000;
  std::int64_t patch = 16;  // height and width of a patch; both divide the picture
  std::int64_t layers = 12;
  std::int64_t features = 192;
  std::int64_t heads = 3;
  std::int64_t hidden = 0;  // inside the feed-forward part; 0: four times the features
  double epsilon = 1e-6;    // of the norms
  double dropout = 0;       // of attention weights, inside the feed-forward parts and of the patches
  bool loss = true;         // input "labels" and output "loss", for training
};
Graph vit(const VitConfig& config = {});

// These choose features and heads, whatever the configuration says.
Graph vit_tiny(const VitConfig& config = {});
Graph vit_small(const VitConfig& config = {});
Graph vit_base(const VitConfig& config = {});

}  // namespace asg::zoo
