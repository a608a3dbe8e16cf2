#pragma once

#include <vector>

#include "asg/asg.h"

// Small models of the kinds that people train, and batches for them.
namespace asg::test {

struct TrainingCase {
  std::string name;
  Graph model;
  std::vector<Array> batch;  // in the order of its inputs
};

TrainingCase mlp_case();
TrainingCase cnn_case();
TrainingCase gpt_case();

}  // namespace asg::test
