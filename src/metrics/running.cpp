#include "asg/metrics/running.h"

#include <algorithm>
#include <cmath>

namespace asg::metrics {

void RunningStatistics::add(double value, double weight) {
  if (weight == 0) return;
  ++count_;
  weight_ += weight;
  const double distance = value - mean_;
  mean_ += distance * (weight / weight_);
  squares_ += weight * distance * (value - mean_);
  if (std::isnan(value)) {  // std::min and max would drop it
    min_ = max_ = value;
  } else if (!std::isnan(min_)) {
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }
}

void RunningStatistics::merge(const RunningStatistics& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  const double weight = weight_ + other.weight_;
  const double distance = other.mean_ - mean_;
  mean_ += distance * (other.weight_ / weight);
  squares_ += other.squares_ + distance * distance * (weight_ * (other.weight_ / weight));
  weight_ = weight;
  count_ += other.count_;
  const bool nan = std::isnan(min_) || std::isnan(other.min_);
  min_ = nan ? std::nan("") : std::min(min_, other.min_);
  max_ = nan ? std::nan("") : std::max(max_, other.max_);
}

double RunningStatistics::variance(double ddof) const {
  const double free = weight_ - ddof;
  return free > 0 ? squares_ / free : std::nan("");
}

double RunningStatistics::deviation(double ddof) const { return std::sqrt(variance(ddof)); }

void MovingAverage::add(double value) {
  sum_ = decay_ * sum_ + (1 - decay_) * value;
  weight_ = decay_ * weight_ + (1 - decay_);
  ++count_;
}

void MovingAverage::merge(const MovingAverage& other) {
  const double faded = std::pow(decay_, static_cast<double>(other.count_));
  sum_ = faded * sum_ + other.sum_;
  weight_ = faded * weight_ + other.weight_;
  count_ += other.count_;
}

}  // namespace asg::metrics
