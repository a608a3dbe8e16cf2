#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <mutex>
#include <variant>
#include <vector>

#include "asg/train/events.h"

namespace asg::bench {

// Seconds by the clock, and of the thread that trains on its processor.
struct Moment {
  double clock = 0;
  double processor = 0;
};

inline Moment this_moment() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(now).count(),
          static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)};
}

// When the steps ended, as the engine's thread tells, which computes them too.
class Steps {
 public:
  void take(const train::Event& event) {
    if (!std::holds_alternative<train::events::StepDone>(event)) return;
    const std::lock_guard lock(mutex_);
    ends_.push_back(this_moment());
  }
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return ends_.size();
  }
  // From the end of a step to that of the next, from step number `first` until now: the mean.
  Moment mean_since(std::size_t first) const {
    const std::lock_guard lock(mutex_);
    const auto count = static_cast<double>(std::max<std::size_t>(ends_.size() - 1 - first, 1));
    return {(ends_.back().clock - ends_[first].clock) / count,
            (ends_.back().processor - ends_[first].processor) / count};
  }
  double longest_since(std::size_t first) const {
    const std::lock_guard lock(mutex_);
    double result = 0;
    for (std::size_t each = first; each + 1 < ends_.size(); ++each) {
      result = std::max(result, ends_[each + 1].clock - ends_[each].clock);
    }
    return result;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Moment> ends_;
};

}  // namespace asg::bench
