#include "backend/cpu/library/max_pool.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "backend/cpu/highway.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/library/max_pool.cpp"
#include "hwy/foreach_target.h"
// After it:
#include "backend/cpu/library/pool_rows-inl.h"
#include "backend/cpu/vector_part-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace asg {
namespace HWY_NAMESPACE {

using cpu::MaxPlane;

// Places have the width of the values, so that vectors of both are equally long; they count pixels of the plane, which
// are fewer than 2^31.
template <class T>
using Place = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

// The place of a pixel when the first spatial axis is the one that runs fastest.
inline std::int64_t turned_place(std::int64_t pixel, const Windows& windows) {
  const std::int64_t x = pixel % windows[2].input;
  const std::int64_t row = pixel / windows[2].input;
  const std::int64_t y = row % windows[1].input;
  const std::int64_t z = row / windows[1].input;
  return z + windows[0].input * (y + windows[1].input * x);
}

template <class T, int kStride, bool kPlaces>
class Pooler {
  using D = hn::ScalableTag<T>;
  using P = hn::ScalableTag<Place<T>>;

 public:
  HWY_INLINE Pooler(const Windows& windows, bool by_columns, const MaxPlane<T>& plane)
      : windows_(windows), by_columns_(by_columns), plane_(plane), inner_(inner_columns(windows[2])) {}

  HWY_INLINE void run() const {
    for_each_pool_row(windows_, [&](const PoolRow& row) HWY_ATTR {
      for (std::int64_t column = 0; column < inner_.first; ++column) pool_one(row, column);
      pool_inner(row);
      for (std::int64_t column = inner_.past; column < windows_[2].output; ++column) pool_one(row, column);
    });
  }

 private:
  // The columns whose windows lie inside the input, a vector of them at a time.
  HWY_INLINE void pool_inner(const PoolRow& row) const {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d_));
    std::int64_t column = inner_.first;
    for (; column + lanes < inner_.past; column += lanes) pool_vector<true>(row, column, hn::Lanes(d_));
    if (column < inner_.past) pool_vector<false>(row, column, static_cast<std::size_t>(inner_.past - column));
  }

  // NaN is larger than all but NaN: better where the best is a number and the candidate is not at most as large.
  template <bool kWhole>
  HWY_INLINE void pool_vector(const PoolRow& row, std::int64_t column, std::size_t count) const {
    const Window& wide = windows_[2];
    const std::int64_t first = wide.read_by(column, 0);
    hn::Vec<D> best = hn::Zero(d_);
    hn::Vec<P> pixels = hn::Zero(p_);
    bool begun = false;
    for_each_input_row(windows_, row, [&](std::int64_t start) HWY_ATTR {
      std::int64_t pixel = start + first;
      for (std::int64_t tap = 0; tap < wide.taps; ++tap, pixel += wide.dilation) {
        const hn::Vec<D> next = load_apart<kStride>(d_, plane_.x + pixel, wide.stride, count, kWhole);
        const hn::Vec<P> here = hn::Set(p_, static_cast<Place<T>>(pixel));
        if (!begun) {
          best = next;
          pixels = here;
          begun = true;
          continue;
        }
        const auto kept = hn::Or(hn::Le(next, best), hn::IsNaN(best));
        best = hn::IfThenElse(kept, best, next);
        if constexpr (kPlaces) pixels = hn::IfThenElse(hn::RebindMask(p_, kept), pixels, here);
      }
    });
    const std::int64_t to = row.number * wide.output + column;
    if constexpr (kWhole) {
      hn::StoreU(best, d_, plane_.y + to);
    } else {
      store_part(best, d_, plane_.y + to, count);
    }
    if constexpr (kPlaces) store_places(pixels, plane_.places + to, count);
  }

  HWY_INLINE void store_places(hn::Vec<P> pixels, std::int64_t* to, std::size_t count) const {
    HWY_ALIGN Place<T> numbers[HWY_MAX_BYTES / sizeof(Place<T>)];
    const auto step = hn::Set(p_, static_cast<Place<T>>(windows_[2].stride));
    hn::Store(hn::Add(pixels, hn::Mul(hn::Iota(p_, 0), step)), p_, numbers);
    if (by_columns_) {
      for (std::size_t k = 0; k < count; ++k) to[k] = plane_.offset + turned_place(numbers[k], windows_);
      return;
    }
    const hn::ScalableTag<std::int64_t> longs;
    const hn::Rebind<Place<T>, decltype(longs)> narrow;
    const std::size_t lanes = hn::Lanes(longs);
    const auto offset = hn::Set(longs, plane_.offset);
    for (std::size_t k = 0; k < count; k += lanes) {
      const auto places = hn::Add(widened(longs, hn::Load(narrow, numbers + k)), offset);
      if (k + lanes <= count) {
        hn::StoreU(places, longs, to + k);
      } else {
        store_part(places, longs, to + k, count - k);
      }
    }
  }

  template <class L, class V>
  static HWY_INLINE hn::Vec<L> widened(L longs, V places) {
    if constexpr (sizeof(Place<T>) == 8) {
      return places;
    } else {
      return hn::PromoteTo(longs, places);
    }
  }

  // A window that reaches beyond the input along the row.
  void pool_one(const PoolRow& row, std::int64_t column) const {
    const Window& wide = windows_[2];
    std::int64_t place = -1;
    T best = 0;
    for_each_input_row(windows_, row, [&](std::int64_t start) {
      for (std::int64_t tap = 0; tap < wide.taps; ++tap) {
        const std::int64_t x = wide.read_by(column, tap);
        if (x < 0 || x >= wide.input) continue;
        const T next = plane_.x[start + x];
        if (place >= 0 && (std::isnan(best) || next <= best)) continue;
        best = next;
        place = start + x;
      }
    });
    const std::int64_t to = row.number * wide.output + column;
    plane_.y[to] = best;
    if constexpr (kPlaces) plane_.places[to] = plane_.offset + (by_columns_ ? turned_place(place, windows_) : place);
  }

  D d_;
  P p_;
  const Windows windows_;
  const bool by_columns_;
  const MaxPlane<T> plane_;
  const InnerColumns inner_;
};

