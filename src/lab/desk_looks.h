#pragma once

#include <vector>

#include "asg/train/trainer.h"

namespace asg::lab {

// What each step of the executable took on average; nothing where nothing was measured.
std::vector<double> step_seconds_of(const train::Trainer& trainer);

}  // namespace asg::lab
