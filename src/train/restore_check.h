#pragma once

#include <string>

#include "asg/train/checkpoint.h"

namespace asg::train {

// Whether a training of this model and this kind of optimizer can resume from a checkpoint. Throws bad_attribute,
// type_mismatch.
void check_restorable(const CheckpointData& data, const Model& model, const std::string& optimizer);

}  // namespace asg::train
