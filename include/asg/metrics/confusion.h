#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace asg::metrics {

// How often each class was taken for each other one. Rows are what examples are, columns what they were taken for.
class ConfusionMatrix {
 public:
  // Throws limit_exceeded above kMostClasses, bad_index below 0.
  explicit ConfusionMatrix(std::int64_t classes = 0);
  static constexpr std::int64_t kMostClasses = 4096;

  std::int64_t classes() const { return classes_; }
  std::int64_t total() const;
  std::int64_t at(std::int64_t actual, std::int64_t predicted) const;  // throws bad_index
  void grow(std::int64_t classes);                                     // never shrinks; throws limit_exceeded
  void add(std::int64_t actual, std::int64_t predicted, std::int64_t times = 1);  // throws bad_index
  void merge(const ConfusionMatrix& other);

  double accuracy() const;  // NaN of no examples

  // For people: a row for each class, with its recall; a last row with the precision of each column. Names stand for
  // the classes; without them their numbers. Throws wrong_input_count where their number differs.
  std::string table(std::span<const std::string> names = {}) const;
  // "actual\predicted,cat,dog\ncat,5,1\n…", which `read_csv` and spreadsheets read.
  std::string csv(std::span<const std::string> names = {}) const;

 private:
  std::vector<std::string> names_or_numbers(std::span<const std::string> names) const;

  std::int64_t classes_ = 0;
  std::vector<std::int64_t> cells_;  // row-major
};

struct NamedConfusion {
  ConfusionMatrix matrix;
  std::vector<std::string> names;
};
// Reads what `csv` writes. Throws io_error with the line that does not fit.
NamedConfusion confusion_from_csv(const std::string& text);

}  // namespace asg::metrics
