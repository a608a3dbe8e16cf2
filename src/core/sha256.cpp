#include "asg/core/sha256.h"

#include <algorithm>
#include <bit>

namespace asg {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t big_endian(const unsigned char* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

}  // namespace

void Sha256::add_block(const unsigned char* block) {
  std::array<std::uint32_t, 64> words;
  for (std::size_t k = 0; k < 16; ++k) words[k] = big_endian(block + 4 * k);
  for (std::size_t k = 16; k < 64; ++k) {
    const std::uint32_t early = words[k - 15], late = words[k - 2];
    words[k] = words[k - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ (early >> 3)) + words[k - 7] +
               (std::rotr(late, 17) ^ std::rotr(late, 19) ^ (late >> 10));
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t k = 0; k < 64; ++k) {
    const std::uint32_t first =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRounds[k] + words[k];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array<std::uint32_t, 8> sums = {a, b, c, d, e, f, g, h};
  for (std::size_t k = 0; k < sums.size(); ++k) state_[k] += sums[k];
}

void Sha256::add(std::string_view bytes) {
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  std::size_t held = static_cast<std::size_t>(bytes_ % rest_.size());
  bytes_ += left;
  while (left > 0) {
    if (held == 0 && left >= rest_.size()) {
      add_block(at);
      at += rest_.size();
      left -= rest_.size();
      continue;
    }
    const std::size_t taken = std::min(left, rest_.size() - held);
    std::copy_n(at, taken, rest_.begin() + static_cast<std::ptrdiff_t>(held));
    at += taken;
    left -= taken;
    held += taken;
    if (held < rest_.size()) return;
    add_block(rest_.data());
    held = 0;
  }
}

std::string Sha256::hex() const {
  constexpr std::size_t kLengthBytes = 8;
  Sha256 padded = *this;
  std::string padding(1, '\x80');
  while ((bytes_ + padding.size()) % rest_.size() != rest_.size() - kLengthBytes) padding += '\0';
  const std::uint64_t bits = bytes_ * 8;
  for (std::size_t k = kLengthBytes; k-- > 0;) padding += static_cast<char>(bits >> (8 * k) & 0xff);
  padded.add(padding);
  std::string text;
  for (const std::uint32_t word : padded.state_) {
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

}  // namespace asg
