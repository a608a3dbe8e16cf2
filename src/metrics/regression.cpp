// Distances between predicted and true numbers. One accumulator serves all of them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "asg/core/error.h"
#include "asg/metrics/running.h"
#include "metrics/catalogue.h"
#include "metrics/rows.h"
#include "metrics/sum.h"

namespace asg::metrics {
namespace {

// Of one output.
struct Errors {
  std::int64_t count = 0;
  Sum squares;
  Sum absolutes;
  Sum shares;  // |error| / |target|
  double largest = 0;
  RunningStatistics targets;
  RunningStatistics errors;

  void add(double predicted, double target) {
    const double error = target - predicted;
    ++count;
    squares.add(error * error);
    absolutes.add(std::abs(error));
    shares.add(std::abs(error) / std::max(std::abs(target), std::numeric_limits<double>::epsilon()));
    largest = std::max(largest, std::abs(error));
    targets.add(target);
    errors.add(error);
  }
  void merge(const Errors& other) {
    count += other.count;
    squares.merge(other.squares);
    absolutes.merge(other.absolutes);
    shares.merge(other.shares);
    largest = std::max(largest, other.largest);
    targets.merge(other.targets);
    errors.merge(other.errors);
  }
  double mean(const Sum& sum) const { return sum.value() / static_cast<double>(count); }
};

// Of targets that are all equal no share can be explained: 1 for a perfect prediction, else 0, as in scikit-learn.
double explained(double unexplained, double all) {
  if (all == 0) return unexplained == 0 ? 1 : 0;
  return 1 - unexplained / all;
}

double mse(const Errors& of) { return of.mean(of.squares); }
double rmse(const Errors& of) { return std::sqrt(of.mean(of.squares)); }
double mae(const Errors& of) { return of.mean(of.absolutes); }
double mape(const Errors& of) { return of.mean(of.shares); }
double max_error(const Errors& of) { return of.largest; }
double r2(const Errors& of) { return explained(of.squares.value(), of.targets.squares()); }
double explained_variance(const Errors& of) { return explained(of.errors.squares(), of.targets.squares()); }

using FigureOf = double (*)(const Errors& errors);

template <FigureOf figure_of, int least_examples>
class Regression : public Metric {
 public:
  using Metric::Metric;

 private:
  void add_pair(const Array& predictions, const Array& targets) override {
    if (predictions.sizes() != targets.sizes()) {
      fail(ErrorCode::bad_shape, "predictions " + predictions.type_string() + " for targets " + targets.type_string(),
           "the same sizes", "reshape one of them; nothing is broadcast here, since that would compare each with each");
    }
    const bool flat = word("outputs") == "flat" || predictions.rank() < 2;
    const std::int64_t examples = predictions.rank() == 0 ? 1
                                  : flat                  ? predictions.count()
                                                          : predictions.sizes().front();
    if (examples == 0) return;
    const std::int64_t width = predictions.count() / examples;
    if (!outputs_.empty() && width != static_cast<std::int64_t>(outputs_.size())) {
      fail(ErrorCode::bad_shape, std::to_string(width) + " outputs an example",
           std::to_string(outputs_.size()) + ", as in the batches before");
    }
    if (width == 0) return;
    const std::vector<double> predicted = reals_of(predictions);
    const std::vector<double> actual = reals_of(targets);
    NanFound nan;
    std::vector<std::size_t> taken;  // first elements of the examples that take part
    for (std::int64_t example = 0; example < examples; ++example) {
      const auto first = static_cast<std::size_t>(example * width);
      const auto size = static_cast<std::size_t>(width);
      const bool bad =
          has_nan(std::span(predicted).subspan(first, size)) || has_nan(std::span(actual).subspan(first, size));
      if (takes_part(bad, example, nan)) taken.push_back(first);
    }
    outputs_.resize(static_cast<std::size_t>(width));
    for (const std::size_t first : taken) {
      for (std::size_t k = 0; k < outputs_.size(); ++k) outputs_[k].add(predicted[first + k], actual[first + k]);
    }
    note(nan);
  }

  double figure() const override {
    if (counted() < least_examples) {
      fail(ErrorCode::missing_value, "the metric '" + info().name + "' of " + std::to_string(counted()) + " example",
           "at least " + std::to_string(least_examples), "one target alone has no variance");
    }
    double sum = 0;
    for (const Errors& output : outputs_) sum += figure_of(output);
    if (info().name != "max_error") return sum / static_cast<double>(outputs_.size());
    double largest = 0;
    for (const Errors& output : outputs_) largest = std::max(largest, output.largest);
    return largest;
  }

  std::vector<Figure> more_figures() const override {
    std::vector<Figure> result;
    for (std::size_t k = 0; outputs_.size() > 1 && k < outputs_.size(); ++k) {
      result.push_back({info().name + "/output_" + std::to_string(k), figure_of(outputs_[k])});
    }
    return result;
  }

  std::int64_t counted() const override { return outputs_.empty() ? 0 : outputs_.front().count; }
  void merge_same(const Metric& other) override {
    const auto& same = static_cast<const Regression&>(other);
    if (same.outputs_.empty()) return;
    if (!outputs_.empty() && outputs_.size() != same.outputs_.size()) {
      fail(ErrorCode::bad_shape, std::to_string(same.outputs_.size()) + " outputs to merge",
           std::to_string(outputs_.size()) + " outputs");
    }
    outputs_.resize(same.outputs_.size());
    for (std::size_t k = 0; k < outputs_.size(); ++k) outputs_[k].merge(same.outputs_[k]);
  }
  void clear() override { outputs_.clear(); }

  std::vector<Errors> outputs_;
};

template <FigureOf figure_of, int least_examples = 1>
Entry entry(std::string name, std::string words, Better better = Better::lower) {
  return {{std::move(name),
           std::move(words),
           better,
           {word_setting("outputs", "of examples with several numbers: the mean over their positions, or all as one",
                         {"uniform", "flat"}),
            nan_setting()}},
          make_kind<Regression<figure_of, least_examples>>};
}

}  // namespace

std::vector<Entry> regression_entries() {
  return {
      entry<mse>("mse", "mean of the squared errors"),
      entry<rmse>("rmse", "root of the mean of the squared errors"),
      entry<mae>("mae", "mean of the absolute errors"),
      entry<r2, 2>("r2", "share of the variance of the targets that is not left in the errors", Better::higher),
      entry<mape>("mape", "mean of the absolute errors as shares of the targets; 1 is 100 %"),
      entry<explained_variance, 2>("explained_variance", "as r2, but a constant error costs nothing", Better::higher),
      entry<max_error>("max_error", "largest absolute error")};
}

}  // namespace asg::metrics
