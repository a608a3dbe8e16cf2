#include "backend/cpu/library/average_pool.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "backend/cpu/highway.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/library/average_pool.cpp"
#include "hwy/foreach_target.h"
// After it:
#include "backend/cpu/library/pool_rows-inl.h"
#include "backend/cpu/vector_part-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace asg {
namespace HWY_NAMESPACE {

using cpu::AveragePlane;

// to[k] += values[k] for `count` elements, at most those of a vector.
template <class D>
HWY_INLINE void add_to(D d, hn::TFromD<D>* to, hn::Vec<D> values, std::size_t count) {
  if (count == hn::Lanes(d)) {
    hn::StoreU(hn::Add(hn::LoadU(d, to), values), d, to);
  } else {
    store_part(hn::Add(load_part(d, to, count), values), d, to, count);
  }
}

template <class T, int kStride>
class Averager {
  using D = hn::ScalableTag<T>;

 public:
  HWY_INLINE Averager(const Windows& windows, const AveragePlane<T>& plane)
      : windows_(windows), plane_(plane), inner_(inner_columns(windows[2])) {}

  HWY_INLINE void average() const {
    for_each_column([&](const PoolRow& row, std::int64_t column) HWY_ATTR { average_one(row, column); },
                    [&](const PoolRow& row, std::int64_t column, std::size_t count) HWY_ATTR {
                      average_vector(row, column, count, column + static_cast<std::int64_t>(count) < inner_.past);
                    });
  }

  HWY_INLINE void spread() const {
    std::fill_n(plane_.to, ops::pixels_of(windows_), T(0));
    for_each_column([&](const PoolRow& row, std::int64_t column) HWY_ATTR { spread_one(row, column); },
                    [&](const PoolRow& row, std::int64_t column, std::size_t count)
                        HWY_ATTR { spread_vector(row, column, count); });
  }

 private:
  // Windows that reach beyond the input along the row one by one, the others a vector of them at a time.
  template <class One, class Vector>
  HWY_INLINE void for_each_column(One one, Vector vector) const {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d_));
    for_each_pool_row(windows_, [&](const PoolRow& row) HWY_ATTR {
      for (std::int64_t column = 0; column < inner_.first; ++column) one(row, column);
      for (std::int64_t column = inner_.first; column < inner_.past; column += lanes) {
        vector(row, column, static_cast<std::size_t>(std::min(lanes, inner_.past - column)));
      }
      for (std::int64_t column = inner_.past; column < windows_[2].output; ++column) one(row, column);
    });
  }

  std::int64_t position(const PoolRow& row, std::int64_t column) const {
    return row.number * windows_[2].output + column;
  }

  HWY_INLINE void average_vector(const PoolRow& row, std::int64_t column, std::size_t count, bool more) const {
    const Window& wide = windows_[2];
    const std::int64_t first = wide.read_by(column, 0);
    // What follows a whole vector is there where another one comes.
    const bool whole = more && count == hn::Lanes(d_);
    hn::Vec<D> sum = hn::Zero(d_);
    for_each_input_row(windows_, row, [&](std::int64_t start) HWY_ATTR {
      std::int64_t pixel = start + first;
      for (std::int64_t tap = 0; tap < wide.taps; ++tap, pixel += wide.dilation) {
        sum = hn::Add(sum, load_apart<kStride>(d_, plane_.from + pixel, wide.stride, count, whole));
      }
    });
    const std::int64_t to = position(row, column);
    if (count == hn::Lanes(d_)) {
      hn::StoreU(hn::Mul(sum, hn::LoadU(d_, plane_.shares + to)), d_, plane_.to + to);
    } else {
      store_part(hn::Mul(sum, load_part(d_, plane_.shares + to, count)), d_, plane_.to + to, count);
    }
  }

  void average_one(const PoolRow& row, std::int64_t column) const {
    T sum = 0;
    for_each_pixel(row, column, [&](std::int64_t pixel) { sum += plane_.from[pixel]; });
    const std::int64_t to = position(row, column);
    plane_.to[to] = sum * plane_.shares[to];
  }

  HWY_INLINE void spread_vector(const PoolRow& row, std::int64_t column, std::size_t count) const {
    const std::int64_t from = position(row, column);
    const bool full = count == hn::Lanes(d_);
    const hn::Vec<D> grad = full ? hn::LoadU(d_, plane_.from + from) : load_part(d_, plane_.from + from, count);
    const hn::Vec<D> share = full ? hn::LoadU(d_, plane_.shares + from) : load_part(d_, plane_.shares + from, count);
    const std::int64_t first = windows_[2].read_by(column, 0);
    for_each_input_row(windows_, row, [&](std::int64_t start) HWY_ATTR {
      spread_row(plane_.to + start + first, hn::Mul(grad, share), count);
    });
  }

  // Adds the values at the pixels of all taps in one row. Two neighbouring taps with a stride of 2 cover all pixels
  // from the first to the last.
  HWY_INLINE void spread_row(T* to, hn::Vec<D> values, std::size_t count) const {
    const Window& wide = windows_[2];
    HWY_ALIGN T pairs[2 * HWY_MAX_BYTES / sizeof(T)];
    if constexpr (kStride == 0) hn::Store(values, d_, pairs);
    for (std::int64_t tap = 0; tap < wide.taps; ++tap, to += wide.dilation) {
      if constexpr (kStride == 1) {
        add_to(d_, to, values, count);
      } else if constexpr (kStride == 2) {
        const bool both = wide.dilation == 1 && tap + 1 < wide.taps;
        hn::StoreInterleaved2(values, both ? values : hn::Zero(d_), d_, pairs);
        add_pairs(to, pairs, both ? 2 * count : 2 * count - 1);
        if (!both) continue;
        ++tap;
        ++to;
      } else {
        for (std::size_t k = 0; k < count; ++k) to[static_cast<std::int64_t>(k) * wide.stride] += pairs[k];
      }
    }
  }

  HWY_INLINE void add_pairs(T* to, const T* pairs, std::size_t count) const {
    const std::size_t lanes = hn::Lanes(d_);
    add_to(d_, to, hn::Load(d_, pairs), std::min(count, lanes));
    if (count > lanes) add_to(d_, to + lanes, hn::Load(d_, pairs + lanes), count - lanes);
  }

  void spread_one(const PoolRow& row, std::int64_t column) const {
    const std::int64_t from = position(row, column);
    const T value = plane_.from[from] * plane_.shares[from];
    for_each_pixel(row, column, [&](std::int64_t pixel) { plane_.to[pixel] += value; });
  }

  template <class Visit>
  void for_each_pixel(const PoolRow& row, std::int64_t column, Visit visit) const {
    const Window& wide = windows_[2];
    for_each_input_row(windows_, row, [&](std::int64_t start) {
      for (std::int64_t tap = 0; tap < wide.taps; ++tap) {
        const std::int64_t x = wide.read_by(column, tap);
        if (x >= 0 && x < wide.input) visit(start + x);
      }
    });
  }

  D d_;
  const Windows windows_;
  const AveragePlane<T> plane_;
  const InnerColumns inner_;
};

