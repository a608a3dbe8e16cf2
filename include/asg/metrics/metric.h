#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "asg/core/array.h"

// Figures that say how good a model is, gathered batch by batch from host arrays. docs/metrics.md describes each.
namespace asg::metrics {

class ConfusionMatrix;

using Setting = std::variant<bool, std::int64_t, double, std::string>;
using Settings = std::map<std::string, Setting, std::less<>>;

struct SettingInfo {
  std::string name;
  std::string words;
  std::string kind;                   // "integer", "real", "truth" or "word"
  std::optional<Setting> fallback;    // where it is not given; none: it is then not set
  std::vector<std::string> allowed;   // of a word
  std::optional<double> least, most;  // of a number
};

enum class Better : std::uint8_t { higher, lower, neither };

struct MetricInfo {
  std::string name;   // "f1"
  std::string words;  // what it says
  Better better = Better::neither;
  std::vector<SettingInfo> settings;
};

struct Figure {
  std::string name;  // "f1", "f1/class_3"
  double value = 0;
};

// What it computes is a pure function of the batches in their order. A batch that is refused changes nothing.
//
// NaN among predictions, targets or values: by the setting `nan`, "propagate" makes every figure NaN until `reset`,
// "skip" leaves the example out and counts it in `skipped`, "refuse" throws computation_error.
class Metric {
 public:
  // Settings that are complete, as `make_metric` makes them.
  Metric(const MetricInfo& info, Settings settings) : info_(info), settings_(std::move(settings)) {}
  virtual ~Metric() = default;
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;

  const MetricInfo& info() const { return info_; }
  const Settings& settings() const { return settings_; }  // all of them, defaults included

  // Predictions and what they should be (of mean, std, min and max: values and their weights). Throws bad_shape,
  // bad_index for a class that does not exist, type_mismatch, computation_error, limit_exceeded; wrong_input_count
  // where the metric takes values alone.
  void add(const Array& predictions, const Array& targets) { add_pair(predictions, targets); }
  // Values alone. Throws wrong_input_count where the metric compares two things.
  void add(const Array& values) { add_values(values); }

  // The figure that the metric is named for. Throws missing_value where the examples so far do not define it.
  double value() const;
  // That one first, then others that go with it, such as one for each class.
  std::vector<Figure> values() const;
  std::int64_t count() const { return counted(); }   // examples in the figures
  std::int64_t skipped() const { return skipped_; }  // examples left out for their NaN
  virtual const ConfusionMatrix* confusion() const { return nullptr; }

  // As if the other's batches had been added after one's own, but for the rounding of sums. Throws type_mismatch where
  // name or settings differ.
  void merge(const Metric& other);
  void reset();

 protected:
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& word(std::string_view name) const;
  std::optional<std::int64_t> optional_integer(std::string_view name) const;
  std::optional<double> optional_real(std::string_view name) const;

  // Whether an example with (or without) NaN takes part; notes what follows from it in `found`.
  struct NanFound {
    bool poison = false;
    std::int64_t skipped = 0;
  };
  bool takes_part(bool has_nan, std::int64_t example, NanFound& found) const;
  void note(const NanFound& found);

  [[noreturn]] void refuse_values() const;  // since two things are compared

  virtual void add_pair(const Array& predictions, const Array& targets);
  virtual void add_values(const Array& values);
  virtual double figure() const = 0;
  virtual std::vector<Figure> more_figures() const { return {}; }
  virtual std::int64_t counted() const = 0;
  virtual void merge_same(const Metric& other) = 0;  // of the same class and settings
  virtual void clear() = 0;

 private:
  const MetricInfo& info_;
  Settings settings_;
  bool poisoned_ = false;
  std::int64_t skipped_ = 0;
};

// Every metric by name, in the order of the docs.
std::span<const MetricInfo> all_metrics();
// Throws unknown_attribute for a name or setting that does not exist, bad_attribute for a value that does not fit.
std::unique_ptr<Metric> make_metric(std::string_view name, const Settings& settings = {});
// From a description: "f1", or {"name": "f1", "average": "macro"}. Throws bad_json, and as make_metric. `otherwise` are
// settings of which the description says nothing; what the metric does not have of them is passed over.
std::unique_ptr<Metric> metric_from_json(std::string_view json, const Settings& otherwise = {});

}  // namespace asg::metrics
