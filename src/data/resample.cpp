#include "resample.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "asg/core/error.h"

namespace asg::data {
namespace {

// Which old numbers make a new one along an axis, and with which weights.
struct Tap {
  std::int64_t first = 0;
  std::vector<float> weights = {};
};

std::vector<Tap> taps_of(std::int64_t before, std::int64_t after) {
  const double scale = static_cast<double>(before) / static_cast<double>(after);
  const double reach = std::max(scale, 1.0);
  std::vector<Tap> taps(static_cast<std::size_t>(after));
  for (std::int64_t place = 0; place < after; ++place) {
    Tap& tap = taps[static_cast<std::size_t>(place)];
    const double centre = (static_cast<double>(place) + 0.5) * scale;
    tap.first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(centre - reach + 0.5)));
    const std::int64_t last = std::min(before, static_cast<std::int64_t>(std::floor(centre + reach + 0.5)));
    std::vector<double> weights;
    double sum = 0;
    for (std::int64_t k = tap.first; k < last; ++k) {
      const double distance = std::abs(static_cast<double>(k) + 0.5 - centre) / reach;
      weights.push_back(std::max(0.0, 1 - distance));
      sum += weights.back();
    }
    for (const double weight : weights) tap.weights.push_back(static_cast<float>(weight / sum));
  }
  return taps;
}

template <class Number>
Number rounded(float value) {
  if constexpr (std::is_same_v<Number, float>) {
    return value;
  } else {
    return static_cast<Number>(std::clamp(std::lround(value), 0L, 255L));
  }
}

template <class Number>
void resample_as(std::int64_t planes, const Number* from, std::int64_t full_height, std::int64_t full_width,
                 const Window& window, Number* to, std::int64_t height, std::int64_t width) {
  const std::vector<Tap> across = taps_of(window.width, width);
  const std::vector<Tap> down = taps_of(window.height, height);
  std::vector<float> narrowed(static_cast<std::size_t>(window.height * width));
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    for (std::int64_t row = 0; row < window.height; ++row) {
      const Number* line = from + (plane * full_height + window.top + row) * full_width + window.left;
      float* target = narrowed.data() + row * width;
      for (const Tap& tap : across) {
        float sum = 0;
        for (std::size_t k = 0; k < tap.weights.size(); ++k) {
          sum += tap.weights[k] * static_cast<float>(line[tap.first + static_cast<std::int64_t>(k)]);
        }
        *target++ = sum;
      }
    }
    std::vector<float> sums(static_cast<std::size_t>(width));
    for (std::int64_t row = 0; row < height; ++row) {
      const Tap& tap = down[static_cast<std::size_t>(row)];
      std::fill(sums.begin(), sums.end(), 0.0F);
      for (std::size_t k = 0; k < tap.weights.size(); ++k) {
        const float* line = narrowed.data() + (tap.first + static_cast<std::int64_t>(k)) * width;
        for (std::size_t column = 0; column < sums.size(); ++column) sums[column] += tap.weights[k] * line[column];
      }
      Number* target = to + (plane * height + row) * width;
      for (const float sum : sums) *target++ = rounded<Number>(sum);
    }
  }
}

}  // namespace

void resample(DType dtype, std::int64_t planes, const std::byte* from, std::int64_t full_height,
              std::int64_t full_width, const Window& window, std::byte* to, std::int64_t height, std::int64_t width) {
  if (dtype == DType::u8) {
    resample_as(planes, reinterpret_cast<const std::uint8_t*>(from), full_height, full_width, window,
                reinterpret_cast<std::uint8_t*>(to), height, width);
    return;
  }
  internal_check(dtype == DType::f32, "pictures are resized as u8 or f32");
  resample_as(planes, reinterpret_cast<const float*>(from), full_height, full_width, window,
              reinterpret_cast<float*>(to), height, width);
}

}  // namespace asg::data
