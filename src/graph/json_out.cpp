#include "json_out.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "asg/core/error.h"
#include "binary_text.h"
#include "printing.h"

namespace asg {
namespace {

constexpr std::size_t kPiece = 64 * 1024;

bool is_plain(char letter) {
  return static_cast<unsigned char>(letter) >= 0x20 && static_cast<unsigned char>(letter) < 0x80 && letter != '"' &&
         letter != '\\';
}

// The number of bytes of the UTF-8 character at the start of `text`; 0 when there is none: broken, overlong, a
// surrogate, or beyond U+10FFFF.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0u) != 0x80) return 0;
  }
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) >= 0xA0;
  const bool beyond = first == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

void append_escaped(char letter, std::string& text) {
  switch (letter) {
    case '"':
      text += "\\\"";
      return;
    case '\\':
      text += "\\\\";
      return;
    case '\n':
      text += "\\n";
      return;
    case '\t':
      text += "\\t";
      return;
    case '\r':
      text += "\\r";
      return;
    default:
      break;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(letter);
  text += "\\u00";
  text += kDigits[code >> 4];
  text += kDigits[code & 15u];
}

}  // namespace

JsonOut::JsonOut(Sink sink) : sink_(std::move(sink)) { buffer_.reserve(kPiece + kPiece / 4); }

void JsonOut::separate() {
  if (comma_) buffer_ += ',';
  if (line_) buffer_ += '\n';
  line_ = false;
}

void JsonOut::open(char bracket) {
  separate();
  buffer_ += bracket;
  comma_ = false;
}

void JsonOut::close(char bracket) {
  buffer_ += bracket;
  comma_ = true;
  line_ = false;
  flush_if_full();
}

void JsonOut::raw(std::string_view literal) {
  separate();
  buffer_ += literal;
  comma_ = true;
}

void JsonOut::key(std::string_view name) {
  separate();
  quote(name);
  buffer_ += ':';
  comma_ = false;
}

void JsonOut::line() { line_ = true; }

void JsonOut::integer(std::int64_t value) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  raw(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

void JsonOut::real(double value) {
  std::string digits = number_text(value);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  raw(digits);
}

void JsonOut::text(std::string_view value) {
  separate();
  quote(value);
  comma_ = true;
}

void JsonOut::quote(std::string_view value) {
  buffer_ += '"';
  if (std::all_of(value.begin(), value.end(), is_plain)) {
    buffer_ += value;
  } else {
    for (std::size_t position = 0; position < value.size();) {
      const std::size_t length = utf8_length(value.substr(position));
      if (length == 0) {
        fail(ErrorCode::bad_json, "a text with bytes that are not UTF-8, at position " + std::to_string(position),
             "UTF-8 in every name and text that is written", "change the text");
      }
      if (length > 1 || is_plain(value[position])) {
        buffer_ += value.substr(position, length);
      } else {
        append_escaped(value[position], buffer_);
      }
      position += length;
    }
  }
  buffer_ += '"';
  flush_if_full();
}

void JsonOut::base64(std::span<const std::byte> bytes) {
  constexpr std::size_t kAtOnce = 3 * 4096;  // whole groups of three bytes, so that only the last is padded
  separate();
  buffer_ += '"';
  for (std::size_t begin = 0; begin < bytes.size(); begin += kAtOnce) {
    append_base64(bytes.subspan(begin, std::min(kAtOnce, bytes.size() - begin)), buffer_);
    flush_if_full();
  }
  buffer_ += '"';
  comma_ = true;
}

void JsonOut::flush_if_full() {
  if (buffer_.size() >= kPiece) flush();
}

void JsonOut::flush() {
  if (!buffer_.empty()) sink_(buffer_);
  buffer_.clear();
}

std::string json_text(const std::function<void(JsonOut&)>& write) {
  std::string text;
  JsonOut out([&text](std::string_view piece) { text += piece; });
  write(out);
  out.flush();
  return text;
}

}  // namespace asg
