#include "compile/kernel/line_scanner.h"

#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "asg/core/error.h"
#include "graph/printing.h"

namespace asg {
namespace {

bool is_blank(char character) { return character == ' ' || character == '\t' || character == '\r'; }

bool is_word(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || character == '_' || character == '.' || character == '-' ||
         character == '+';
}

// The whole text as an integer; false where it is none or does not fit.
template <class Integer>
bool read_integer(std::string_view text, Integer& result) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  return error == std::errc{} && end == text.data() + text.size();
}

constexpr std::size_t kShown = 120;  // bytes of a line that a message repeats

}  // namespace

LineScanner::LineScanner(std::string_view line, std::size_t number) : line_(line), rest_(line), number_(number) {
  while (!line_.empty() && is_blank(line_.front())) line_.remove_prefix(1);
  while (!line_.empty() && is_blank(line_.back())) line_.remove_suffix(1);
  skip_blanks();
}

void LineScanner::skip_blanks() {
  while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
}

// The next piece: a word, or one other character.
std::string_view LineScanner::peek() const {
  std::size_t length = 0;
  while (length < rest_.size() && is_word(rest_[length])) ++length;
  return rest_.substr(0, length > 0 ? length : 1);
}

bool LineScanner::skip(std::string_view piece) {
  if (peek() != piece) return false;
  rest_.remove_prefix(piece.size());
  skip_blanks();
  return true;
}

void LineScanner::expect(std::string_view piece) {
  if (!skip(piece)) refuse('"' + std::string(piece) + '"');
}

std::string LineScanner::word(std::string_view needed) {
  const std::string_view piece = peek();
  if (piece.empty() || !is_word(piece.front())) refuse(needed);
  std::string result(piece);
  rest_.remove_prefix(piece.size());
  skip_blanks();
  return result;
}

std::int64_t LineScanner::integer(std::string_view needed) {
  std::int64_t result = 0;
  if (!read_integer(peek(), result)) refuse(needed);
  word(needed);
  return result;
}

std::uint64_t LineScanner::whole(std::string_view needed) {
  std::uint64_t result = 0;
  if (!read_integer(peek(), result)) refuse(needed);
  word(needed);
  return result;
}

double LineScanner::number() {
  constexpr std::string_view kNeeded = "a number, inf, -inf or nan";
  const std::string text(peek());
  if (text == "nan" || text == "inf" || text == "-inf") {
    word(kNeeded);
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    return text == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  }
  // strtod reads the decimal point of the locale of the process, and more than we write: hexadecimal, "infinity".
  if (text.empty() || text.find_first_not_of("0123456789+-.e") != std::string::npos) refuse(kNeeded);
  std::string local;
  for (const char character : text) {
    if (character == '.') {
      local += std::localeconv()->decimal_point;
    } else {
      local += character;
    }
  }
  char* end = nullptr;
  const double result = std::strtod(local.c_str(), &end);
  if (end != local.c_str() + local.size() || !std::isfinite(result)) refuse(kNeeded);
  word(kNeeded);
  return result;
}

int LineScanner::numbered(std::string_view prefix, std::string_view needed) {
  std::string_view piece = peek();
  if (prefix == "%") {
    if (!skip(prefix)) refuse(needed);
    piece = peek();
  } else if (piece.substr(0, prefix.size()) == prefix) {
    piece.remove_prefix(prefix.size());
  } else {
    refuse(needed);
  }
  int result = 0;
  if (!read_integer(piece, result) || result < 0) refuse(needed);
  word(needed);
  return result;
}

void LineScanner::end() {
  if (!rest_.empty()) refuse("nothing more in this line");
}

void LineScanner::refuse(std::string_view needed) const {
  if (line_.empty()) refuse_line(needed);
  fail(ErrorCode::bad_command, place() + (rest_.empty() ? ", at its end" : ", at " + as_quoted(rest_, kShown)),
       std::string(needed));
}

void LineScanner::refuse_line(std::string_view needed) const {
  fail(ErrorCode::bad_command, place(), std::string(needed));
}

std::string LineScanner::place() const { return "line " + std::to_string(number_) + ": " + as_quoted(line_, kShown); }

}  // namespace asg
