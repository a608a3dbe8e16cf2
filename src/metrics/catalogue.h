#pragma once

#include <memory>
#include <span>

#include "asg/metrics/metric.h"

// The families of metrics; each says what it holds and makes it. `metric.cpp` joins them.
namespace asg::metrics {

struct Entry {
  MetricInfo info;
  // From settings that are complete and checked against `info`.
  std::unique_ptr<Metric> (*make)(const MetricInfo& info, Settings settings) = nullptr;
};

std::vector<Entry> class_entries();       // accuracy, top-k accuracy, precision, recall, F1, confusion matrix
std::vector<Entry> ranking_entries();     // ROC-AUC
std::vector<Entry> regression_entries();  // MSE … max error
std::vector<Entry> value_entries();       // perplexity, mean, standard deviation, minimum, maximum, moving average

template <class Kind>
std::unique_ptr<Metric> make_kind(const MetricInfo& info, Settings settings) {
  return std::make_unique<Kind>(info, std::move(settings));
}

// Settings that several metrics share.
SettingInfo nan_setting();
SettingInfo axis_setting();
SettingInfo ignore_setting();
SettingInfo input_setting();  // probabilities or logits
SettingInfo word_setting(std::string name, std::string words,
                         std::vector<std::string> allowed);  // the first is the default
SettingInfo integer_setting(std::string name, std::string words, std::optional<std::int64_t> fallback, double least);
SettingInfo real_setting(std::string name, std::string words, double fallback, double least, double most);

}  // namespace asg::metrics
