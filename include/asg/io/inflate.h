#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "asg/core/limits.h"

namespace asg::io {

// Whether bytes begin like a gzip file.
bool is_gzip(std::string_view bytes);

// What bytes in the gzip format hold, all members of it. Throws io_error where they are damaged, cut off or followed by
// something else, limit_exceeded beyond `most` bytes.
std::string gunzip(std::string_view bytes, std::int64_t most = limit_of(Limit::unpacked_bytes));

// The same of the deflate format without a wrapping, of which the length is known (a member of a zip archive).
std::string inflate_raw(std::string_view bytes, std::int64_t length);

// A whole file, unpacked when it is in the gzip format. Throws io_error with the path.
std::string read_maybe_gzip_file(const std::string& path);

}  // namespace asg::io
