#pragma once

#include <string>

#include "asg/core/array.h"

namespace asg::plot {

// A picture as the bytes of a PNG file: [height, width] or [height, width, channels] with 1 (grey), 3 (red, green,
// blue) or 4 channels (and opacity). u8 as it is; floats from 0, black, to 1, what lies outside is cut off, NaN is
// black. Throws bad_shape, bad_dtype, limit_exceeded above 16,384 pixels a side.
std::string to_png(const Array& pixels);

}  // namespace asg::plot
