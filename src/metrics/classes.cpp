// Accuracy, top-k accuracy, precision, recall, F1, the confusion matrix as a metric.
#include <algorithm>
#include <cmath>

#include "asg/core/error.h"
#include "asg/metrics/confusion.h"
#include "metrics/class_metric.h"
#include "metrics/rows.h"

namespace asg::metrics {
namespace {

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

class Accuracy : public ClassMetric {
 public:
  using ClassMetric::ClassMetric;

 private:
  void count_pairs(const ClassPairs& pairs) override {
    total_ += static_cast<std::int64_t>(pairs.actual.size());
    for (std::size_t k = 0; k < pairs.actual.size(); ++k) hits_ += pairs.actual[k] == pairs.predicted[k] ? 1 : 0;
  }
  double figure() const override { return share(hits_, total_); }
  std::int64_t counted() const override { return total_; }
  void merge_same(const Metric& other) override {
    const auto& same = static_cast<const Accuracy&>(other);
    hits_ += same.hits_;
    total_ += same.total_;
  }
  void clear() override { hits_ = total_ = 0; }

  std::int64_t hits_ = 0;
  std::int64_t total_ = 0;
};

class TopKAccuracy : public Metric {
 public:
  using Metric::Metric;

 private:
  void add_pair(const Array& predictions, const Array& targets) override {
    const Scores scores = scores_of(predictions, targets, integer("axis"));
    if (scores.width < 2) {
      fail(ErrorCode::bad_shape, "predictions " + predictions.type_string() + " for targets " + targets.type_string(),
           "a score for each class", "top-k accuracy cannot be told from the chosen classes alone");
    }
    const auto ignored = optional_integer("ignore_index");
    const std::vector<double> actual = reals_of(targets);
    Rows rows(scores.array, scores.width);
    NanFound nan;
    std::int64_t hits = 0;
    std::int64_t total = 0;
    for (std::int64_t example = 0; example < rows.count(); ++example) {
      const double target = actual[static_cast<std::size_t>(example)];
      if (ignored && target == static_cast<double>(*ignored)) continue;
      const auto row = rows.row(example);
      if (!takes_part(has_nan(row) || std::isnan(target), example, nan)) continue;
      hits += rank_of(row, class_of(target, scores.width, example, "the class")) < integer("k") ? 1 : 0;
      ++total;
    }
    hits_ += hits;
    total_ += total;
    note(nan);
  }

  // How many classes come before: larger scores, and equal ones that stand earlier, as in accuracy.
  static std::int64_t rank_of(std::span<const double> row, std::int64_t target) {
    const double score = row[static_cast<std::size_t>(target)];
    const auto here = row.begin() + target;
    return std::count_if(row.begin(), here, [&](double each) { return each >= score; }) +
           std::count_if(here, row.end(), [&](double each) { return each > score; });
  }

  double figure() const override { return share(hits_, total_); }
  std::int64_t counted() const override { return total_; }
  void merge_same(const Metric& other) override {
    const auto& same = static_cast<const TopKAccuracy&>(other);
    hits_ += same.hits_;
    total_ += same.total_;
  }
  void clear() override { hits_ = total_ = 0; }

  std::int64_t hits_ = 0;
  std::int64_t total_ = 0;
};

// Of one class, or of several together.
struct Counts {
  std::int64_t hits = 0;       // examples of the class that were taken for it
  std::int64_t predicted = 0;  // examples taken for it
  std::int64_t actual = 0;     // examples of it

  Counts& operator+=(const Counts& other) {
    hits += other.hits;
    predicted += other.predicted;
    actual += other.actual;
    return *this;
  }
};

// 0 where nothing could be divided by, as in scikit-learn.
double precision_of(const Counts& counts) { return share(counts.hits, counts.predicted); }
double recall_of(const Counts& counts) { return share(counts.hits, counts.actual); }
double f1_of(const Counts& counts) { return share(2 * counts.hits, counts.predicted + counts.actual); }

using ScoreOf = double (*)(const Counts& counts);

template <ScoreOf score>
class ClassScore : public ClassMetric {
 public:
  using ClassMetric::ClassMetric;

 private:
  void count_pairs(const ClassPairs& pairs) override {
    told_ = std::max(told_, pairs.classes);
    std::int64_t classes = pairs.classes;
    for (const auto* side : {&pairs.actual, &pairs.predicted}) {
      for (const std::int64_t each : *side) classes = std::max(classes, each + 1);
    }
    if (classes > static_cast<std::int64_t>(counts_.size())) counts_.resize(static_cast<std::size_t>(classes));
    for (std::size_t k = 0; k < pairs.actual.size(); ++k) {
      const auto actual = static_cast<std::size_t>(pairs.actual[k]);
      const auto predicted = static_cast<std::size_t>(pairs.predicted[k]);
      ++counts_[actual].actual;
      ++counts_[predicted].predicted;
      if (actual == predicted) ++counts_[actual].hits;
    }
  }

