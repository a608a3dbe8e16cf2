#pragma once

#include <string>

namespace asg {

// The place in the user's program where a node was built. Our own type, because
// std::source_location is missing from the older standard libraries we compile for.
// The pointers come from string literals and are never freed.
struct SourceLocation {
  const char* file = "";
  int line = 0;

  static constexpr SourceLocation current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
  bool known() const { return line > 0; }
  std::string to_string() const;  // "model.cpp:42", or "" when unknown

  friend bool operator==(const SourceLocation& a, const SourceLocation& b);
};

}  // namespace asg
