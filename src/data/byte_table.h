#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace asg::data {

// A number for each of the 256 bytes.
class ByteTable {
 public:
  float operator[](std::size_t byte) const { return values_[byte]; }
  void set(std::size_t byte, float value);
  // The numbers of `count` bytes; nothing may overlap.
  void look_up(const std::uint8_t* from, std::size_t count, float* to) const;

 private:
  std::array<float, 256> values_ = {};
  // The first bytes of all numbers, then the second ones and so on: a processor that looks up bytes 64 at a time puts
  // the numbers together from these.
  alignas(64) std::array<std::uint8_t, 1024> by_byte_ = {};
};

}  // namespace asg::data
