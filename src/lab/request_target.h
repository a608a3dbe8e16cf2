#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace asg::lab {

// What stands behind GET, taken apart.
struct RequestTarget {
  std::string path;   // "/assets/index.js", escapes resolved
  std::string query;  // "token=…", as it came
};

// Nothing where it is no path from the root, or one that tries to leave it: "." and ".." and empty parts, backslashes,
// control characters and bytes beyond ASCII, also when they are escaped.
std::optional<RequestTarget> parse_request_target(std::string_view target);

// The value of a parameter, escapes resolved. Nothing where it is absent, malformed or given twice.
std::optional<std::string> query_parameter(std::string_view query, std::string_view name);

}  // namespace asg::lab
