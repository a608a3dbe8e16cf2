#include "printing.h"

namespace asg {
namespace {

constexpr std::string_view kEscapeDigits = "0123456789abcdef";

// The longest beginning of at most `at_most` bytes that does not end inside a UTF-8 character.
std::string_view whole_characters(std::string_view text, std::size_t at_most) {
  std::size_t end = at_most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
  return text.substr(0, end);
}

void append_escaped(std::string& out, char character) {
  const auto byte = static_cast<unsigned char>(character);
  if (character == '"' || character == '\\') {
    out += '\\';
    out += character;
  } else if (character == '\n') {
    out += "\\n";
  } else if (character == '\t') {
    out += "\\t";
  } else if (byte < 0x20 || byte == 0x7F) {
    out += "\\x";
    out += kEscapeDigits[byte >> 4];
    out += kEscapeDigits[byte & 15u];
  } else {
    out += character;
  }
}

}  // namespace

std::string as_quoted(std::string_view text, std::size_t at_most) {
  const bool cut = text.size() > at_most;
  if (cut) text = whole_characters(text, at_most);
  std::string out = "\"";
  for (const char character : text) append_escaped(out, character);
  out += cut ? "…\"" : "\"";
  return out;
}

std::string number_text(double value) { return Array::scalar(DType::f64, value).to_string(); }

std::string tensor_text(const Array& array, std::int64_t max_elements) {
  std::string text = array.type_string() + ' ';
  // Array breaks the line after each row and indents the next one.
  bool after_break = false;
  for (const char character : array.to_string(max_elements)) {
    if (after_break && character == ' ') continue;
    after_break = character == '\n';
    text += after_break ? ' ' : character;
  }
  return text;
}

}  // namespace asg
