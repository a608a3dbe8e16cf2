#include "backend/cpu/library/gemm.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/library/gemm_memory.h"

// Blocks of sums are arrays of vectors, which vectors without a fixed size do not allow; of the rest, targets that
// differ in nothing a product uses are left out.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/library/gemm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backend/cpu/library/gemm_kernel-inl.h"
#include "backend/cpu/library/gemm_pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace asg::cpu::HWY_NAMESPACE {

// Equal parts of at most `most`, so that no short one is left at the end.
inline std::int64_t even_part(std::int64_t length, std::int64_t most, std::int64_t multiple) {
  const std::int64_t parts = (length + most - 1) / most;
  const std::int64_t part = (length + parts - 1) / parts;
  return std::min(most, (part + multiple - 1) / multiple * multiple);
}

// Rows of a times a packed block of b.
template <class T>
void multiply_rows(std::int64_t rows, std::int64_t columns, std::int64_t inner, const MatrixView<T>& a, const T* strips,
                   T* c, std::int64_t c_step, bool add) {
  constexpr std::int64_t kRows = kGemmRowBytes / static_cast<std::int64_t>(sizeof(T));
  T* packed = reinterpret_cast<T*>(gemm_memory().a);
  for (std::int64_t block = 0; block < rows; block += kRows) {
    const std::int64_t lines = std::min(kRows, rows - block);
    pack_panels(a.data + block * a.row_step, a.row_step, a.column_step, lines, inner, packed, kBlockRows,
                lines % kBlockRows);
    for (std::int64_t row = 0; row < lines; row += kBlockRows) {
      const auto count = static_cast<int>(std::min<std::int64_t>(kBlockRows, lines - row));
      T* to = c + (block + row) * c_step;
      for (std::int64_t column = 0; column < columns; column += kStrip<T>) {
        multiply<T>({inner, packed + row * inner, strips + column * inner, kStrip<T>, to + column, c_step, add}, count,
                    std::min(kStrip<T>, columns - column));
      }
    }
  }
}

// So few rows use every element of b once: it is read where it lies, but for the last columns, which may not fill a
// vector.
template <class T>
void multiply_few_rows(const GemmSizes& sizes, const MatrixView<T>& a, const MatrixView<T>& b, T* c,
                       std::int64_t c_step, bool accumulate) {
  T* packed = reinterpret_cast<T*>(gemm_memory().a);
  T* strip = reinterpret_cast<T*>(gemm_memory().b);
  const auto rows = static_cast<int>(sizes.m);
  for (std::int64_t k = 0; k < sizes.k; k += kGemmInner) {
    const std::int64_t inner = std::min(kGemmInner, sizes.k - k);
    const bool add = accumulate || k > 0;
    pack(a.data + k * a.column_step, a.row_step, a.column_step, sizes.m, inner, packed, sizes.m);
    for (std::int64_t column = 0; column < sizes.n; column += kStrip<T>) {
      const std::int64_t columns = std::min(kStrip<T>, sizes.n - column);
      const T* from = b.data + k * b.row_step + column;
      const bool whole = columns == kStrip<T>;
      if (!whole) pack(from, 1, b.row_step, columns, inner, strip, kStrip<T>);
      multiply<T>({inner, packed, whole ? from : strip, whole ? b.row_step : kStrip<T>, c + column, c_step, add}, rows,
                  columns);
    }
  }
}

// A vector times lines that are dense along the inner axis: sums along the vectors' lanes.
template <class T>
void multiply_vector(std::int64_t inner, const T* vector, const T* lines, std::int64_t line_step, std::int64_t count,
                     T* to, std::int64_t to_step, bool add) {
  const Vectors<T> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  for (std::int64_t line = 0; line < count; ++line) {
    const T* HWY_RESTRICT from = lines + line * line_step;
    auto even = hn::Zero(d);
    auto odd = hn::Zero(d);
    std::int64_t k = 0;
    for (; k + 2 * kLanes <= inner; k += 2 * kLanes) {
      even = hn::MulAdd(hn::LoadU(d, vector + k), hn::LoadU(d, from + k), even);
      odd = hn::MulAdd(hn::LoadU(d, vector + k + kLanes), hn::LoadU(d, from + k + kLanes), odd);
    }
    T sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
    for (; k < inner; ++k) sum += vector[k] * from[k];
    T& result = to[line * to_step];
    result = add ? result + sum : sum;
  }
}

