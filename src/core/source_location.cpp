#include "asg/core/source_location.h"

#include <string_view>

namespace asg {

std::string SourceLocation::to_string() const {
  if (!known()) return "";
  // The directory depends on the machine that compiled the program, so that only the file's name is stable.
  std::string_view name = file;
  if (const auto slash = name.find_last_of("/\\"); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  return std::string(name) + ":" + std::to_string(line);
}

bool operator==(const SourceLocation& a, const SourceLocation& b) {
  return a.line == b.line && std::string_view(a.file) == std::string_view(b.file);
}

}  // namespace asg
