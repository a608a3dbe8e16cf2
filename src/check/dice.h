#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/random.h"

namespace asg {

// Random choices one after the other, for code that makes many of them: a function of (seed, stream) alone.
class Dice {
 public:
  Dice(std::uint64_t seed, StreamKey stream) : random_(seed, stream) {}

  std::uint64_t below(std::uint64_t limit) { return random_.below(next_++, limit); }
  int pick(int limit) { return static_cast<int>(below(static_cast<std::uint64_t>(limit))); }
  std::int64_t from_to(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(last - first + 1)));
  }
  bool one_in(int chances) { return pick(chances) == 0; }
  double between(double low, double high) { return low + (high - low) * random_.uniform(next_++); }
  template <class T>
  const T& any_of(const std::vector<T>& list) {
    return list[below(static_cast<std::uint64_t>(list.size()))];
  }

  Array numbers(const Sizes& sizes, double low, double high) {
    Array array(DType::f64, sizes);
    for (double& element : array.mutable_data<double>()) element = between(low, high);
    return array;
  }

 private:
  RandomStream random_;
  std::uint64_t next_ = 0;
};

}  // namespace asg
