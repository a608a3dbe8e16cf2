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
#include "backend/cpu/vector_part-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace asg {
namespace HWY_NAMESPACE {

using cpu::MaxPlane;
using ops::Window;
using ops::Windows;

// Places have the width of the values, so that vectors of both are equally long; they count pixels of the plane, which
// are fewer than 2^31.
template <class T>
using Place = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

// A row of positions: where its windows begin on the two outer axes.
struct PoolRow {
  std::int64_t z = 0;
  std::int64_t y = 0;
  std::int64_t number = 0;  // in the plane of results
};

// The place of a pixel when the first spatial axis is the one that runs fastest.
inline std::int64_t turned_place(std::int64_t pixel, const Windows& windows) {
  const std::int64_t x = pixel % windows[2].input;
  const std::int64_t row = pixel / windows[2].input;
  const std::int64_t y = row % windows[1].input;
  const std::int64_t z = row / windows[1].input;
  return z + windows[0].input * (y + windows[1].input * x);
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

template <class T, int kStride, bool kPlaces>
class Pooler {
  using D = hn::ScalableTag<T>;
  using P = hn::ScalableTag<Place<T>>;

 public:
  HWY_INLINE Pooler(const Windows& windows, bool by_columns, const MaxPlane<T>& plane)
      : windows_(windows), by_columns_(by_columns), plane_(plane) {
    const Window& wide = windows_[2];
    for (std::int64_t tap = 0; tap < wide.taps; ++tap) {
      inner_first_ = std::max(inner_first_, wide.first_position(tap));
      inner_past_ = std::min(inner_past_, wide.past_position(tap));
    }
    inner_past_ = std::max(inner_past_, inner_first_);
  }

  HWY_INLINE void run() const {
    const auto& [deep, high, wide] = windows_;
    PoolRow row;
    for (std::int64_t z = 0; z < deep.output; ++z) {
      row.z = deep.read_by(z, 0);
      for (std::int64_t y = 0; y < high.output; ++y, ++row.number) {
        row.y = high.read_by(y, 0);
        for (std::int64_t column = 0; column < inner_first_; ++column) pool_one(row, column);
        pool_inner(row);
        for (std::int64_t column = inner_past_; column < wide.output; ++column) pool_one(row, column);
      }
    }
  }

 private:
  // The columns whose windows lie inside the input, a vector of them at a time.
  HWY_INLINE void pool_inner(const PoolRow& row) const {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d_));
    std::int64_t column = inner_first_;
    for (; column + lanes < inner_past_; column += lanes) pool_vector<true>(row, column, hn::Lanes(d_));
    if (column < inner_past_) pool_vector<false>(row, column, static_cast<std::size_t>(inner_past_ - column));
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
  std::int64_t inner_first_ = 0;
  std::int64_t inner_past_ = windows_[2].output;
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
