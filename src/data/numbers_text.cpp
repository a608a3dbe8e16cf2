#include "numbers_text.h"

#include <array>
#include <cstdio>

namespace asg::data {

std::string number_text(double number) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%g", number);
  return text.data();
}

std::string numbers_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) {
    if (!text.empty()) text += ", ";
    text += number_text(number);
  }
  return text;
}

}  // namespace asg::data
