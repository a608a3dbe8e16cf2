#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace asg::test {

// Random choices by a seed, the same with every standard library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(bits_() % limit); }
  std::int64_t from_to(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low + 1)));
  }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }
  template <class T>
  T pick(std::initializer_list<T> from) {
    return from.begin()[below(from.size())];
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace asg::test
