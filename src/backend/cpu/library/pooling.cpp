#include "backend/cpu/library/pooling.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include "asg/core/error.h"
#include "backend/cpu/library/average_pool.h"
#include "backend/cpu/library/max_pool.h"

namespace asg::cpu {
namespace {

constexpr std::int64_t kPooledPerTask = 32 * 1024;

// The number of elements under each window of an axis that count. Of the padding only what lies within the padded input
// does, never what ceil_mode reaches beyond it.
std::vector<double> counted_along(const ops::Window& window, bool count_padding) {
  std::vector<double> counts;
  for (std::int64_t position = 0; position < window.output; ++position) {
    double count = 0;
    for (std::int64_t tap = 0; tap < window.taps; ++tap) {
      const std::int64_t read = window.read_by(position, tap);
      const bool inside = read >= 0 && read < window.input;
      if (inside || (count_padding && read < window.input + window.pad_after)) ++count;
    }
    counts.push_back(count);
  }
  return counts;
}

std::vector<double> shares_of(const PoolingSpec& spec) {
  std::vector<double> shares = {1};
  for (const ops::Window& window : spec.windows) {
    std::vector<double> longer;
    const std::vector<double> counts = counted_along(window, spec.count_padding);
    for (const double share : shares) {
      for (const double count : counts) longer.push_back(share / count);
    }
    shares = std::move(longer);
  }
  return shares;
}

template <class Body>
void dispatch(DType dtype, const Body& body) {
  if (dtype == DType::f32) {
    body.template operator()<float>();
  } else {
    body.template operator()<double>();
  }
}

}  // namespace

Pooling::Pooling(const PoolingSpec& spec)
    : spec_(spec), shares_(shares_of(spec)), shares_f32_(shares_.begin(), shares_.end()) {
  internal_check(spec.dtype == DType::f32 || spec.dtype == DType::f64, "Pooling computes in f32 and f64");
  internal_check(ops::pixels_of(spec.windows) <= std::numeric_limits<std::int32_t>::max(),
                 "a plane of a pool has more elements than places of 32 bits can count");
}

template <class T>
const T* Pooling::shares() const {
  if constexpr (std::is_same_v<T, float>) {
    return shares_f32_.data();
  } else {
    return shares_.data();
  }
}

// Calls body(plane) for all.
template <class Body>
void Pooling::for_planes(ThreadPool& pool, PlanesDone after, const Body& body) const {
  const std::int64_t elements = ops::pixels_of(spec_.windows) + ops::positions_of(spec_.windows);
  const auto planes = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t plane = first; plane < last; ++plane) body(plane);
    if (after) after(first, last);
  };
  pool.for_ranges(spec_.planes, std::max<std::int64_t>(1, kPooledPerTask / elements), std::ref(planes));
}

void Pooling::max(const void* x, void* y, std::int64_t* places, ThreadPool& pool, PlanesDone after) const {
  const std::int64_t pixels = ops::pixels_of(spec_.windows);
  const std::int64_t positions = ops::positions_of(spec_.windows);
  dispatch(spec_.dtype, [&]<class T>() {
    for_planes(pool, after, [&](std::int64_t plane) {
      const MaxPlane<T> planes{static_cast<const T*>(x) + plane * pixels, static_cast<T*>(y) + plane * positions,
                               places == nullptr ? nullptr : places + plane * positions, plane * pixels};
      max_pool_plane(spec_.windows, spec_.by_columns, planes);
    });
  });
}

void Pooling::average(const void* x, void* y, ThreadPool& pool, PlanesDone after) const {
  const std::int64_t pixels = ops::pixels_of(spec_.windows);
  const std::int64_t positions = ops::positions_of(spec_.windows);
  dispatch(spec_.dtype, [&]<class T>() {
    for_planes(pool, after, [&](std::int64_t plane) {
      const AveragePlane<T> planes{static_cast<const T*>(x) + plane * pixels, static_cast<T*>(y) + plane * positions,
                                   shares<T>()};
      average_pool_plane(spec_.windows, planes);
    });
  });
}

void Pooling::average_gradient(const void* grad, void* x, ThreadPool& pool, PlanesDone after) const {
  const std::int64_t pixels = ops::pixels_of(spec_.windows);
  const std::int64_t positions = ops::positions_of(spec_.windows);
  dispatch(spec_.dtype, [&]<class T>() {
    for_planes(pool, after, [&](std::int64_t plane) {
      const AveragePlane<T> planes{static_cast<const T*>(grad) + plane * positions, static_cast<T*>(x) + plane * pixels,
                                   shares<T>()};
      average_pool_gradient_plane(spec_.windows, planes);
    });
  });
}

}  // namespace asg::cpu
