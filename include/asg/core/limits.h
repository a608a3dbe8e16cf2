#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Bounds on what a file or a model from outside may make the process do. They are properties of the process: readers
// look them up when they begin. docs/limits.md lists them; the program has an option for each.
namespace asg {

enum class Limit : std::uint8_t {
  file_bytes,
  unpacked_bytes,
  json_bytes,
  depth,
  nodes,
  ids,
  elements,
  pixels,
  trips,
};

struct LimitInfo {
  Limit limit;
  std::string_view option;  // of the program: "--max-file-bytes"
  std::int64_t fallback;    // the default
  bool in_bytes;
  std::string_view words;  // what is limited
};

std::span<const LimitInfo> all_limits();  // in the order of the enumeration
const LimitInfo& info_of(Limit limit);

// The limit in use, and a new one for the whole process. Thread-safe; a reader that is at work may keep the old one.
std::int64_t limit_of(Limit limit);
void set_limit(Limit limit, std::int64_t most);  // throws bad_attribute below 1

// An amount as messages and help show it: "4 GiB", "1000000".
std::string amount_text(const LimitInfo& info, std::int64_t amount);

// Throws limit_exceeded. The message names the bound and the option that raises it. `most` where a caller gave another
// bound than that of the process.
[[noreturn]] void fail_limit(Limit limit, std::string given);
[[noreturn]] void fail_limit(Limit limit, std::string given, std::int64_t most);

}  // namespace asg
