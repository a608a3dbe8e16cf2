#pragma once

#include "asg/metrics/metric.h"
#include "metrics/catalogue.h"

namespace asg::metrics {

// What examples are and what they were taken for.
struct ClassPairs {
  std::vector<std::int64_t> actual;
  std::vector<std::int64_t> predicted;
  std::int64_t classes = 0;  // that there can be; 0: as many as are seen
};

// Metrics that ask which class was chosen: the first of the largest scores; with one score an example, class 1 where it
// lies above the threshold (0.5 of probabilities, 0 of logits); or the class itself, where predictions are integers.
class ClassMetric : public Metric {
 public:
  using Metric::Metric;

 protected:
  virtual void count_pairs(const ClassPairs& pairs) = 0;  // must not fail
  // How many classes can be told apart where nothing else says it.
  virtual std::int64_t most_classes() const { return std::int64_t{1} << 24; }

 private:
  void add_pair(const Array& predictions, const Array& targets) final;
  std::int64_t classes_for(const Array& predictions, std::int64_t width) const;
};

std::vector<SettingInfo> class_settings();  // of every ClassMetric

}  // namespace asg::metrics