  double figure() const override {
    const std::string& average = word("average");
    if (average == "binary") return of_positive();
    if (average == "micro") return score(all());
    double sum = 0;
    double weights = 0;
    for (const Counts& each : counts_) {
      if (each.actual + each.predicted == 0) continue;  // never met: it says nothing
      const double weight = average == "macro" ? 1 : static_cast<double>(each.actual);
      sum += weight * score(each);
      weights += weight;
    }
    return weights == 0 ? 0 : sum / weights;
  }

  double of_positive() const {
    const std::int64_t positive = integer("positive");
    if (positive >= static_cast<std::int64_t>(counts_.size())) {
      // Where nobody told how many classes there are, it may be one that never came.
      if (told_ == 0) return score(Counts());
      fail(ErrorCode::bad_index, "the positive class " + std::to_string(positive),
           "one of the " + std::to_string(counts_.size()) + " classes", "change the setting `positive` or `average`");
    }
    return score(counts_[static_cast<std::size_t>(positive)]);
  }

  Counts all() const {
    Counts sum;
    for (const Counts& each : counts_) sum += each;
    return sum;
  }

  std::vector<Figure> more_figures() const override {
    std::vector<Figure> result;
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      result.push_back({info().name + "/class_" + std::to_string(k), score(counts_[k])});
    }
    return result;
  }

  std::int64_t counted() const override { return all().actual; }
  void merge_same(const Metric& other) override {
    const auto& same = static_cast<const ClassScore&>(other);
    told_ = std::max(told_, same.told_);
    counts_.resize(std::max(counts_.size(), same.counts_.size()));
    for (std::size_t k = 0; k < same.counts_.size(); ++k) counts_[k] += same.counts_[k];
  }
  void clear() override { counts_.clear(), told_ = 0; }

  std::vector<Counts> counts_;  // by class
  std::int64_t told_ = 0;       // classes, by scores or a setting; 0: by none
};

class Confusion : public ClassMetric {
 public:
  using ClassMetric::ClassMetric;
  const ConfusionMatrix* confusion() const override { return &matrix_; }

 private:
  std::int64_t most_classes() const override { return ConfusionMatrix::kMostClasses; }
  void count_pairs(const ClassPairs& pairs) override {
    matrix_.grow(pairs.classes);
    for (std::size_t k = 0; k < pairs.actual.size(); ++k) {
      matrix_.grow(std::max(pairs.actual[k], pairs.predicted[k]) + 1);
      matrix_.add(pairs.actual[k], pairs.predicted[k]);
    }
  }
  double figure() const override { return matrix_.accuracy(); }
  std::int64_t counted() const override { return matrix_.total(); }
  void merge_same(const Metric& other) override { matrix_.merge(static_cast<const Confusion&>(other).matrix_); }
  void clear() override { matrix_ = ConfusionMatrix(); }

  ConfusionMatrix matrix_;
};

template <class Kind>
Entry class_entry(std::string name, std::string words, std::vector<SettingInfo> own = {}) {
  for (SettingInfo& shared : class_settings()) own.push_back(std::move(shared));
  return {{std::move(name), std::move(words), Better::higher, std::move(own)}, make_kind<Kind>};
}

std::vector<SettingInfo> score_settings() {
  return {
      word_setting("average",
                   "over classes: the plain mean of those met, all examples together, the mean weighted by examples, "
                   "or the positive class alone",
                   {"macro", "micro", "weighted", "binary"}),
      integer_setting("positive", "the class that `binary` asks about", 1, 0)};
}

}  // namespace

std::vector<Entry> class_entries() {
  return {
      class_entry<Accuracy>("accuracy", "share of examples whose class was chosen"),
      {{"top_k_accuracy",
        "share of examples whose class is among the k largest scores",
        Better::higher,
        {integer_setting("k", "how many classes may be named", 5, 1), axis_setting(), ignore_setting(), nan_setting()}},
       make_kind<TopKAccuracy>},
      class_entry<ClassScore<precision_of>>("precision", "share of what was taken for a class that is of it",
                                            score_settings()),
      class_entry<ClassScore<recall_of>>("recall", "share of what is of a class that was taken for it",
                                         score_settings()),
      class_entry<ClassScore<f1_of>>("f1", "harmonic mean of precision and recall", score_settings()),
      class_entry<Confusion>("confusion_matrix",
                             "how often each class was taken for each other; its value is the accuracy"),
  };
}

}  // namespace asg::metrics
