#include "metrics/rows.h"

#include <algorithm>
#include <cmath>

#include "asg/core/error.h"

namespace asg::metrics {

Rows::Rows(const Array& array, std::int64_t width) : width_(width), count_(width == 0 ? 0 : array.count() / width) {
  rows_ = array.reshaped({count_, width_});
}

std::span<const double> Rows::row(std::int64_t index) {
  if (index < first_ || index >= first_ + held_) {
    constexpr std::int64_t kElements = 1 << 16;
    first_ = index;
    held_ = std::clamp<std::int64_t>(kElements / width_, 1, count_ - index);
    block_ = rows_.sliced(0, first_, held_, 1).cast(DType::f64).dense();
  }
  return block_.data<double>().subspan(static_cast<std::size_t>((index - first_) * width_),
                                       static_cast<std::size_t>(width_));
}

std::vector<double> reals_of(const Array& array) {
  if (array.count() == 0) return {};
  const Array dense = array.cast(DType::f64).dense();
  const auto values = dense.data<double>();
  return {values.begin(), values.end()};
}

Scores scores_of(const Array& predictions, const Array& targets, std::int64_t axis) {
  if (predictions.sizes() == targets.sizes()) return {predictions, 0};
  const auto refuse = [&] {
    fail(ErrorCode::bad_shape, "predictions " + predictions.type_string() + " for targets " + targets.type_string(),
         "the same sizes, or an axis of classes more in the predictions",
         "reshape one of them, or set `axis` to where the classes are");
  };
  if (predictions.rank() != targets.rank() + 1) refuse();
  const std::int64_t at = axis < 0 ? axis + predictions.rank() : axis;
  if (at < 0 || at >= predictions.rank()) {
    fail(ErrorCode::bad_index, "axis " + std::to_string(axis) + " of predictions " + predictions.type_string(),
         "an axis that they have");
  }
  Sizes others = predictions.sizes();
  const std::int64_t width = others[static_cast<std::size_t>(at)];
  others.erase(others.begin() + at);
  if (others != targets.sizes() || width == 0) refuse();
  std::vector<int> order;
  for (int each = 0; each < predictions.rank(); ++each) {
    if (each != at) order.push_back(each);
  }
  order.push_back(static_cast<int>(at));
  return {predictions.transposed(order), width};
}

std::int64_t class_of(double target, std::int64_t classes, std::int64_t example, const char* what) {
  const auto words = [&] {
    return std::string(what) + " " + Array::scalar(DType::f64, target).to_string() + " of example " +
           std::to_string(example);
  };
  if (target != std::floor(target)) {
    fail(ErrorCode::type_mismatch, words(), "the number of a class: 0, 1, …", "give classes as integers");
  }
  if (target < 0 || target >= static_cast<double>(classes)) {
    fail(ErrorCode::bad_index, words(), "a class from 0 to " + std::to_string(classes - 1),
         "check the labels and the number of classes; `ignore_index` leaves one label out");
  }
  return static_cast<std::int64_t>(target);
}

bool has_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

}  // namespace asg::metrics
