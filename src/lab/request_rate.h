#pragma once

#include <chrono>

namespace asg::lab {

// Lets `burst` things through at once and `per_second` of them in the long run.
class RequestRate {
 public:
  using Time = std::chrono::steady_clock::time_point;
  RequestRate(double per_second, double burst, Time now);

  bool take(Time now);  // false: too many

 private:
  double per_second_;
  double burst_;
  double left_;
  Time last_;
};

}  // namespace asg::lab
