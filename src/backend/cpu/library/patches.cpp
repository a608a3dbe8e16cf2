#include "backend/cpu/library/patches.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace asg::cpu {
namespace {

// Copies in pieces of a fixed size, which become a few instructions; the last piece overlaps the one before.
template <std::size_t piece>
void copy_pieces(const std::byte* from, std::byte* to, std::size_t bytes) {
  std::size_t at = 0;
  for (; at + piece <= bytes; at += piece) std::memcpy(to + at, from + at, piece);
  if (at < bytes) std::memcpy(to + bytes - piece, from + bytes - piece, piece);
}

// Runs are a row of a picture long: too short for a call of memcpy.
template <class T>
void copy_run(const T* from, T* to, std::int64_t count) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
  const auto* source = reinterpret_cast<const std::byte*>(from);
  auto* target = reinterpret_cast<std::byte*>(to);
  if (bytes >= 64) return copy_pieces<64>(source, target, bytes);
  if (bytes >= 16) return copy_pieces<16>(source, target, bytes);
  for (std::int64_t k = 0; k < count; ++k) to[k] = from[k];
}

template <class T>
void copy_strided(const T* from, std::int64_t stride, T* to, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) to[k] = from[k * stride];
}

template <class T>
void add_run(const T* __restrict from, T* __restrict to, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) to[k] += from[k];
}

template <class T>
void add_strided(const T* from, T* to, std::int64_t stride, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) to[k * stride] += from[k];
}

// One tap: calls inside(at, pixel, count) for runs of columns that read pixels, windows[2].stride apart, and
// outside(at, count) for those in the padding. `at` counts columns of the patches.
template <class Inside, class Outside>
void for_each_run(const ops::Windows& windows, std::int64_t tap, const PatchRange& range, Inside inside,
                  Outside outside) {
  const auto& [deep, high, wide] = windows;
  const std::int64_t x_tap = tap % wide.taps;
  const std::int64_t y_tap = tap / wide.taps % high.taps;
  const std::int64_t z_tap = tap / (wide.taps * high.taps);
  const std::int64_t first_inside = wide.first_position(x_tap);
  const std::int64_t past_inside = std::max(first_inside, wide.past_position(x_tap));
  for (std::int64_t position = range.first; position < range.last;) {
    const std::int64_t row = position / wide.output;
    const std::int64_t left = position - row * wide.output;
    const std::int64_t right = std::min(wide.output, left + range.last - position);
    const std::int64_t at = position - range.first;
    const std::int64_t z = deep.read_by(row / high.output, z_tap);
    const std::int64_t y = high.read_by(row % high.output, y_tap);
    position += right - left;
    if (z < 0 || z >= deep.input || y < 0 || y >= high.input) {
      outside(at, right - left);
      continue;
    }
    const std::int64_t begin = std::clamp(first_inside, left, right);
    const std::int64_t end = std::clamp(past_inside, begin, right);
    if (begin > left) outside(at, begin - left);
    if (end > begin) {
      inside(at + begin - left, (z * high.input + y) * wide.input + wide.read_by(begin, x_tap), end - begin);
    }
    if (right > end) outside(at + end - left, right - end);
  }
}

// All taps of all channels: pixels and columns are counted from the first of all.
template <class Inside, class Outside>
void for_each_run(const ops::Windows& windows, const PatchRange& range, Inside inside, Outside outside) {
  const std::int64_t taps = ops::taps_of(windows);
  std::int64_t column = 0;
  for (std::int64_t channel = 0; channel < range.channels; ++channel) {
    const std::int64_t first_pixel = channel * ops::pixels_of(windows);
    for (std::int64_t tap = 0; tap < taps; ++tap, column += range.last - range.first) {
      for_each_run(
          windows, tap, range,
          [&](std::int64_t at, std::int64_t pixel, std::int64_t count) {
            inside(column + at, first_pixel + pixel, count);
          },
          [&](std::int64_t at, std::int64_t count) { outside(column + at, count); });
    }
  }
}

template <class T>
void read(const ops::Windows& windows, const PatchRange& range, const T* pixels, T* patches) {
  const std::int64_t stride = windows[2].stride;
  const auto inside = [&](std::int64_t column, std::int64_t pixel, std::int64_t count) {
    if (stride == 1) {
      copy_run(pixels + pixel, patches + column, count);
    } else {
      copy_strided(pixels + pixel, stride, patches + column, count);
    }
  };
  for_each_run(windows, range, inside,
               [&](std::int64_t column, std::int64_t count) { std::fill_n(patches + column, count, T(0)); });
}

template <class T>
void add(const ops::Windows& windows, const PatchRange& range, const T* patches, T* pixels) {
  const std::int64_t stride = windows[2].stride;
  const auto inside = [&](std::int64_t column, std::int64_t pixel, std::int64_t count) {
    if (stride == 1) {
      add_run(patches + column, pixels + pixel, count);
    } else {
      add_strided(patches + column, pixels + pixel, stride, count);
    }
  };
  for_each_run(windows, range, inside, [](std::int64_t, std::int64_t) {});
}

}  // namespace

void read_patches(const ops::Windows& windows, const PatchRange& range, const float* pixels, float* patches) {
  read(windows, range, pixels, patches);
}
void read_patches(const ops::Windows& windows, const PatchRange& range, const double* pixels, double* patches) {
  read(windows, range, pixels, patches);
}
void add_patches(const ops::Windows& windows, const PatchRange& range, const float* patches, float* pixels) {
  add(windows, range, patches, pixels);
}
void add_patches(const ops::Windows& windows, const PatchRange& range, const double* patches, double* pixels) {
  add(windows, range, patches, pixels);
}

bool patches_are_pixels(const ops::Windows& windows) {
  return std::all_of(windows.begin(), windows.end(), [](const ops::Window& window) {
    return window.taps == 1 && window.stride == 1 && window.pad == 0 && window.output == window.input;
  });
}

}  // namespace asg::cpu
