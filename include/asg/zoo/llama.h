#pragma once

#include "asg/graph/graph.h"
#include "asg/zoo/inputs.h"

namespace asg::zoo {

// A language model as LLaMA (Touvron and others, 2023) has them: root mean square norms, rotary positions, SwiGLU,
// heads that share keys and values, no biases. The configuration alone is that of a model of 15 million parameters that
// tells stories.
struct LlamaConfig {
  Tokens tokens = {.vocabulary = 32000};
  std::int64_t layers = 6;
  std::int64_t features = 288;
  std::int64_t heads = 6;
  std::int64_t key_value_heads = 0;  // each shared by a group of heads; 0: as many as heads
  std::int64_t hidden = 768;         // inside the feed-forward part
  double rotary_base = 10000;        // about how many times slower the last features turn than the first
  double epsilon = 1e-5;             // of the norms
  double dropout = 0;                // of attention weights, inside the feed-forward parts and of the embeddings
  bool tied = true;                  // the head shares the table of the tokens
  bool loss = true;                  // input "targets" and output "loss", for training
};
Graph llama(const LlamaConfig& config = {});

}  // namespace asg::zoo
