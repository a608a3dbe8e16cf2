#include <cstring>

#include "strided.h"

namespace asg {
namespace strided {
namespace {

template <std::size_t element_bytes>
void copy_run(const std::byte* from, std::int64_t from_step, std::byte* to, std::int64_t to_step, std::int64_t count) {
  const auto from_bytes = static_cast<std::ptrdiff_t>(from_step) * static_cast<std::ptrdiff_t>(element_bytes);
  const auto to_bytes = static_cast<std::ptrdiff_t>(to_step) * static_cast<std::ptrdiff_t>(element_bytes);
  if (from_step == 1 && to_step == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * element_bytes);
    return;
  }
  for (std::int64_t k = 0; k < count; ++k) {
    std::memcpy(to, from, element_bytes);
    from += from_bytes;
    to += to_bytes;
  }
}

// The addresses from the first byte of any element to past the last.
struct Extent {
  std::uintptr_t first;
  std::uintptr_t past;
};

Extent extent_of(const Array& array) {
  const auto start = reinterpret_cast<std::uintptr_t>(array.raw());
  Extent extent{start, start + static_cast<std::uintptr_t>(bytes_of(array.dtype()))};
  for (std::size_t axis = 0; axis < array.sizes().size(); ++axis) {
    const std::int64_t reach = (array.sizes()[axis] - 1) * array.strides()[axis] * bytes_of(array.dtype());
    (reach < 0 ? extent.first : extent.past) += static_cast<std::uintptr_t>(reach);
  }
  return extent;
}

// Whether two arrays with elements may share some, also when they were wrapped apart.
bool may_overlap(const Array& a, const Array& b) {
  const Extent left = extent_of(a), right = extent_of(b);
  return left.first < right.past && right.first < left.past;
}

auto copy_run_of(std::int64_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return &copy_run<1>;
    case 2:
      return &copy_run<2>;
    case 4:
      return &copy_run<4>;
    default:
      break;
  }
  internal_check(element_bytes == 8, "an element of 1, 2, 4 or 8 bytes");
  return &copy_run<8>;
}

}  // namespace

Walk make_walk(const Sizes& sizes, const Sizes& from_strides, const Sizes& to_strides) {
  Walk walk;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] == 1) continue;
    const std::int64_t from = from_strides[axis], to = to_strides[axis];
    // One step of the axis before is a whole pass over this one: both are one longer axis.
    if (!walk.sizes.empty() && walk.from_strides.back() == from * sizes[axis] &&
        walk.to_strides.back() == to * sizes[axis]) {
      walk.sizes.back() *= sizes[axis];
      walk.from_strides.back() = from;
      walk.to_strides.back() = to;
    } else {
      walk.sizes.push_back(sizes[axis]);
      walk.from_strides.push_back(from);
      walk.to_strides.push_back(to);
    }
  }
  return walk;
}

void copy(const Walk& walk, std::int64_t element_bytes, const std::byte* from, std::byte* to) {
  const auto run_copy = copy_run_of(element_bytes);
  for_each_run(walk, [&](const Run& run) {
    run_copy(from + static_cast<std::ptrdiff_t>(run.from * element_bytes), run.from_step,
             to + static_cast<std::ptrdiff_t>(run.to * element_bytes), run.to_step, run.count);
  });
}

}  // namespace strided

Array Array::copy() const {
  Array result = uninitialised(dtype_, sizes_);
  if (count_ > 0) {
    strided::copy(strided::make_walk(sizes_, strides_, result.strides_), bytes_of(dtype_), raw(), result.raw());
  }
  return result;
}

void Array::assign(const Array& other) {
  if (dtype_ != other.dtype_ || sizes_ != other.sizes_) {
    fail(dtype_ != other.dtype_ ? ErrorCode::type_mismatch : ErrorCode::bad_shape,
         other.type_string() + " assigned to " + type_string(), "an array of the same dtype and sizes",
         "use cast() or broadcast_to() first");
  }
  if (count_ == 0) return;
  const Array source = strided::may_overlap(*this, other) ? other.copy() : other;
  strided::copy(strided::make_walk(sizes_, source.strides_, strides_), bytes_of(dtype_), source.raw(), raw());
}

}  // namespace asg