template <class T, int kStride>
HWY_INLINE void pool_apart(const Windows& windows, bool by_columns, const MaxPlane<T>& plane) {
  if (plane.places == nullptr) return Pooler<T, kStride, false>(windows, by_columns, plane).run();
  Pooler<T, kStride, true>(windows, by_columns, plane).run();
}

template <class T>
HWY_INLINE void pool_plane(const Windows& windows, bool by_columns, const MaxPlane<T>& plane) {
  if (windows[2].stride == 1) return pool_apart<T, 1>(windows, by_columns, plane);
  if (windows[2].stride == 2) return pool_apart<T, 2>(windows, by_columns, plane);
  pool_apart<T, 0>(windows, by_columns, plane);
}

HWY_NOINLINE void pool_plane_f32(const Windows& windows, bool by_columns, const MaxPlane<float>& plane) {
  pool_plane(windows, by_columns, plane);
}

HWY_NOINLINE void pool_plane_f64(const Windows& windows, bool by_columns, const MaxPlane<double>& plane) {
  pool_plane(windows, by_columns, plane);
}

}  // namespace HWY_NAMESPACE
}  // namespace asg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asg {

HWY_EXPORT(pool_plane_f32);
HWY_EXPORT(pool_plane_f64);

namespace cpu {

void max_pool_plane(const ops::Windows& windows, bool by_columns, const MaxPlane<float>& plane) {
  HWY_DYNAMIC_DISPATCH(pool_plane_f32)(windows, by_columns, plane);
}

void max_pool_plane(const ops::Windows& windows, bool by_columns, const MaxPlane<double>& plane) {
  HWY_DYNAMIC_DISPATCH(pool_plane_f64)(windows, by_columns, plane);
}

}  // namespace cpu
}  // namespace asg
#endif  // HWY_ONCE
