#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asg/core/array.h"

namespace asg::metrics {

// An array as rows of doubles, converted a block at a time: the scores of a language model are never held twice.
class Rows {
 public:
  Rows(const Array& array, std::int64_t width);  // the width divides the count

  std::int64_t count() const { return count_; }
  std::span<const double> row(std::int64_t index);  // good until the next call

 private:
  Array rows_;  // [count, width]
  std::int64_t width_;
  std::int64_t count_;
  std::int64_t first_ = 0;  // row of the block
  std::int64_t held_ = 0;   // rows in it
  Array block_;
};

std::vector<double> reals_of(const Array& array);

// Scores with the classes on the last axis. `width` is 0 where every element is a prediction by itself.
struct Scores {
  Array array;
  std::int64_t width = 0;
};
// Throws bad_shape where predictions have neither the sizes of the targets nor these and an axis of classes, bad_index
// where there is no such axis.
Scores scores_of(const Array& predictions, const Array& targets, std::int64_t axis);

// The position of a target among `classes`. Throws bad_index, and type_mismatch for a number that is not whole.
std::int64_t class_of(double target, std::int64_t classes, std::int64_t example, const char* what);

bool has_nan(std::span<const double> values);

}  // namespace asg::metrics
