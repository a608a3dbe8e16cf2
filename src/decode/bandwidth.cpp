#include "asg/decode/bandwidth.h"

#include <algorithm>
#include <chrono>
#include <functional>

#include "asg/core/platform.h"

namespace asg::decode {
namespace {

constexpr std::int64_t kPart = std::int64_t{1} << 18;

// In many chains at once, so that reading is all that takes time.
float sum_of_floats(const float* from, std::int64_t count) {
  constexpr std::int64_t kChains = 128;
  float sums[kChains] = {};
  for (std::int64_t at = 0; at + kChains <= count; at += kChains) {
    for (std::int64_t k = 0; k < kChains; ++k) sums[k] += from[at + k];
  }
  float sum = 0;
  for (const float each : sums) sum += each;
  return sum;
}

}  // namespace

ReadBandwidth::ReadBandwidth(std::int64_t bytes)
    : one_(1),
      all_(platform::hardware_threads()),
      numbers_(static_cast<std::size_t>(bytes) / sizeof(float), 1.0F),
      sums_(numbers_.size() / static_cast<std::size_t>(kPart) + 1) {}

double ReadBandwidth::seconds_on(ThreadPool& pool) {
  const auto begin = std::chrono::steady_clock::now();
  const auto read = [&](std::int64_t first, std::int64_t last) {
    sums_[static_cast<std::size_t>(first / kPart)] = sum_of_floats(numbers_.data() + first, last - first);
  };
  pool.for_ranges(static_cast<std::int64_t>(numbers_.size()), kPart, std::ref(read));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double ReadBandwidth::seconds() { return std::min(seconds_on(one_), seconds_on(all_)); }

}  // namespace asg::decode
