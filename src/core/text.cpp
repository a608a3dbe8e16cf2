#include "asg/core/text.h"

namespace asg {

std::string grouped(std::int64_t number, std::string_view separator) {
  std::string text = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, separator);
  }
  return text;
}

}  // namespace asg
