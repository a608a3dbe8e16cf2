#pragma once

#include <cmath>

namespace asg::metrics {

// A sum that keeps what additions round away (Neumaier), so that a hundred million small errors still count.
class Sum {
 public:
  void add(double value) {
    const double next = sum_ + value;
    lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
    sum_ = next;
  }
  void merge(const Sum& other) {
    add(other.sum_);
    lost_ += other.lost_;
  }
  double value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace asg::metrics
