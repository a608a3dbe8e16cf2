#include "metrics/class_metric.h"

#include <algorithm>
#include <cmath>

#include "asg/core/error.h"
#include "metrics/rows.h"

namespace asg::metrics {

std::vector<SettingInfo> class_settings() {
  SettingInfo threshold = real_setting(
      "threshold", "with one score an example: class 1 is above it; without it 0.5 of probabilities, 0 of logits", 0,
      -1e300, 1e300);
  threshold.fallback.reset();
  return {integer_setting("classes", "how many classes there are; 0: as the scores say, or as many as are seen", 0, 0),
          input_setting(),
          std::move(threshold),
          axis_setting(),
          ignore_setting(),
          nan_setting()};
}

std::int64_t ClassMetric::classes_for(const Array& predictions, std::int64_t width) const {
  const std::int64_t told = integer("classes");
  const bool binary = width == 1 || (width == 0 && is_float(predictions.dtype()));
  const std::int64_t seen = binary ? 2 : width;
  if (seen != 0 && told != 0 && seen != told) {
    fail(ErrorCode::bad_shape, "predictions " + predictions.type_string() + " for " + std::to_string(told) + " classes",
         "as many scores an example, or classes as integers", "change the setting `classes` or `axis`");
  }
  const std::int64_t classes = std::max(seen, told);
  if (classes > most_classes()) {
    fail(ErrorCode::limit_exceeded, std::to_string(classes) + " classes for the metric '" + info().name + "'",
         "at most " + std::to_string(most_classes()));
  }
  return classes;
}

void ClassMetric::add_pair(const Array& predictions, const Array& targets) {
  const Scores scores = scores_of(predictions, targets, integer("axis"));
  const bool by_score = is_float(predictions.dtype());
  if (scores.width > 1 && !by_score && !is_integer(predictions.dtype())) {
    fail(ErrorCode::type_mismatch, "scores " + predictions.type_string(), "numbers");
  }
  ClassPairs pairs;
  pairs.classes = classes_for(predictions, scores.width);
  const std::int64_t limit = pairs.classes == 0 ? most_classes() : pairs.classes;
  const auto ignored = optional_integer("ignore_index");
  constexpr double kEven = 0.5;  // the probability at which both classes are alike; its logit is 0
  const double threshold = optional_real("threshold").value_or(word("input") == "logits" ? 0 : kEven);
  const std::vector<double> actual = reals_of(targets);
  Rows rows(scores.array, std::max<std::int64_t>(scores.width, 1));
  NanFound nan;
  for (std::int64_t example = 0; example < rows.count(); ++example) {
    const double target = actual[static_cast<std::size_t>(example)];
    if (ignored && target == static_cast<double>(*ignored)) continue;
    const auto row = rows.row(example);
    if (!takes_part(has_nan(row) || std::isnan(target), example, nan)) continue;
    std::int64_t predicted = 0;
    if (row.size() > 1) {
      predicted = std::max_element(row.begin(), row.end()) - row.begin();
    } else if (by_score) {
      predicted = row[0] > threshold ? 1 : 0;
    } else {
      predicted = class_of(row[0], limit, example, "the predicted class");
    }
    pairs.actual.push_back(class_of(target, limit, example, "the class"));
    pairs.predicted.push_back(predicted);
  }
  count_pairs(pairs);
  note(nan);
}

}  // namespace asg::metrics
