#pragma once

#include <functional>
#include <string>
#include <vector>

#include "asg/core/named_arrays.h"
#include "asg/data/dataset.h"
#include "asg/train/evaluation.h"

namespace asg::train {

// What a training runs on, as far as it is known before it runs: a change of the model after which the next step or an
// evaluation could not work is refused by this.
struct Feed {
  // Inputs of the next step, or of one like it, by name; called when a change is checked. Null, or none: not known.
  std::function<NamedArrays()> batch = {};
  std::vector<data::Dataset> evaluated = {};  // data sets that may be evaluated, with the options below
  EvaluationOptions evaluation = {};
  std::string watched_figure = {};  // that each evaluation must give, such as the metric of early stopping
};

}  // namespace asg::train
