#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace asg {

// Philox 4x32-10, a counter-based generator: a pure function of (key, counter). So a random value
// depends only on what it is for (seed, stream, step, position), never on what was drawn before it.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// Identifies where random numbers are used. Streams are combined from names and ids by a fixed hash.
using StreamKey = std::uint64_t;
StreamKey combine(StreamKey stream, std::uint64_t part);
StreamKey combine(StreamKey stream, std::string_view part);

// The random numbers of one (seed, stream, step): element `position` can be asked for in any order. Each position has
// one block of Philox: its key is combine(seed, stream), its counter (position, step), low words first. Kernels of any
// device that draw for themselves follow this, so that they draw the same numbers.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, StreamKey stream, std::uint64_t step = 0);

  std::uint32_t bits(std::uint64_t position) const;  // word 0
  double uniform(std::uint64_t position) const;      // [0, 1): the upper 53 bits of words 0 (high) and 1
  double normal(std::uint64_t position) const;       // mean 0, deviation 1: Box-Muller of words 0, 1 and 2, 3
  // [0, limit): the upper half of a 128-bit product with words 0, 1. Biased by less than limit / 2^64.
  std::uint64_t below(std::uint64_t position, std::uint64_t limit) const;

 private:
  std::array<std::uint32_t, 4> block(std::uint64_t position) const;

  std::uint64_t key_;
  std::uint64_t step_;
};

}  // namespace asg
