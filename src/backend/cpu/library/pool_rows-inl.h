// What pools have in common that go along rows with vectors, once per instruction set.

#if defined(ASG_BACKEND_CPU_LIBRARY_POOL_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ASG_BACKEND_CPU_LIBRARY_POOL_ROWS_INL_H
#undef ASG_BACKEND_CPU_LIBRARY_POOL_ROWS_INL_H
#else
#define ASG_BACKEND_CPU_LIBRARY_POOL_ROWS_INL_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "backend/cpu/vector_part-inl.h"
#include "hwy/highway.h"
#include "ops/support/windows.h"

HWY_BEFORE_NAMESPACE();
namespace asg {
namespace HWY_NAMESPACE {

using ops::Window;
using ops::Windows;

// A row of positions: where its windows begin on the two outer axes.
struct PoolRow {
  std::int64_t z = 0;
  std::int64_t y = 0;
  std::int64_t number = 0;  // in the plane of results
};

// The columns whose windows lie inside the input along the row.
struct InnerColumns {
  std::int64_t first = 0;
  std::int64_t past = 0;
};

HWY_INLINE InnerColumns inner_columns(const Window& wide) {
  InnerColumns inner{0, wide.output};
  for (std::int64_t tap = 0; tap < wide.taps; ++tap) {
    inner.first = std::max(inner.first, wide.first_position(tap));
    inner.past = std::min(inner.past, wide.past_position(tap));
  }
  inner.past = std::max(inner.past, inner.first);
  return inner;
}

// Calls visit(row) for the rows of positions, in order.
template <class Visit>
HWY_INLINE void for_each_pool_row(const Windows& windows, Visit visit) {
  const auto& [deep, high, wide] = windows;
  PoolRow row;
  for (std::int64_t z = 0; z < deep.output; ++z) {
    row.z = deep.read_by(z, 0);
    for (std::int64_t y = 0; y < high.output; ++y, ++row.number) {
      row.y = high.read_by(y, 0);
      visit(row);
    }
  }
}

// Calls visit(first pixel of a row of the input) for the rows under the windows, in order; those outside are left out.
template <class Visit>
HWY_INLINE void for_each_input_row(const Windows& windows, const PoolRow& row, Visit visit) {
  const auto& [deep, high, wide] = windows;
  std::int64_t z = row.z;
  for (std::int64_t z_tap = 0; z_tap < deep.taps; ++z_tap, z += deep.dilation) {
    if (z < 0 || z >= deep.input) continue;
    std::int64_t y = row.y;
    for (std::int64_t y_tap = 0; y_tap < high.taps; ++y_tap, y += high.dilation) {
      if (y >= 0 && y < high.input) visit((z * high.input + y) * wide.input);
    }
  }
}

// The even ones of the first 2 · count - 1 elements.
template <class D>
HWY_INLINE hn::Vec<D> load_even(D d, const hn::TFromD<D>* from, std::size_t count, bool whole) {
#if HWY_TARGET == HWY_SCALAR
  (void)count;
  (void)whole;
  return hn::LoadU(d, from);
#else
  const std::size_t lanes = hn::Lanes(d);
  if (whole) return hn::ConcatEven(d, hn::LoadU(d, from + lanes), hn::LoadU(d, from));
  const std::size_t read = 2 * count - 1;
  if (read <= lanes) return hn::ConcatEven(d, hn::Zero(d), load_part(d, from, read));
  return hn::ConcatEven(d, load_part(d, from + lanes, read - lanes), hn::LoadU(d, from));
#endif
}

// The elements from[0], from[stride], … of `count` lanes. `whole`: all lanes, and what follows them may be read too.
// A kStride of 0 is any stride.
template <int kStride, class D>
HWY_INLINE hn::Vec<D> load_apart(D d, const hn::TFromD<D>* from, std::int64_t stride, std::size_t count, bool whole) {
  if constexpr (kStride == 1) {
    return whole ? hn::LoadU(d, from) : load_part(d, from, count);
  } else if constexpr (kStride == 2) {
    return load_even(d, from, count, whole);
  } else {
    HWY_ALIGN hn::TFromD<D> values[HWY_MAX_BYTES / sizeof(hn::TFromD<D>)] = {};
    for (std::size_t k = 0; k < count; ++k) values[k] = from[static_cast<std::int64_t>(k) * stride];
    return hn::Load(d, values);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace asg
HWY_AFTER_NAMESPACE();

#endif
