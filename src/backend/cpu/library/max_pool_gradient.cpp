#include "backend/cpu/library/max_pool_gradient.h"

#include <algorithm>
#include <atomic>
#include <functional>

#include "ops/support/indexing.h"

namespace asg::cpu {
namespace {

constexpr std::int64_t kSpreadPerTask = 32 * 1024;

// Whether some place lies outside its own plane; such a gradient is left out.
template <class T>
bool add_plane(const T* grad, const std::int64_t* places, std::int64_t positions, std::int64_t first,
               std::int64_t pixels, T* plane) {
  std::fill_n(plane, pixels, T(0));
  bool strays = false;
  for (std::int64_t k = 0; k < positions; ++k) {
    const auto place = static_cast<std::uint64_t>(places[k] - first);
    if (place < static_cast<std::uint64_t>(pixels)) {
      plane[place] += grad[k];
    } else {
      strays = true;
    }
  }
  return strays;
}

template <class T>
void add_strays(const MaxPoolGradientSpec& spec, const T* grad, const std::int64_t* places, T* x) {
  for (std::int64_t k = 0; k < spec.planes * spec.positions; ++k) {
    const std::int64_t place = ops::wrapped_index(places[k], spec.planes * spec.pixels, "MaxPoolGrad");
    if (places[k] < 0 || place / spec.pixels != k / spec.positions) x[place] += grad[k];
  }
}

template <class T>
void run(const MaxPoolGradientSpec& spec, const T* grad, const std::int64_t* places, T* x, ThreadPool& pool) {
  std::atomic<bool> strays{false};
  const auto planes = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t plane = begin; plane < end; ++plane) {
      const std::int64_t position = plane * spec.positions;
      const std::int64_t first = plane * spec.pixels;
      if (add_plane(grad + position, places + position, spec.positions, first, spec.pixels, x + first)) {
        strays.store(true, std::memory_order_relaxed);
      }
    }
  };
  const std::int64_t elements = std::max<std::int64_t>(1, spec.positions + spec.pixels);
  pool.for_ranges(spec.planes, std::max<std::int64_t>(1, kSpreadPerTask / elements), std::ref(planes));
  if (strays.load(std::memory_order_relaxed)) add_strays(spec, grad, places, x);
}

}  // namespace

void max_pool_gradient(const MaxPoolGradientSpec& spec, const void* grad, const std::int64_t* places, void* x,
                       ThreadPool& pool) {
  if (spec.dtype == DType::f32) return run(spec, static_cast<const float*>(grad), places, static_cast<float*>(x), pool);
  run(spec, static_cast<const double*>(grad), places, static_cast<double*>(x), pool);
}

}  // namespace asg::cpu
