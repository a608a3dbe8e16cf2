#pragma once

#include "asg/compile/specialise.h"
#include "asg/data/dataset.h"
#include "asg/graph/graph.h"
#include "asg/train/trainer.h"

namespace asg::train {

// The sizes of the batches in which a data set is evaluated, the largest first, for the inputs that a graph has.
std::vector<SizesByName> evaluation_sizes(const data::Dataset& dataset, std::int64_t batch_size, const Trainer& trainer,
                                          const Graph& graph);

// Whether an evaluation can measure what it has to: the loss, the accuracy where the data set has classes, the metrics
// and the figure that is watched. `inference` is made of the model, with symbols.
void check_evaluation(const data::Dataset& dataset, const Feed& feed, const Trainer& trainer, const Graph& model,
                      const Graph& inference);

// Logits of as many rows as there are labels, or one number for each label. Throws bad_shape.
void check_logits(const std::string& name, const Sizes& logits, const Sizes& labels);

}  // namespace asg::train
