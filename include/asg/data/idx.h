#pragma once

#include <cstddef>
#include <span>

#include "asg/core/array.h"

namespace asg::data {

// Reads the IDX format of MNIST: two zero bytes, a code of the dtype, the rank, the sizes and the elements, big-endian.
// Strict: a file that is too short, too long or of another form is refused with io_error.
Array read_idx(std::span<const std::byte> bytes);

}  // namespace asg::data
