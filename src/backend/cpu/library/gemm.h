#pragma once

#include <cstdint>

namespace asg::cpu {

// A matrix in memory: the element (row, column) stands at data[row * row_step + column * column_step].
template <class T>
struct MatrixView {
  const T* data = nullptr;
  std::int64_t row_step = 0;
  std::int64_t column_step = 1;
};

// c = a · b, or c += a · b, in the calling thread, with a[m, k] and b[k, n] in any layout and c with dense rows that
// stand c_step apart. The bits depend on the sizes, the layouts and the processor's vectors only. Allocates nothing:
// its work memory belongs to the thread. k = 0 gives zeros.
struct GemmSizes {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};
void gemm(const GemmSizes& sizes, const MatrixView<float>& a, const MatrixView<float>& b, float* c, std::int64_t c_step,
          bool accumulate);
void gemm(const GemmSizes& sizes, const MatrixView<double>& a, const MatrixView<double>& b, double* c,
          std::int64_t c_step, bool accumulate);

}  // namespace asg::cpu
