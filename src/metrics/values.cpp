// Metrics of values as they come: perplexity, running statistics, moving average.
#include <algorithm>
#include <cmath>

#include "asg/core/error.h"
#include "asg/metrics/running.h"
#include "metrics/catalogue.h"
#include "metrics/rows.h"

namespace asg::metrics {
namespace {

// Of all values that `add` was given, weighted where weights came with them.
class Statistics : public Metric {
 public:
  using Metric::Metric;

 protected:
  void add_values(const Array& values) override { take(reals_of(values), {}); }
  void add_pair(const Array& values, const Array& weights) override {
    if (values.sizes() != weights.sizes()) {
      fail(ErrorCode::bad_shape, "weights " + weights.type_string() + " for values " + values.type_string(),
           "a weight for each value", "leave the weights out to count every value once");
    }
    take(reals_of(values), reals_of(weights));
  }
  const RunningStatistics& all() const { return all_; }

 private:
  void take(const std::vector<double>& values, const std::vector<double>& weights) {
    NanFound nan;
    RunningStatistics added = all_;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double weight = weights.empty() ? 1 : weights[k];
      if (!takes_part(std::isnan(values[k]) || std::isnan(weight), static_cast<std::int64_t>(k), nan)) continue;
      if (weight < 0 || std::isinf(weight)) {
        fail(ErrorCode::computation_error,
             "the weight " + Array::scalar(DType::f64, weight).to_string() + " of value " + std::to_string(k),
             "a finite weight of at least 0");
      }
      added.add(values[k], weight);
    }
    all_ = added;
    note(nan);
  }

  std::int64_t counted() const override { return all_.count(); }
  void merge_same(const Metric& other) override { all_.merge(static_cast<const Statistics&>(other).all_); }
  void clear() override { all_.reset(); }

  RunningStatistics all_;
};

class Mean : public Statistics {
 public:
  using Statistics::Statistics;

 private:
  double figure() const override { return all().mean(); }
};

class Minimum : public Statistics {
 public:
  using Statistics::Statistics;

 private:
  double figure() const override { return all().min(); }
};

class Maximum : public Statistics {
 public:
  using Statistics::Statistics;

 private:
  double figure() const override { return all().max(); }
};

class Deviation : public Statistics {
 public:
  using Statistics::Statistics;

 private:
  double figure() const override {
    const double ddof = real("ddof");
    if (all().weight() <= ddof) {
      fail(ErrorCode::missing_value,
           "the standard deviation of " + std::to_string(all().count()) + " values with ddof " +
               Array::scalar(DType::f64, ddof).to_string(),
           "more values than that");
    }
    return all().deviation(ddof);
  }
};

class Ema : public Metric {
 public:
  Ema(const MetricInfo& info, Settings settings) : Metric(info, std::move(settings)), average_(real("decay")) {}

 private:
  void add_values(const Array& values) override {
    NanFound nan;
    MovingAverage average = average_;
    std::int64_t position = 0;
    for (const double value : reals_of(values)) {
      if (takes_part(std::isnan(value), position++, nan)) average.add(value);
    }
    average_ = average;
    note(nan);
  }
  double figure() const override { return average_.value(); }
  std::int64_t counted() const override { return average_.count(); }
  void merge_same(const Metric& other) override { average_.merge(static_cast<const Ema&>(other).average_); }
  void clear() override { average_.reset(); }

  MovingAverage average_;
};

// -log of the softmax of the scores at the target.
double surprise_of_logits(std::span<const double> row, std::size_t target) {
  const double largest = *std::max_element(row.begin(), row.end());
  if (largest == -std::numeric_limits<double>::infinity()) return std::nan("");  // a softmax of nothing
  if (std::isinf(largest)) return largest == row[target] ? 0 : std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const double score : row) sum += std::exp(score - largest);
  return largest + std::log(sum) - row[target];
}

// The exponential of the mean surprise, from scores or from losses that are that mean already.
class Perplexity : public Statistics {
 public:
  using Statistics::Statistics;

 private:
  void add_values(const Array& values) override {
    if (word("input") != "losses") refuse_values();
    Statistics::add_values(values);
  }

  void add_pair(const Array& scores, const Array& targets) override {
    if (word("input") == "losses") return Statistics::add_pair(scores, targets);
    const Scores found = scores_of(scores, targets, integer("axis"));
    if (found.width == 0) {
      fail(ErrorCode::bad_shape, "scores " + scores.type_string() + " for targets " + targets.type_string(),
           "a score for each class", "set `input` to \"losses\" to give losses and their weights");
    }
    const auto ignored = optional_integer("ignore_index");
    const bool logits = word("input") == "logits";
    const std::vector<double> actual = reals_of(targets);
    Rows rows(found.array, found.width);
    std::vector<double> surprises;
    for (std::int64_t example = 0; example < rows.count(); ++example) {
      const double target = actual[static_cast<std::size_t>(example)];
      if (ignored && target == static_cast<double>(*ignored)) continue;
      const auto row = rows.row(example);
      if (has_nan(row) || std::isnan(target)) {
        surprises.push_back(std::nan(""));
        continue;
      }
      const auto label = static_cast<std::size_t>(class_of(target, found.width, example, "the class"));
      surprises.push_back(logits ? surprise_of_logits(row, label) : -std::log(row[label]));
    }
    Statistics::add_values(Array::of<double>({static_cast<std::int64_t>(surprises.size())}, surprises));
  }

  double figure() const override { return std::exp(all().mean()); }
};

template <class Kind>
Entry entry(std::string name, std::string words, Better better, std::vector<SettingInfo> own = {}) {
  own.push_back(nan_setting());
  return {{std::move(name), std::move(words), better, std::move(own)}, make_kind<Kind>};
}

}  // namespace

std::vector<Entry> value_entries() {
  constexpr double kAlmostOne = 1 - 1e-12;
  return {
      entry<Perplexity>(
          "perplexity", "exponential of the mean loss: of how many classes the model is in doubt", Better::lower,
          {word_setting("input", "what is given: scores before or after softmax, or losses (with weights)",
                        {"logits", "probabilities", "losses"}),
           axis_setting(), ignore_setting()}),
      entry<Mean>("mean", "mean of all values, weighted where weights are given", Better::neither),
      entry<Deviation>("std", "standard deviation of all values", Better::neither,
                       {real_setting("ddof", "what is taken from the number of values: 1 for a sample", 0, 0, 1e300)}),
      entry<Minimum>("min", "smallest value", Better::neither),
      entry<Maximum>("max", "largest value", Better::neither),
      entry<Ema>(
          "ema", "exponential moving average, the last values counting most", Better::neither,
          {real_setting("decay", "what is left of a value's weight when the next one comes", 0.9, 0, kAlmostOne)}),
  };
}

}  // namespace asg::metrics
