#include "backend/cpu/tile_reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backend/cpu/highway.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/tile_reduce.cpp"
#include "hwy/foreach_target.h"
// After it:
#include "backend/cpu/vector_part-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace asg {
namespace HWY_NAMESPACE {

// Lanes are joined as a tree: the upper half onto the lower one until one is left.
template <class D, class F>
HWY_INLINE hn::TFromD<D> join_lanes(D d, hn::Vec<D> value, F join) {
  HWY_ALIGN hn::TFromD<D> lanes[HWY_MAX_BYTES / sizeof(hn::TFromD<D>)];
  hn::Store(value, d, lanes);
  for (std::size_t half = hn::Lanes(d) / 2; half > 0; half /= 2) {
    for (std::size_t k = 0; k < half; ++k) lanes[k] = join(lanes[k], lanes[k + half]);
  }
  return lanes[0];
}

// Four sums side by side hide the latency of the addition.
template <class D>
HWY_INLINE hn::TFromD<D> sum_block(D d, const hn::TFromD<D>* values, std::size_t count) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  V a = hn::Zero(d), b = a, c = a, e = a;
  std::size_t k = 0;
  for (; k + 4 * lanes <= count; k += 4 * lanes) {
    a = hn::Add(a, hn::LoadU(d, values + k));
    b = hn::Add(b, hn::LoadU(d, values + k + lanes));
    c = hn::Add(c, hn::LoadU(d, values + k + 2 * lanes));
    e = hn::Add(e, hn::LoadU(d, values + k + 3 * lanes));
  }
  for (; k + lanes <= count; k += lanes) a = hn::Add(a, hn::LoadU(d, values + k));
  if (k < count) b = hn::Add(b, load_part(d, values + k, count - k));
  using T = hn::TFromD<D>;
  return join_lanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e)), [](T x, T y) { return x + y; });
}

HWY_NOINLINE double sum_f32(const float* values, std::size_t count) {
  constexpr std::size_t kBlock = 1024;
  double total = 0;
  for (std::size_t k = 0; k < count; k += kBlock) {
    const std::size_t part = count - k < kBlock ? count - k : kBlock;
    total += static_cast<double>(sum_block(hn::ScalableTag<float>(), values + k, part));
  }
  return total;
}

HWY_NOINLINE double sum_f64(const double* values, std::size_t count) {
  return sum_block(hn::ScalableTag<double>(), values, count);
}

// A lane that has met NaN keeps it.
template <bool kLargest, class V>
HWY_INLINE V extreme(V best, V next) {
  const auto worse = kLargest ? hn::Le(next, best) : hn::Ge(next, best);
  return hn::IfThenElse(hn::Or(worse, hn::IsNaN(best)), best, next);
}

template <bool kLargest, class D>
HWY_INLINE double extreme_of(D d, const hn::TFromD<D>* values, std::size_t count) {
  using T = hn::TFromD<D>;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<D> a = hn::Set(d, kLargest ? -kInfinity : kInfinity), b = a;
  std::size_t k = 0;
  for (; k + 2 * lanes <= count; k += 2 * lanes) {
    a = extreme<kLargest>(a, hn::LoadU(d, values + k));
    b = extreme<kLargest>(b, hn::LoadU(d, values + k + lanes));
  }
  const auto join = [](T x, T y) {
    if (std::isnan(x)) return x;
    return (kLargest ? y <= x : y >= x) ? x : y;
  };
  T best = join_lanes(d, extreme<kLargest>(a, b), join);
  for (; k < count; ++k) best = join(best, values[k]);
  return static_cast<double>(best);
}

HWY_NOINLINE double extreme_f32(bool largest, const float* values, std::size_t count) {
  const hn::ScalableTag<float> d;
  return largest ? extreme_of<true>(d, values, count) : extreme_of<false>(d, values, count);
}

HWY_NOINLINE double extreme_f64(bool largest, const double* values, std::size_t count) {
  const hn::ScalableTag<double> d;
  return largest ? extreme_of<true>(d, values, count) : extreme_of<false>(d, values, count);
}

