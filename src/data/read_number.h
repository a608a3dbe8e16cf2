#pragma once

#include <optional>
#include <string_view>

namespace asg::data {

// A decimal number ("-1.5e3", "nan", "inf"), with spaces around it allowed, whatever the locale; nothing if the text is
// something else. A number beyond f64 is infinite.
std::optional<double> read_number(std::string_view text);

}  // namespace asg::data
