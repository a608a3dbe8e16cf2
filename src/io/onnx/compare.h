#pragma once

#include <string>

#include "asg/core/array.h"

namespace asg::io {

// How an output differs from what is expected, in words; "" when it does not. Type and sizes must be the same; numbers
// may differ as the official runner allows, integers and bools not at all. NaN equals NaN.
std::string difference(const Array& got, const Array& expected);

}  // namespace asg::io
