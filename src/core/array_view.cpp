#include <algorithm>

#include "asg/core/array.h"

namespace asg {
namespace {

void check_axis(const Array& array, int axis) {
  if (axis >= 0 && axis < array.rank()) return;
  fail(ErrorCode::bad_index, "axis " + std::to_string(axis) + " of " + array.type_string(),
       "an axis from 0 to below " + std::to_string(array.rank()));
}

}  // namespace

Array Array::reshaped(Sizes sizes) const {
  if (element_count(sizes) != count_) {
    Array wanted;
    wanted.dtype_ = dtype_;
    wanted.sizes_ = std::move(sizes);
    fail(ErrorCode::bad_shape, type_string() + " as " + wanted.type_string(), "the same number of elements");
  }
  Array result = dense();
  result.strides_ = dense_strides(sizes);
  result.sizes_ = std::move(sizes);
  return result;
}

Array Array::transposed(const std::vector<int>& perm) const {
  if (static_cast<int>(perm.size()) != rank()) {
    fail(ErrorCode::bad_index, "a permutation of " + std::to_string(perm.size()) + " axes for " + type_string(),
         "each of its " + std::to_string(rank()) + " axes once");
  }
  Array result = *this;
  std::vector<bool> taken(perm.size(), false);
  for (std::size_t axis = 0; axis < perm.size(); ++axis) {
    check_axis(*this, perm[axis]);
    const auto source = static_cast<std::size_t>(perm[axis]);
    if (taken[source]) {
      fail(ErrorCode::bad_index, "axis " + std::to_string(perm[axis]) + " twice in a permutation", "each axis once");
    }
    taken[source] = true;
    result.sizes_[axis] = sizes_[source];
    result.strides_[axis] = strides_[source];
  }
  return result;
}

Array Array::sliced(int axis, std::int64_t start, std::int64_t count, std::int64_t step) const {
  check_axis(*this, axis);
  const auto along = static_cast<std::size_t>(axis);
  const std::int64_t size = sizes_[along];
  std::int64_t last = start;
  bool fits = step != 0 && count >= 0;
  if (fits && count > 0) {
    fits = !__builtin_mul_overflow(count - 1, step, &last) && !__builtin_add_overflow(start, last, &last) &&
           start >= 0 && start < size && last >= 0 && last < size;
  }
  if (!fits) {
    fail(ErrorCode::bad_index,
         std::to_string(count) + " elements from " + std::to_string(start) + " by step " + std::to_string(step) +
             " on axis " + std::to_string(axis) + " of " + type_string(),
         "elements from 0 to below " + std::to_string(size) + ", and a step that is not 0");
  }
  Array result = *this;
  result.sizes_[along] = count;
  result.count_ = element_count(result.sizes_);
  // A step out of one or no element is never taken, and could overflow.
  if (count > 1) result.strides_[along] *= step;
  if (result.count_ > 0) result.offset_ += start * strides_[along] * bytes_of(dtype_);
  return result;
}

Array Array::broadcast_to(const Sizes& sizes) const {
  Array result;
  result.dtype_ = dtype_;
  result.sizes_ = sizes;
  const std::size_t added = sizes.size() - std::min(sizes.size(), sizes_.size());
  bool fits = sizes.size() >= sizes_.size();
  Sizes strides(sizes.size(), 0);
  for (std::size_t axis = 0; fits && axis < sizes_.size(); ++axis) {
    const bool same = sizes_[axis] == sizes[added + axis];
    fits = same || sizes_[axis] == 1;
    if (same) strides[added + axis] = strides_[axis];
  }
  if (!fits) {
    fail(ErrorCode::broadcast_mismatch, type_string() + " broadcast to " + result.type_string(),
         "on each axis counted from the last an equal size, or 1 in the array");
  }
  result.strides_ = std::move(strides);
  result.count_ = element_count(sizes);
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(result.count_, bytes_of(dtype_), &bytes)) {
    fail(ErrorCode::bad_dim, type_string() + " broadcast to " + result.type_string(), "fewer than 2^63 bytes");
  }
  result.offset_ = offset_;
  result.memory_ = memory_;
  return result;
}

}  // namespace asg
