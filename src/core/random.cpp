#include "asg/core/random.h"

#include <cmath>
#include <cstddef>

#include "asg/core/error.h"

namespace asg {
namespace {

std::uint32_t low_half(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high_half(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }
std::uint64_t join(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }

// A bijection of 64 bits in which each bit of the input changes about half of the output
// (the finaliser of SplitMix64). The constants are part of the file format: saved models carry stream keys.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15u;   // 2^64 / golden ratio
constexpr std::uint64_t kTextTag = 0x7465787400000000u;  // keeps the text "" apart from the number 0

// The upper 64 bits of a 128-bit product, without a 128-bit type, which 32-bit targets lack.
std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a_low = low_half(a), a_high = high_half(a);
  const std::uint64_t b_low = low_half(b), b_high = high_half(b);
  const std::uint64_t middle = a_high * b_low + high_half(a_low * b_low);
  const std::uint64_t other = a_low * b_high + low_half(middle);
  return a_high * b_high + high_half(middle) + high_half(other);
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53u} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57u} * counter[2];
    counter = {high_half(second) ^ counter[1] ^ key[0], low_half(second), high_half(first) ^ counter[3] ^ key[1],
               low_half(first)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

// For a fixed stream a bijection of the part, and for a fixed part one of the stream; not symmetric.
StreamKey combine(StreamKey stream, std::uint64_t part) { return mix((mix(stream + kGolden) ^ part) + kGolden); }

StreamKey combine(StreamKey stream, std::string_view part) {
  stream = combine(stream, kTextTag ^ std::uint64_t{part.size()});
  for (std::size_t first = 0; first < part.size(); first += 8) {
    std::uint64_t word = 0;  // little-endian on every machine
    for (std::size_t k = first; k < part.size() && k < first + 8; ++k) {
      word |= std::uint64_t{static_cast<unsigned char>(part[k])} << (8 * (k - first));
    }
    stream = combine(stream, word);
  }
  return stream;
}

RandomStream::RandomStream(std::uint64_t seed, StreamKey stream, std::uint64_t step)
    : key_(combine(seed, stream)), step_(step) {}

std::array<std::uint32_t, 4> RandomStream::block(std::uint64_t position) const {
  return philox({low_half(position), high_half(position), low_half(step_), high_half(step_)},
                {low_half(key_), high_half(key_)});
}

std::uint32_t RandomStream::bits(std::uint64_t position) const { return block(position)[0]; }

double RandomStream::uniform(std::uint64_t position) const {
  const auto words = block(position);
  return static_cast<double>(join(words[0], words[1]) >> 11) * 0x1p-53;
}

double RandomStream::normal(std::uint64_t position) const {
  constexpr double kTau = 6.283185307179586476925286766559;
  const auto words = block(position);
  // The radius takes a number of (0, 1], of which the logarithm is finite.
  const double radius_part = static_cast<double>((join(words[0], words[1]) >> 11) + 1) * 0x1p-53;
  const double angle_part = static_cast<double>(join(words[2], words[3]) >> 11) * 0x1p-53;
  return std::sqrt(-2.0 * std::log(radius_part)) * std::cos(kTau * angle_part);
}

std::uint64_t RandomStream::below(std::uint64_t position, std::uint64_t limit) const {
  if (limit == 0) fail(ErrorCode::bad_index, "a random integer below 0", "a limit of at least 1");
  const auto words = block(position);
  return multiply_high(join(words[0], words[1]), limit);
}

}  // namespace asg
