#include "lab/request_rate.h"

#include <algorithm>

namespace asg::lab {

RequestRate::RequestRate(double per_second, double burst, Time now)
    : per_second_(per_second), burst_(burst), left_(burst), last_(now) {}

bool RequestRate::take(Time now) {
  left_ = std::min(burst_, left_ + per_second_ * std::chrono::duration<double>(now - last_).count());
  last_ = now;
  if (left_ < 1) return false;
  left_ -= 1;
  return true;
}

}  // namespace asg::lab
