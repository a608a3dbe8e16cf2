#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace asg::io {

// Stands for bytes that are no character.
inline constexpr char32_t kNoCharacter = 0xFFFFFFFF;
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct Decoded {
  char32_t code = kNoCharacter;
  std::size_t bytes = 1;
};

Decoded decode_long(std::string_view text, std::size_t at);

// The character that begins at `at`, which lies inside the text. Where the bytes are no UTF-8 (cut off, overlong, a
// surrogate, beyond U+10FFFF) as many bytes as could have begun a character count as one, as Unicode advises.
inline Decoded decode_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  return first < 0x80 ? Decoded{first, 1} : decode_long(text, at);
}

void append_utf8(std::string& out, char32_t code);

bool is_utf8(std::string_view text);
// U+FFFD in place of what is no character.
std::string with_replacements(std::string_view text);

}  // namespace asg::io