HWY_NOINLINE void add_rows_f32(const float* values, std::size_t rows, std::size_t columns, double* sums) {
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  const std::size_t lanes = hn::Lanes(wide);
  std::size_t column = 0;
  for (; column + 2 * lanes <= columns; column += 2 * lanes) {
    auto a = hn::LoadU(wide, sums + column);
    auto b = hn::LoadU(wide, sums + column + lanes);
    for (std::size_t row = 0; row < rows; ++row) {
      const float* from = values + row * columns + column;
      a = hn::Add(a, hn::PromoteTo(wide, hn::LoadU(narrow, from)));
      b = hn::Add(b, hn::PromoteTo(wide, hn::LoadU(narrow, from + lanes)));
    }
    hn::StoreU(a, wide, sums + column);
    hn::StoreU(b, wide, sums + column + lanes);
  }
  for (; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) sums[column] += static_cast<double>(values[row * columns + column]);
  }
}

HWY_NOINLINE void add_rows_f64(const double* values, std::size_t rows, std::size_t columns, double* sums) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t column = 0;
  for (; column + lanes <= columns; column += lanes) {
    auto total = hn::LoadU(d, sums + column);
    for (std::size_t row = 0; row < rows; ++row) {
      total = hn::Add(total, hn::LoadU(d, values + row * columns + column));
    }
    hn::StoreU(total, d, sums + column);
  }
  for (; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) sums[column] += values[row * columns + column];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace asg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asg {

HWY_EXPORT(sum_f32);
HWY_EXPORT(sum_f64);
HWY_EXPORT(extreme_f32);
HWY_EXPORT(extreme_f64);
HWY_EXPORT(add_rows_f32);
HWY_EXPORT(add_rows_f64);

namespace cpu {
namespace {

template <class T>
double product(const T* values, std::size_t count) {
  double total = 1;
  for (std::size_t k = 0; k < count; ++k) total *= static_cast<double>(values[k]);
  return total;
}

std::int64_t wrapped(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }

}  // namespace

double reduce_run(Reduction reduction, const float* values, std::size_t count) {
  if (reduction == Reduction::sum) return HWY_DYNAMIC_DISPATCH(sum_f32)(values, count);
  if (reduction == Reduction::prod) return product(values, count);
  return HWY_DYNAMIC_DISPATCH(extreme_f32)(reduction == Reduction::max, values, count);
}

double reduce_run(Reduction reduction, const double* values, std::size_t count) {
  if (reduction == Reduction::sum) return HWY_DYNAMIC_DISPATCH(sum_f64)(values, count);
  if (reduction == Reduction::prod) return product(values, count);
  return HWY_DYNAMIC_DISPATCH(extreme_f64)(reduction == Reduction::max, values, count);
}

std::int64_t reduce_run(Reduction reduction, const std::int64_t* values, std::size_t count) {
  using Limits = std::numeric_limits<std::int64_t>;
  std::int64_t total = reduction == Reduction::prod ? 1 : 0;
  if (reduction == Reduction::max) total = Limits::lowest();
  if (reduction == Reduction::min) total = Limits::max();
  for (std::size_t k = 0; k < count; ++k) total = combine(reduction, total, values[k]);
  return total;
}

double combine(Reduction reduction, double left, double right) {
  switch (reduction) {
    case Reduction::sum:
      return left + right;
    case Reduction::prod:
      return left * right;
    case Reduction::max:
      return std::isnan(left) || left >= right ? left : right;
    case Reduction::min:
      break;
  }
  return std::isnan(left) || left <= right ? left : right;
}

std::int64_t combine(Reduction reduction, std::int64_t left, std::int64_t right) {
  switch (reduction) {
    case Reduction::sum:
      return wrapped(static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(right));
    case Reduction::prod:
      return wrapped(static_cast<std::uint64_t>(left) * static_cast<std::uint64_t>(right));
    case Reduction::max:
      return std::max(left, right);
    case Reduction::min:
      break;
  }
  return std::min(left, right);
}

void add_rows(const float* values, std::size_t rows, std::size_t columns, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_rows_f32)(values, rows, columns, sums);
}

void add_rows(const double* values, std::size_t rows, std::size_t columns, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_rows_f64)(values, rows, columns, sums);
}

void add_rows(const std::int64_t* values, std::size_t rows, std::size_t columns, std::int64_t* sums) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      sums[column] = combine(Reduction::sum, sums[column], values[row * columns + column]);
    }
  }
}

}  // namespace cpu
}  // namespace asg
#endif  // HWY_ONCE
