#pragma once

#include <string>
#include <string_view>

#include "asg/core/named_arrays.h"

namespace asg::io {

// The .npz format of NumPy: a zip archive of .npy files, packed (numpy.savez_compressed) or not (numpy.savez). The
// names are those of the arrays. Throws io_error on another or a damaged file, and what read_npy throws, with the name.
NamedArrays read_npz(std::string_view bytes);
NamedArrays read_npz_file(const std::string& path);

}  // namespace asg::io
