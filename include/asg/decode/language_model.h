#pragma once

#include <cstdint>
#include <string>

#include "asg/graph/graph.h"

namespace asg::decode {

// A model that tells for each token of a text which one may follow: what a generator takes.
struct LanguageModel {
  Graph graph;                  // what the logits need of the model, and nothing else
  std::string logits;           // the name of its one output, [batch, length, vocabulary]
  std::int64_t vocabulary = 0;  // how many tokens there are
  std::int64_t context = 0;     // the longest text that it takes; 0: any

  // Bytes of the parameters that computing the logits of one token reads: all but tables of which a row is looked up.
  std::int64_t weight_bytes() const;
};

// Finds in a model what a generator needs: the output "logits", or the only one of rank 3, and the one input that it
// depends on, of integers [batch, length]. Loss, targets and all that training adds are left out. Throws missing_value
// and bad_shape where the model is none of language.
LanguageModel language_model_of(const Graph& model);

}  // namespace asg::decode
