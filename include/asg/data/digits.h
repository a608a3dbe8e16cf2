#pragma once

#include "asg/data/dataset.h"

namespace asg::data {

// 1,797 handwritten digits of 8×8 pixels: features f32 [1797, 8, 8] from 0 to 1, labels 0 … 9. They are part of the
// program. Origin and licence: data/NOTICE.
Dataset digits();

}  // namespace asg::data
