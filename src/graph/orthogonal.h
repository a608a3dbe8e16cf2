#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asg/core/random.h"

namespace asg {

// A random row-major matrix whose rows (or columns, whichever are fewer) have length 1 and are at right angles,
// drawn uniformly from all such matrices.
std::vector<double> random_orthogonal(std::int64_t rows, std::int64_t columns, std::uint64_t seed, StreamKey stream);

}  // namespace asg
