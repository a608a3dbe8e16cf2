#include "binary_text.h"

#include <array>

namespace asg {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::size_t kHexLength = 16;
constexpr std::uint8_t kNoLetter = 64;

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  for (std::uint8_t& value : values) value = kNoLetter;
  for (std::size_t value = 0; value < kLetters.size(); ++value) {
    values[static_cast<unsigned char>(kLetters[value])] = static_cast<std::uint8_t>(value);
  }
  return values;
}
constexpr std::array<std::uint8_t, 256> kValues = make_values();

std::size_t padding_of(std::string_view text) {
  if (text.size() < 4 || text.back() != '=') return 0;
  return text[text.size() - 2] == '=' ? 2 : 1;
}

}  // namespace

void append_base64(std::span<const std::byte> bytes, std::string& text) {
  for (std::size_t begin = 0; begin < bytes.size(); begin += 3) {
    const std::size_t count = bytes.size() - begin < 3 ? bytes.size() - begin : 3;
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < count ? static_cast<std::uint32_t>(bytes[begin + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kLetters[bits >> (18 - 6 * k) & 63u] : '=';
    }
  }
}

std::optional<std::size_t> base64_size(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  return text.size() / 4 * 3 - padding_of(text);
}

bool read_base64(std::string_view text, std::span<std::byte> bytes) {
  if (base64_size(text) != bytes.size()) return false;
  std::size_t written = 0;
  std::uint32_t bits = 0;
  std::size_t letters = 0;
  for (const char letter : text.substr(0, text.size() - padding_of(text))) {
    const std::uint8_t value = kValues[static_cast<unsigned char>(letter)];
    if (value == kNoLetter) return false;
    bits = bits << 6 | value;
    if (++letters % 4 == 0) {
      for (int shift = 16; shift >= 0; shift -= 8) bytes[written++] = static_cast<std::byte>(bits >> shift & 255u);
      bits = 0;
    }
  }
  // Two or three letters are left where the text is padded; the bits that stand for no byte must be 0.
  const std::size_t left = letters % 4;
  if (left == 0) return true;
  bits <<= 6 * (4 - left);
  for (std::size_t k = 0; k + 1 < left; ++k) bytes[written++] = static_cast<std::byte>(bits >> (16 - 8 * k) & 255u);
  return (bits & ((1u << (8 * (4 - left))) - 1)) == 0;
}

std::string hex_text(std::uint64_t bits) {
  std::string text;
  for (std::size_t k = 0; k < kHexLength; ++k) text += kHexDigits[bits >> (60 - 4 * k) & 15u];
  return text;
}

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  if (text.size() != kHexLength) return std::nullopt;
  std::uint64_t bits = 0;
  for (const char letter : text) {
    const std::size_t digit = kHexDigits.find(letter);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 4 | digit;
  }
  return bits;
}

}  // namespace asg
