#pragma once

#include <cstddef>
#include <cstdint>

#include "asg/core/thread_pool.h"
#include "backend/cpu/library/gemm.h"

namespace asg::cpu {

// A copy of a matrix [rows, columns] whose columns are dense, with dense rows instead. All threads make it together,
// once, where otherwise each of them would turn what it needs by itself, again and again.
class TurnedMatrix {
 public:
  TurnedMatrix(std::int64_t rows, std::int64_t columns);

  std::int64_t row_step() const { return row_step_; }
  std::size_t bytes() const;
  // `from` has a row step of 1. The bits are those of `from`.
  void make(const MatrixView<float>& from, float* to, ThreadPool& pool) const;

 private:
  std::int64_t rows_;
  std::int64_t columns_;
  std::int64_t row_step_;
};

}  // namespace asg::cpu
