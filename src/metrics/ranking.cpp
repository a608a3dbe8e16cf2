// Area under the receiver operating characteristic. It is exact, so every score is kept: 16 bytes for each score of an
// example, which is 160 MB for a million examples of ten classes.
#include <algorithm>
#include <cmath>

#include "asg/core/error.h"
#include "metrics/catalogue.h"
#include "metrics/rows.h"

namespace asg::metrics {
namespace {

struct Ranked {
  double score = 0;
  bool positive = false;
};

struct Area {
  double value = 0;
  std::int64_t positives = 0;
  bool defined = false;  // there are positives and negatives
};

// The share of pairs (positive, negative) with the positive in front; half of those with equal scores. Counted in
// integers, so the order in which examples came cannot matter.
Area area_of(std::vector<Ranked> examples) {
  std::sort(examples.begin(), examples.end(), [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  std::uint64_t positives = 0;
  std::uint64_t negatives = 0;
  std::uint64_t half_pairs = 0;
  for (std::size_t first = 0; first < examples.size();) {
    std::uint64_t group_positives = 0;
    std::uint64_t group_negatives = 0;
    std::size_t last = first;
    for (; last < examples.size() && examples[last].score == examples[first].score; ++last) {
      ++(examples[last].positive ? group_positives : group_negatives);
    }
    half_pairs += group_negatives * (2 * positives + group_positives);
    positives += group_positives;
    negatives += group_negatives;
    first = last;
  }
  Area area{0, static_cast<std::int64_t>(positives), positives > 0 && negatives > 0};
  if (area.defined) {
    area.value =
        static_cast<double>(half_pairs) / (2 * static_cast<double>(positives) * static_cast<double>(negatives));
  }
  return area;
}

// Scores by which the softmax of a row can be ranked, into `scores`: its logarithm, which stays apart where the
// probabilities themselves would round to 0 or 1. Of two classes their difference says the same. NaN where the softmax
// is none.
void rank_logits(std::span<const double> row, std::vector<double>& scores) {
  scores.assign(row.begin(), row.end());
  if (row.size() < 2) return;  // one logit ranks as its sigmoid does
  if (row.size() == 2) {
    scores = {row[0] - row[1], row[1] - row[0]};
    return;
  }
  const auto largest = std::max_element(scores.begin(), scores.end());
  const double most = *largest;
  double others = 0;
  for (auto each = scores.begin(); each != scores.end(); ++each) {
    *each -= most;
    if (each != largest) others += std::exp(*each);
  }
  const bool has_softmax = std::isfinite(most);
  for (double& score : scores) score = has_softmax ? score - std::log1p(others) : std::nan("");
}

class RocAuc : public Metric {
 public:
  using Metric::Metric;

 private:
  void add_pair(const Array& predictions, const Array& targets) override {
    const Scores scores = scores_of(predictions, targets, integer("axis"));
    // Two scores say the same twice: the second one, of class 1, is enough.
    const std::int64_t classes = std::max<std::int64_t>(scores.width, 2);
    if (classes_ != 0 && classes != classes_) {
      fail(ErrorCode::bad_shape, "scores of " + std::to_string(classes) + " classes",
           std::to_string(classes_) + " classes, as in the batches before");
    }
    const auto ignored = optional_integer("ignore_index");
    const std::vector<double> actual = reals_of(targets);
    Rows rows(scores.array, std::max<std::int64_t>(scores.width, 1));
    std::vector<std::vector<Ranked>> added(classes == 2 ? 1 : static_cast<std::size_t>(classes));
    const bool logits = word("input") == "logits";
    std::vector<double> ranked;
    NanFound nan;
    for (std::int64_t example = 0; example < rows.count(); ++example) {
      const double target = actual[static_cast<std::size_t>(example)];
      if (ignored && target == static_cast<double>(*ignored)) continue;
      auto row = rows.row(example);
      if (logits && !has_nan(row)) {
        rank_logits(row, ranked);
        row = ranked;
      }
      if (!takes_part(has_nan(row) || std::isnan(target), example, nan)) continue;
      const std::int64_t label = class_of(target, classes, example, "the class");
      if (classes == 2) {
        added[0].push_back({row.back(), label == 1});
        continue;
      }
      for (std::size_t k = 0; k < added.size(); ++k)
        added[k].push_back({row[k], label == static_cast<std::int64_t>(k)});
    }
    append(std::move(added), classes);
    note(nan);
  }

  // By value: a metric may be merged into itself.
  void append(std::vector<std::vector<Ranked>> added, std::int64_t classes) {
    classes_ = classes;
    examples_.resize(added.size());
    for (std::size_t k = 0; k < added.size(); ++k)
      examples_[k].insert(examples_[k].end(), added[k].begin(), added[k].end());
  }

  double figure() const override {
    const bool weighted = word("average") == "weighted";
    double sum = 0;
    double weights = 0;
    for (std::size_t k = 0; k < examples_.size(); ++k) {
      const Area area = area_of(examples_[k]);
      if (!area.defined) {
        fail(ErrorCode::missing_value,
             "ROC-AUC of class " + std::to_string(examples_.size() == 1 ? 1 : k) + ", of which there are " +
                 std::to_string(area.positives) + " examples of " + std::to_string(counted()),
             "an example of the class and one of another", "add more batches before the value is read");
      }
      const double weight = weighted ? static_cast<double>(area.positives) : 1;
      sum += weight * area.value;
      weights += weight;
    }
    return sum / weights;
  }

  std::vector<Figure> more_figures() const override {
    std::vector<Figure> result;
    for (std::size_t k = 0; examples_.size() > 1 && k < examples_.size(); ++k) {
      result.push_back({info().name + "/class_" + std::to_string(k), area_of(examples_[k]).value});
    }
    return result;
  }

  std::int64_t counted() const override {
    return examples_.empty() ? 0 : static_cast<std::int64_t>(examples_[0].size());
  }
  void merge_same(const Metric& other) override {
    const auto& same = static_cast<const RocAuc&>(other);
    if (same.classes_ == 0) return;
    if (classes_ != 0 && classes_ != same.classes_) {
      fail(ErrorCode::bad_shape, "ROC-AUC of " + std::to_string(same.classes_) + " classes to merge",
           std::to_string(classes_) + " classes");
    }
    append(same.examples_, same.classes_);
  }
  void clear() override { examples_.clear(), classes_ = 0; }

  std::int64_t classes_ = 0;
  std::vector<std::vector<Ranked>> examples_;  // one list for two classes, else one for each
};

}  // namespace

std::vector<Entry> ranking_entries() {
  return {
      {{"roc_auc",
        "chance that an example of the class has a larger score than one of another; of several classes each against "
        "the rest",
        Better::higher,
        {input_setting(),
         word_setting("average", "of several classes: the plain mean, or weighted by examples", {"macro", "weighted"}),
         axis_setting(), ignore_setting(), nan_setting()}},
       make_kind<RocAuc>}};
}

}  // namespace asg::metrics
