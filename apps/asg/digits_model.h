#pragma once

#include "asg/graph/graph.h"

namespace asg::app {

// An attention classifier for 8×8 digits: the rows of the picture are 8 tokens of 8 pixels.
//   inputs:  features f32[batch, 8, 8], labels i64[batch]
//   outputs: logits f32[batch, 10], loss
Graph digits_model();

}  // namespace asg::app
