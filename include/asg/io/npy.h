#pragma once

#include <string>
#include <string_view>

#include "asg/core/array.h"

namespace asg::io {

// The .npy format of NumPy: one array with its dtype and sizes. Read are versions 1 to 3, both byte orders and both
// orders of the axes; objects, texts and records are refused. Throws io_error, and bad_dtype for a dtype that one of
// the two sides does not have (complex numbers; bf16 cannot be written).
Array read_npy(std::string_view bytes);
Array read_npy_file(const std::string& path);

// Version 1, in the byte order of this machine.
std::string to_npy(const Array& array);

}  // namespace asg::io
