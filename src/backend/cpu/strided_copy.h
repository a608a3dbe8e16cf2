#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/thread_pool.h"

namespace asg::cpu {

// A copy of a tensor from some strides to others: prepared once, run often without allocating. Work is split by shape
// only. The two may not overlap.
class StridedCopy {
 public:
  // Strides count elements. Nothing where there are more axes than a run can count (merged ones count once).
  static std::optional<StridedCopy> make(const Sizes& sizes, const Sizes& from, const Sizes& to,
                                         std::int64_t element_bytes);

  void run(const std::byte* from, std::byte* to, ThreadPool& pool) const;

 private:
  struct Axis {
    std::int64_t count = 1;
    std::int64_t from = 0;  // bytes
    std::int64_t to = 0;
  };
  void run_rows(const std::byte* from, std::byte* to, std::int64_t first, std::int64_t last) const;
  void copy_row(const std::byte* from, std::byte* to) const;

  std::vector<Axis> outer_;  // the slowest first
  Axis row_;
  std::int64_t rows_ = 1;
  std::int64_t element_bytes_ = 4;
  bool dense_rows_ = false;
};

}  // namespace asg::cpu
