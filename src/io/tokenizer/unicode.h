#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// What Unicode says of characters. It comes from utf8proc, a small library that other systems rely on for just this
// (Debian's knows Unicode 15.0): tables of our own would have to be renewed with every version of Unicode.
namespace asg::io {

using Traits = std::uint16_t;  // any of these together; 0 for bytes that are no character
inline constexpr Traits kLetter = 1U << 0;
inline constexpr Traits kNumber = 1U << 1;
inline constexpr Traits kSpace = 1U << 2;      // the property White_Space
inline constexpr Traits kUpperLike = 1U << 3;  // a letter that is not lower case, or a mark
inline constexpr Traits kLowerLike = 1U << 4;  // a letter that is not upper or title case, or a mark
inline constexpr Traits kPunctuation = 1U << 5;
inline constexpr Traits kMark = 1U << 6;
inline constexpr Traits kNonspacing = 1U << 7;  // a mark that takes no place of its own
inline constexpr Traits kControl = 1U << 8;     // control, format and private use
inline constexpr Traits kWord = 1U << 9;        // what a regular expression calls \w

Traits traits_by_table(char32_t code);

// Those of the first 128 characters, for speed.
extern const std::array<Traits, 128> kAsciiTraits;

inline Traits traits_of(char32_t code) { return code < 0x80 ? kAsciiTraits[code] : traits_by_table(code); }

void append_lower_case(std::string& out, char32_t code);

enum class NormalForm : std::uint8_t { nfc, nfd, nfkc, nfkd };
// Bytes that are no UTF-8 stay as they are.
std::string normal_form(std::string_view text, NormalForm form);

}  // namespace asg::io
