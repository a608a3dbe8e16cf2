#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "asg/core/thread_pool.h"

namespace asg::decode {

// How fast this machine reads memory, which is what limits the writing of a text: every token reads all weights once.
class ReadBandwidth {
 public:
  explicit ReadBandwidth(std::int64_t bytes);

  // Seconds to read that many bytes once, by summing floats, on one thread or on all: the better of the two.
  double seconds();

 private:
  double seconds_on(ThreadPool& pool);

  ThreadPool one_;
  ThreadPool all_;
  std::vector<float> numbers_;
  std::vector<float> sums_;  // of the parts, so that nothing is left out as useless
};

}  // namespace asg::decode
