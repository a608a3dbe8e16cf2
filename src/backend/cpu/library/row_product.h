#pragma once

#include <cstdint>

#include "backend/cpu/library/gemm.h"

namespace asg::cpu {

// A row times a matrix: c[n] = a[k] · b[k, n], or c += a · b, in the calling thread. Each element of b is used once, so
// memory decides how long it takes, and b is read in long runs: several of its rows at a time where they are dense,
// else several of its columns. The bits depend on the sizes, the layout and the processor's vectors only.
//   expects: k > 0, a dense, b with dense rows or dense columns
template <class T>
struct RowProduct {
  std::int64_t n = 0;
  std::int64_t k = 0;
  const T* a = nullptr;
  MatrixView<T> b = {};
  T* c = nullptr;
  bool accumulate = false;
};
void multiply_row(const RowProduct<float>& product);
void multiply_row(const RowProduct<double>& product);

}  // namespace asg::cpu
