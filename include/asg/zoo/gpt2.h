#pragma once

#include <string>

#include "asg/graph/graph.h"
#include "asg/zoo/inputs.h"

namespace asg::zoo {

// GPT-2 (Radford and others, 2019): learned positions, norms before attention and feed-forward, a head that shares the
// table of the tokens. The configuration alone is that of the model of 124 million parameters.
struct Gpt2Config {
  Tokens tokens = {};
  std::int64_t positions = 1024;  // the longest text
  std::int64_t layers = 12;
  std::int64_t features = 768;
  std::int64_t heads = 12;
  std::int64_t hidden = 0;           // inside the feed-forward part; 0: four times the features
  std::string approximate = "tanh";  // the form of Gelu: "tanh" as in the released weights, or "none"
  double epsilon = 1e-5;             // of the norms
  double dropout = 0;                // of attention weights, inside the feed-forward parts and of the embeddings
  bool tied = true;                  // the head shares the table of the tokens
  bool bias = true;                  // of attention and feed-forward
  bool loss = true;                  // input "targets" and output "loss", for training
};
Graph gpt2(const Gpt2Config& config = {});

// These choose layers, features and heads, whatever the configuration says.
Graph gpt2_medium(Gpt2Config config = {});  // 355M
Graph gpt2_large(Gpt2Config config = {});   // 774M
Graph gpt2_xl(Gpt2Config config = {});      // 1.5B

}  // namespace asg::zoo
