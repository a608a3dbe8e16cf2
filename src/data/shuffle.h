#pragma once

#include <cstdint>
#include <vector>

#include "asg/core/random.h"

namespace asg::data {

// Fisher and Yates: the last place gets one of all, the one before it one of the rest, and so on.
void shuffle(std::vector<std::int64_t>& items, const RandomStream& random);

}  // namespace asg::data
