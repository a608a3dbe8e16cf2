#include "utf8.h"

namespace asg::io {

Decoded decode_long(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t offset) { return static_cast<unsigned char>(text[at + offset]); };
  const unsigned char first = byte(0);
  // The second byte has a narrower range after some first bytes: that shuts out overlong forms and surrogates.
  unsigned char least = 0x80;
  unsigned char most = 0xBF;
  std::size_t bytes = 2;
  char32_t code = first & 0x1FU;
  if (first < 0xC2 || first > 0xF4) return {};
  if (first >= 0xF0) {
    bytes = 4;
    code = first & 0x07U;
    if (first == 0xF0) least = 0x90;
    if (first == 0xF4) most = 0x8F;
  } else if (first >= 0xE0) {
    bytes = 3;
    code = first & 0x0FU;
    if (first == 0xE0) least = 0xA0;
    if (first == 0xED) most = 0x9F;
  }
  for (std::size_t k = 1; k < bytes; ++k) {
    if (at + k >= text.size() || byte(k) < least || byte(k) > most) return {kNoCharacter, k};
    code = code << 6 | (byte(k) & 0x3FU);
    least = 0x80;
    most = 0xBF;
  }
  return {code, bytes};
}

void append_utf8(std::string& out, char32_t code) {
  const auto rest = [&](int shift) { return static_cast<char>(0x80U | (code >> shift & 0x3FU)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += {static_cast<char>(0xC0U | code >> 6), rest(0)};
  } else if (code < 0x10000) {
    out += {static_cast<char>(0xE0U | code >> 12), rest(6), rest(0)};
  } else {
    out += {static_cast<char>(0xF0U | code >> 18), rest(12), rest(6), rest(0)};
  }
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode_at(text, at);
    if (next.code == kNoCharacter) return false;
    at += next.bytes;
  }
  return true;
}

std::string with_replacements(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode_at(text, at);
    out += next.code == kNoCharacter ? kReplacement : text.substr(at, next.bytes);
    at += next.bytes;
  }
  return out;
}

}  // namespace asg::io
