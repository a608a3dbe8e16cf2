#include "checksum.h"

#include <array>
#include <bit>
#include <cstring>

namespace asg::train {
namespace {

constexpr std::uint32_t kPolynomial = 0xEDB88320u;  // of CRC-32, lowest power first
constexpr std::size_t kWay = 8;                     // bytes at a time

using Tables = std::array<std::array<std::uint32_t, 256>, kWay>;

// tables[k][b]: what the byte b becomes when k zero bytes follow it.
constexpr Tables make_tables() {
  Tables tables = {};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 1u) != 0 ? rest >> 1 ^ kPolynomial : rest >> 1;
    tables[0][byte] = rest;
  }
  for (std::size_t zeros = 1; zeros < kWay; ++zeros) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[zeros - 1][byte];
      tables[zeros][byte] = before >> 8 ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

// The first bytes, the lowest first.
std::uint64_t first_word(std::string_view bytes) {
  std::uint64_t word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, bytes.data(), kWay);
  } else {
    for (std::size_t k = kWay; k-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[k]);
  }
  return word;
}

}  // namespace

void Checksum::add(std::string_view piece) {
  std::uint32_t rest = rest_;
  for (; piece.size() >= kWay; piece.remove_prefix(kWay)) {
    const std::uint64_t word = first_word(piece) ^ rest;
    rest = 0;
    for (std::size_t k = 0; k < kWay; ++k) rest ^= kTables[kWay - 1 - k][word >> (8 * k) & 0xFF];
  }
  for (const char byte : piece) rest = rest >> 8 ^ kTables[0][(rest ^ static_cast<unsigned char>(byte)) & 0xFF];
  rest_ = rest;
}

std::string Checksum::hex() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[(~rest_ >> shift) & 0xF];
  return text;
}

}  // namespace asg::train
