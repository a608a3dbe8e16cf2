#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "asg/core/array.h"
#include "asg/graph/graph.h"

namespace asg::app {

// What `asg generate` goes on with: a model, what is known of its variables, and where its tokeniser may be.
struct ModelToGenerate {
  Graph graph;
  std::map<VarId, Array> values;  // the rest begins as the initialisers say
  std::string words;              // "checkpoint of step 2000", for people
  std::string tokenizer;          // a file or folder beside the model; "" where there is none
  std::int64_t context = 0;       // tokens of the longest text that it was made for; 0: nothing says
};

struct ModelChoice {
  std::string model;  // a name of the zoo, a file, the folder of a training or of Hugging Face, or a checkpoint
  std::vector<std::string> settings;  // of a model of the zoo
  std::string weights;                // safetensors
  bool best = false;                  // of a training: the best checkpoint, not the latest
};

// Throws bad_command where it is none of these or an option means nothing for it, and what reading files throws.
ModelToGenerate find_model_to_generate(const ModelChoice& choice);

}  // namespace asg::app
