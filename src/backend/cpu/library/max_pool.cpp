#include "backend/cpu/library/max_pool.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace asg::cpu {
namespace {

constexpr std::int64_t kStripColumns = 256;

// Candidates and the best so far, column by column. Places have the width of the values, so that both fill vectors of
// the same length; they count pixels of the plane, which are fewer than 2^31 wherever values have 32 bits.
template <class T>
struct Strip {
  using Place = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  T best[kStripColumns];
  Place places[kStripColumns];
};

// NaN is larger than all but NaN: better where the best is a number and the candidate is not at most as large.
template <class T>
void take_larger(const T* from, std::int64_t stride, typename Strip<T>::Place pixel, std::int64_t count, T* best,
                 typename Strip<T>::Place* places) {
  using Place = typename Strip<T>::Place;
  for (std::int64_t k = 0; k < count; ++k) {
    const T candidate = from[k * stride];
    const bool better = (places[k] < 0) | (!std::isnan(best[k]) & !(candidate <= best[k]));
    best[k] = better ? candidate : best[k];
    places[k] = better ? static_cast<Place>(pixel + static_cast<Place>(k * stride)) : places[k];
  }
}

// The place of a pixel when the first spatial axis is the one that runs fastest.
std::int64_t turned_place(std::int64_t pixel, const ops::Windows& windows) {
  const std::int64_t x = pixel % windows[2].input;
  const std::int64_t row = pixel / windows[2].input;
  const std::int64_t y = row % windows[1].input;
  const std::int64_t z = row / windows[1].input;
  return z + windows[0].input * (y + windows[1].input * x);
}

// The columns from `first` to before `last` of one row of positions.
template <class T>
void pool_strip(const ops::Windows& windows, std::int64_t row, std::int64_t first, std::int64_t last, const T* x,
                Strip<T>& strip) {
  const auto& [deep, high, wide] = windows;
  std::fill_n(strip.best, last - first, T(0));
  std::fill_n(strip.places, last - first, -1);
  for (std::int64_t z_tap = 0; z_tap < deep.taps; ++z_tap) {
    const std::int64_t z = deep.read_by(row / high.output, z_tap);
    if (z < 0 || z >= deep.input) continue;
    for (std::int64_t y_tap = 0; y_tap < high.taps; ++y_tap) {
      const std::int64_t y = high.read_by(row % high.output, y_tap);
      if (y < 0 || y >= high.input) continue;
      for (std::int64_t x_tap = 0; x_tap < wide.taps; ++x_tap) {
        const std::int64_t begin = std::clamp(wide.first_position(x_tap), first, last);
        const std::int64_t end = std::clamp(wide.past_position(x_tap), begin, last);
        const std::int64_t pixel = (z * high.input + y) * wide.input + wide.read_by(begin, x_tap);
        take_larger(x + pixel, wide.stride, static_cast<typename Strip<T>::Place>(pixel), end - begin,
                    strip.best + (begin - first), strip.places + (begin - first));
      }
    }
  }
}

template <class T>
void pool_plane(const ops::Windows& windows, bool by_columns, const MaxPlane<T>& plane) {
  Strip<T> strip;
  const std::int64_t columns = windows[2].output;
  const std::int64_t rows = windows[0].output * windows[1].output;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t first = 0; first < columns; first += kStripColumns) {
      const std::int64_t last = std::min(columns, first + kStripColumns);
      pool_strip(windows, row, first, last, plane.x, strip);
      std::copy_n(strip.best, last - first, plane.y + row * columns + first);
      if (plane.places == nullptr) continue;
      std::int64_t* places = plane.places + row * columns + first;
      for (std::int64_t k = 0; k < last - first; ++k) {
        const auto place = static_cast<std::int64_t>(strip.places[k]);
        places[k] = plane.offset + (by_columns ? turned_place(place, windows) : place);
      }
    }
  }
}

}  // namespace

void max_pool_plane(const ops::Windows& windows, bool by_columns, const MaxPlane<float>& plane) {
  pool_plane(windows, by_columns, plane);
}
void max_pool_plane(const ops::Windows& windows, bool by_columns, const MaxPlane<double>& plane) {
  pool_plane(windows, by_columns, plane);
}

}  // namespace asg::cpu
