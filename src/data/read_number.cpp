#include "read_number.h"

#include <array>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace asg::data {
namespace {

// Powers of ten that a double holds exactly.
constexpr std::array<double, 23> kTens = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Digits with at most one point: both mantissa and power are exact, so that one division rounds rightly. Nothing where
// there are too many digits for that.
std::optional<double> read_short(std::string_view text) {
  constexpr int kMostDigits = 15;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::int64_t mantissa = 0;
  int digits = 0, behind_point = 0;
  bool point = false;
  for (const char letter : text) {
    if (letter == '.' && !point) {
      point = true;
    } else if (is_digit(letter) && ++digits <= kMostDigits) {
      mantissa = mantissa * 10 + (letter - '0');
      behind_point += point ? 1 : 0;
    } else {
      return std::nullopt;
    }
  }
  if (digits == 0) return std::nullopt;
  const double value = static_cast<double>(mantissa) / kTens[static_cast<std::size_t>(behind_point)];
  return negative ? -value : value;
}

std::optional<double> read_special(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  for (const std::string_view word : {"nan", "NaN", "NAN"}) {
    if (text == word) return std::numeric_limits<double>::quiet_NaN();
  }
  for (const std::string_view word : {"inf", "Inf", "INF", "infinity", "Infinity"}) {
    if (text != word) continue;
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> read_number(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  if (const auto simple = read_short(text)) return simple;
  if (const auto special = read_special(text)) return special;
  // strtod reads the decimal point of the locale of the process, and more than we allow: hexadecimal.
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return std::nullopt;
  std::string local;
  for (const char letter : text) {
    if (letter == '.') {
      local += std::localeconv()->decimal_point;
    } else {
      local += letter;
    }
  }
  char* end = nullptr;
  const double value = std::strtod(local.c_str(), &end);
  if (end != local.c_str() + local.size()) return std::nullopt;
  return value;
}

}  // namespace asg::data
