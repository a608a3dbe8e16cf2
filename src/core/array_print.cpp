#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "asg/core/array.h"

namespace asg {
namespace {

// Whether the text stands for this very value of a float dtype.
bool reads_back(const char* text, double value, DType dtype) {
  switch (dtype) {
    case DType::f32:
      return static_cast<double>(std::strtof(text, nullptr)) == value;
    case DType::f16:
      return static_cast<double>(f16_to_f32(f64_to_f16(std::strtod(text, nullptr)))) == value;
    case DType::bf16:
      return static_cast<double>(bf16_to_f32(f64_to_bf16(std::strtod(text, nullptr)))) == value;
    default:
      return std::strtod(text, nullptr) == value;
  }
}

// The process may have set a locale with another decimal point, of perhaps more than one byte.
std::string with_point(const char* text) {
  std::string result;
  bool in_point = false;
  for (; *text != '\0'; ++text) {
    const bool known = (*text >= '0' && *text <= '9') || *text == '-' || *text == '+' || *text == 'e';
    if (known) {
      result += *text;
    } else if (!in_point) {
      result += '.';
    }
    in_point = !known;
  }
  return result;
}

// The fewest digits that read back. std::to_chars would do it, but older standard libraries lack it for floats.
std::string float_text(double value, DType dtype) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  constexpr int kEnough = 16;  // after the first digit, for every f64
  std::array<char, 64> buffer{};
  int digits = 0;
  for (; digits <= kEnough; ++digits) {
    std::snprintf(buffer.data(), buffer.size(), "%.*e", digits, value);
    if (reads_back(buffer.data(), value, dtype)) break;
  }
  // Plain where people read it more easily.
  const int exponent = std::atoi(std::strchr(buffer.data(), 'e') + 1);
  if (exponent >= -4 && exponent < 16) {
    std::snprintf(buffer.data(), buffer.size(), "%.*f", std::max(0, digits - exponent), value);
  }
  return with_point(buffer.data());
}

std::string element_text(const Array& array, std::int64_t position) {
  switch (compute_class(array.dtype())) {
    case ComputeClass::real:
      return float_text(array.get(position), array.dtype());
    case ComputeClass::signed_int:
      return std::to_string(array.get_i64(position));
    case ComputeClass::unsigned_int:
      return std::to_string(static_cast<std::uint64_t>(array.get_i64(position)));
    case ComputeClass::boolean:
      break;
  }
  return array.get_i64(position) != 0 ? "true" : "false";
}

// How many elements at both ends of an axis are shown: the most with which no more than `most` appear, at least 1.
std::int64_t edge_for(const Sizes& sizes, std::int64_t most) {
  const auto shown_within = [&](std::int64_t edge) {
    std::int64_t shown = 1;
    for (const std::int64_t size : sizes) {
      const std::int64_t on_axis = size / 2 < edge ? size : 2 * edge;
      if (__builtin_mul_overflow(shown, on_axis, &shown)) return false;
    }
    return shown <= most;
  };
  std::int64_t edge = 1, beyond = std::max<std::int64_t>(most, 2);
  while (beyond - edge > 1) {
    const std::int64_t middle = edge + (beyond - edge) / 2;
    (shown_within(middle) ? edge : beyond) = middle;
  }
  return edge;
}

}  // namespace

// Iterative like everything that depends on what a file may hold: a rank can be as high as a file says.
std::string Array::to_string(std::int64_t max_elements) const {
  if (count_ == 0) return "[]";
  const auto rank = sizes_.size();
  const Sizes steps = dense_strides(sizes_);
  const bool elides = count_ > max_elements;
  const std::int64_t edge = elides ? edge_for(sizes_, max_elements) : 0;
  Sizes index(rank, 0);
  std::int64_t position = 0;
  std::string text(rank, '[');
  for (;;) {
    text += element_text(*this, position);
    // On to the next index; each axis that is through closes a bracket.
    std::size_t axis = rank;
    bool gap = false;
    for (; axis > 0; --axis) {
      const std::size_t k = axis - 1;
      std::int64_t next = index[k] + 1;
      gap = elides && next == edge && next < sizes_[k] - edge;
      if (gap) next = sizes_[k] - edge;
      const bool through = next == sizes_[k];
      if (through) next = 0;
      position += (next - index[k]) * steps[k];
      index[k] = next;
      if (!through) break;
      text += ']';
    }
    if (axis == 0) return text;
    const std::size_t opened = rank - axis;
    const std::string separator = opened == 0 ? ", " : ",\n" + std::string(axis, ' ');
    text += separator;
    if (gap) text += "..." + separator;
    text.append(opened, '[');
  }
}

}  // namespace asg