template <class T>
HWY_INLINE void average_plane(const Windows& windows, const AveragePlane<T>& plane) {
  if (windows[2].stride == 1) return Averager<T, 1>(windows, plane).average();
  if (windows[2].stride == 2) return Averager<T, 2>(windows, plane).average();
  Averager<T, 0>(windows, plane).average();
}

template <class T>
HWY_INLINE void spread_plane(const Windows& windows, const AveragePlane<T>& plane) {
  if (windows[2].stride == 1) return Averager<T, 1>(windows, plane).spread();
  if (windows[2].stride == 2) return Averager<T, 2>(windows, plane).spread();
  Averager<T, 0>(windows, plane).spread();
}

HWY_NOINLINE void average_f32(const Windows& windows, const AveragePlane<float>& plane) {
  average_plane(windows, plane);
}
HWY_NOINLINE void average_f64(const Windows& windows, const AveragePlane<double>& plane) {
  average_plane(windows, plane);
}
HWY_NOINLINE void spread_f32(const Windows& windows, const AveragePlane<float>& plane) { spread_plane(windows, plane); }
HWY_NOINLINE void spread_f64(const Windows& windows, const AveragePlane<double>& plane) {
  spread_plane(windows, plane);
}

}  // namespace HWY_NAMESPACE
}  // namespace asg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asg {

HWY_EXPORT(average_f32);
HWY_EXPORT(average_f64);
HWY_EXPORT(spread_f32);
HWY_EXPORT(spread_f64);

namespace cpu {

void average_pool_plane(const ops::Windows& windows, const AveragePlane<float>& plane) {
  HWY_DYNAMIC_DISPATCH(average_f32)(windows, plane);
}
void average_pool_plane(const ops::Windows& windows, const AveragePlane<double>& plane) {
  HWY_DYNAMIC_DISPATCH(average_f64)(windows, plane);
}

void average_pool_gradient_plane(const ops::Windows& windows, const AveragePlane<float>& plane) {
  HWY_DYNAMIC_DISPATCH(spread_f32)(windows, plane);
}
void average_pool_gradient_plane(const ops::Windows& windows, const AveragePlane<double>& plane) {
  HWY_DYNAMIC_DISPATCH(spread_f64)(windows, plane);
}

}  // namespace cpu
}  // namespace asg
#endif  // HWY_ONCE
