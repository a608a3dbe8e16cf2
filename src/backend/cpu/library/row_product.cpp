#include "backend/cpu/library/row_product.h"

#include <algorithm>

// As for products of large matrices: see gemm.cpp.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/library/row_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace asg::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// So many rows of b are added to c in one walk over it, which then costs little beside reading them.
inline constexpr int kRowsAtOnce = 8;

// c += a[rows] · b[rows, n], or c = …
template <class T, int rows>
void add_rows(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, std::int64_t step, std::int64_t n, T* HWY_RESTRICT c,
              bool add) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  hn::Vec<decltype(d)> factors[rows];
  for (int row = 0; row < rows; ++row) factors[row] = hn::Set(d, a[row]);
  std::int64_t at = 0;
  for (; at + lanes <= n; at += lanes) {
    auto sum = add ? hn::LoadU(d, c + at) : hn::Zero(d);
    for (int row = 0; row < rows; ++row) sum = hn::MulAdd(factors[row], hn::LoadU(d, b + row * step + at), sum);
    hn::StoreU(sum, d, c + at);
  }
  for (; at < n; ++at) {
    T sum = add ? c[at] : T(0);
    for (int row = 0; row < rows; ++row) sum += a[row] * b[row * step + at];
    c[at] = sum;
  }
}

template <class T>
void multiply_dense_rows(const RowProduct<T>& product) {
  bool add = product.accumulate;
  std::int64_t k = 0;
  for (; k + kRowsAtOnce <= product.k; k += kRowsAtOnce, add = true) {
    add_rows<T, kRowsAtOnce>(product.a + k, product.b.data + k * product.b.row_step, product.b.row_step, product.n,
                             product.c, add);
  }
  for (; k < product.k; ++k, add = true) {
    add_rows<T, 1>(product.a + k, product.b.data + k * product.b.row_step, product.b.row_step, product.n, product.c,
                   add);
  }
}

// `count` sums over dense columns of b, each by vectors and then over their lanes.
template <class T, int count>
void sum_columns(const RowProduct<T>& product, std::int64_t first) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const T* HWY_RESTRICT a = product.a;
  const T* HWY_RESTRICT b = product.b.data + first * product.b.column_step;
  const std::int64_t step = product.b.column_step;
  hn::Vec<decltype(d)> sums[count];
  for (int column = 0; column < count; ++column) sums[column] = hn::Zero(d);
  std::int64_t k = 0;
  for (; k + lanes <= product.k; k += lanes) {
    const auto factor = hn::LoadU(d, a + k);
    for (int column = 0; column < count; ++column) {
      sums[column] = hn::MulAdd(factor, hn::LoadU(d, b + column * step + k), sums[column]);
    }
  }
  for (int column = 0; column < count; ++column) {
    T sum = hn::GetLane(hn::SumOfLanes(d, sums[column]));
    for (std::int64_t rest = k; rest < product.k; ++rest) sum += a[rest] * b[column * step + rest];
    T& result = product.c[first + column];
    result = product.accumulate ? result + sum : sum;
  }
}

template <class T>
void multiply_dense_columns(const RowProduct<T>& product) {
  constexpr int kColumnsAtOnce = 8;
  std::int64_t column = 0;
  for (; column + kColumnsAtOnce <= product.n; column += kColumnsAtOnce) {
    sum_columns<T, kColumnsAtOnce>(product, column);
  }
  for (; column < product.n; ++column) sum_columns<T, 1>(product, column);
}

template <class T>
void multiply_any_row(const RowProduct<T>& product) {
  product.b.column_step == 1 ? multiply_dense_rows(product) : multiply_dense_columns(product);
}

void multiply_row_float(const RowProduct<float>& product) { multiply_any_row(product); }
void multiply_row_double(const RowProduct<double>& product) { multiply_any_row(product); }

}  // namespace asg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asg::cpu {

HWY_EXPORT(multiply_row_float);
HWY_EXPORT(multiply_row_double);

void multiply_row(const RowProduct<float>& product) { HWY_DYNAMIC_DISPATCH(multiply_row_float)(product); }
void multiply_row(const RowProduct<double>& product) { HWY_DYNAMIC_DISPATCH(multiply_row_double)(product); }

}  // namespace asg::cpu
#endif
