#pragma once

#include <cstdint>
#include <limits>

namespace asg::metrics {

// Mean, spread and range of numbers that come one by one, by Welford's method: no sum of squares that would cancel.
class RunningStatistics {
 public:
  // A weight counts the value that many times; 0 leaves it out. NaN makes every figure NaN.
  void add(double value, double weight = 1);
  void merge(const RunningStatistics& other);  // as if its values had come after
  void reset() { *this = {}; }

  std::int64_t count() const { return count_; }  // of values, whatever their weights
  double weight() const { return weight_; }
  double mean() const { return mean_; }        // 0 of none
  double variance(double ddof = 0) const;      // of all weights but `ddof`; NaN where none is left
  double deviation(double ddof = 0) const;     // its root
  double squares() const { return squares_; }  // sum of the squared distances from the mean
  double min() const { return min_; }          // +infinity of none
  double max() const { return max_; }          // -infinity of none

 private:
  std::int64_t count_ = 0;
  double weight_ = 0;
  double mean_ = 0;
  double squares_ = 0;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
};

// Exponential moving average without the pull towards its start: the first value counts in full, as in Adam.
class MovingAverage {
 public:
  explicit MovingAverage(double decay = 0.9) : decay_(decay) {}  // from 0, the last value alone, to below 1

  void add(double value);
  void merge(const MovingAverage& other);  // as if its values had come after; of the same decay
  void reset() { sum_ = weight_ = 0, count_ = 0; }

  std::int64_t count() const { return count_; }
  double decay() const { return decay_; }
  double value() const { return sum_ / weight_; }  // NaN of none

 private:
  double decay_;
  double sum_ = 0;
  double weight_ = 0;  // of all values so far: 1 - decay^count
  std::int64_t count_ = 0;
};

}  // namespace asg::metrics