template <class T>
void multiply_blocks(const GemmSizes& sizes, const MatrixView<T>& a, const MatrixView<T>& b, T* c, std::int64_t c_step,
                     bool accumulate) {
  T* strips = reinterpret_cast<T*>(gemm_memory().b);
  const std::int64_t inner_part = even_part(sizes.k, kGemmInner, 4);
  const std::int64_t column_part =
      even_part(sizes.n, kGemmColumnBytes / static_cast<std::int64_t>(sizeof(T)), kStrip<T>);
  for (std::int64_t column = 0; column < sizes.n; column += column_part) {
    const std::int64_t columns = std::min(column_part, sizes.n - column);
    for (std::int64_t k = 0; k < sizes.k; k += inner_part) {
      const std::int64_t inner = std::min(inner_part, sizes.k - k);
      const MatrixView<T> right{b.data + k * b.row_step + column * b.column_step, b.row_step, b.column_step};
      const MatrixView<T> left{a.data + k * a.column_step, a.row_step, a.column_step};
      pack_panels(right.data, right.column_step, right.row_step, columns, inner, strips, kStrip<T>, kStrip<T>);
      multiply_rows(sizes.m, columns, inner, left, strips, c + column, c_step, accumulate || k > 0);
    }
  }
}

template <class T>
void gemm_any(const GemmSizes& sizes, const MatrixView<T>& a, const MatrixView<T>& b, T* c, std::int64_t c_step,
              bool accumulate) {
  if (sizes.m == 0 || sizes.n == 0) return;
  if (sizes.k == 0) {
    for (std::int64_t row = 0; row < sizes.m && !accumulate; ++row) std::fill_n(c + row * c_step, sizes.n, T(0));
    return;
  }
  if (sizes.m == 1 && a.column_step == 1 && b.row_step == 1) {
    return multiply_vector(sizes.k, a.data, b.data, b.column_step, sizes.n, c, 1, accumulate);
  }
  if (sizes.n == 1 && a.column_step == 1 && b.row_step == 1) {
    return multiply_vector(sizes.k, b.data, a.data, a.row_step, sizes.m, c, c_step, accumulate);
  }
  if (sizes.m <= kBlockRows && b.column_step == 1) return multiply_few_rows(sizes, a, b, c, c_step, accumulate);
  multiply_blocks(sizes, a, b, c, c_step, accumulate);
}

void gemm_float(const GemmSizes& sizes, const MatrixView<float>& a, const MatrixView<float>& b, float* c,
                std::int64_t c_step, bool accumulate) {
  gemm_any(sizes, a, b, c, c_step, accumulate);
}
void gemm_double(const GemmSizes& sizes, const MatrixView<double>& a, const MatrixView<double>& b, double* c,
                 std::int64_t c_step, bool accumulate) {
  gemm_any(sizes, a, b, c, c_step, accumulate);
}

}  // namespace asg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asg::cpu {

HWY_EXPORT(gemm_float);
HWY_EXPORT(gemm_double);

void gemm(const GemmSizes& sizes, const MatrixView<float>& a, const MatrixView<float>& b, float* c, std::int64_t c_step,
          bool accumulate) {
  HWY_DYNAMIC_DISPATCH(gemm_float)(sizes, a, b, c, c_step, accumulate);
}
void gemm(const GemmSizes& sizes, const MatrixView<double>& a, const MatrixView<double>& b, double* c,
          std::int64_t c_step, bool accumulate) {
  HWY_DYNAMIC_DISPATCH(gemm_double)(sizes, a, b, c, c_step, accumulate);
}

}  // namespace asg::cpu
#endif
