#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace asg::test {

// By how much more processor time work takes on ten times the input: about 10 where it is linear, 100 where it is
// quadratic. The least of three measurements each, so that others on the machine count little.
template <class Work>
double growth(int size, const Work& work) {
  const auto least_time = [&](int of) {
    double least = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < 3; ++turn) {
      const std::clock_t start = std::clock();
      work(of);
      least = std::min(least, static_cast<double>(std::clock() - start));
    }
    return std::max(least, 1.0);
  };
  return least_time(10 * size) / least_time(size);
}

constexpr double kMostGrowth = 40;  // between linear and quadratic, far from both

}  // namespace asg::test
