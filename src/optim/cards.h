#pragma once

#include "asg/optim/card.h"

// One function for each optimiser, each in the file of its name.
namespace asg::optim {

OptimizerCard adagrad_card();
OptimizerCard adam_card();
OptimizerCard adamw_card();
OptimizerCard lion_card();
OptimizerCard muon_card();
OptimizerCard rmsprop_card();
OptimizerCard sgd_card();

}  // namespace asg::optim
