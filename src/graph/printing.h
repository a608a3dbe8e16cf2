#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "asg/core/array.h"

// Small pieces that the text forms for people share.
namespace asg {

// In quotes, with quotes, backslashes and control characters escaped. A text of more bytes than `at_most` is cut
// between two characters and ends in "…".
std::string as_quoted(std::string_view text, std::size_t at_most = std::string_view::npos);

// The fewest digits that read back as the same number: "0.1", "1e-05", "-inf".
std::string number_text(double value);

// Type and elements in one line, the middle of long axes left out: "i64[2] [2, -1]".
std::string tensor_text(const Array& array, std::int64_t max_elements);

}  // namespace asg
