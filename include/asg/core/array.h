#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "asg/core/dtype.h"
#include "asg/core/error.h"

namespace asg {

using Sizes = std::vector<std::int64_t>;

// Product of the sizes; 1 of none. Throws bad_dim on a negative size or overflow. Overflow is judged with every 0
// counted as 1, so that the strides of an empty array can be told too.
std::int64_t element_count(std::span<const std::int64_t> sizes);
// Strides in elements of a dense row-major array (of an empty one: as if every 0 were 1). Throws like element_count.
Sizes dense_strides(std::span<const std::int64_t> sizes);
// Whether elements with these strides are in row-major order without gaps. An array without elements always is.
bool is_dense(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides);

// An n-dimensional array in host memory. A handle: copies share the memory; `copy()` makes a deep copy.
// It may own its memory, view another array (slices, transposes, broadcasts: strides may be 0 or
// negative), or wrap memory of the user with a deleter. A bool is a byte that is 0 or 1. An array without elements
// may have no memory: raw() is then null.
class Array {
 public:
  Array() = default;  // f32, rank 1, no elements
  // Owning, zero-filled, 64-byte aligned. Throws bad_dim on impossible sizes, out_of_memory when they cannot be had.
  Array(DType dtype, Sizes sizes);
  // The same with unknown content, for code that writes every element before any is read.
  static Array uninitialised(DType dtype, Sizes sizes);
  template <class T>
  static Array of(Sizes sizes, const std::vector<T>& values);  // copies; sizes must fit
  static Array scalar(DType dtype, double value);
  static Array scalar_i64(std::int64_t value);
  static Array ints(const std::vector<std::int64_t>& values);  // i64, rank 1
  // Memory of the user: `strides` in elements (empty = dense); `data` is the first element, aligned to its size.
  // `deleter` may be null; else it is called once with `data`, when the last handle or view goes. When wrap throws,
  // the memory stays with the user and `deleter` is not called.
  static Array wrap(DType dtype, Sizes sizes, void* data, std::function<void(void*)> deleter, Sizes strides = {});

  DType dtype() const { return dtype_; }
  const Sizes& sizes() const { return sizes_; }
  const Sizes& strides() const { return strides_; }  // in elements
  int rank() const { return static_cast<int>(sizes_.size()); }
  std::int64_t count() const { return count_; }
  std::int64_t bytes() const { return count_ * bytes_of(dtype_); }
  bool is_dense() const;  // row-major without gaps

  // Raw memory of the first element. Elements follow by strides.
  const std::byte* raw() const;
  std::byte* raw();
  // Typed view of a dense array; throws type_mismatch on another dtype, bad_shape when not dense.
  template <class T>
  std::span<const T> data() const;
  template <class T>
  std::span<T> mutable_data();

  // One element by row-major position, converted by the rules of `cast`. Throws bad_index.
  double get(std::int64_t position) const;
  std::int64_t get_i64(std::int64_t position) const;
  void set(std::int64_t position, double value);
  void set_i64(std::int64_t position, std::int64_t value);

  // Views: no data is copied. Axes count from 0.
  Array reshaped(Sizes sizes) const;                     // a dense array only, else copies
  Array transposed(const std::vector<int>& perm) const;  // axis k of the result is axis perm[k] of this
  // The elements start, start + step, … along an axis, `count` of them, all of which must exist. step is not 0.
  Array sliced(int axis, std::int64_t start, std::int64_t count, std::int64_t step) const;
  Array broadcast_to(const Sizes& sizes) const;  // NumPy rule; throws broadcast_mismatch

  Array copy() const;  // dense, owning
  Array dense() const { return is_dense() ? *this : copy(); }
  // Every element widens exactly to f64, i64, u64 or bool and is then converted once:
  //   to a float    rounds to nearest even, overflow gives infinity, NaN stays NaN; bool gives 0 or 1
  //   float to int  truncates toward zero and saturates at the limits; NaN gives 0
  //   int to int    wraps modulo 2^bits (two's complement)
  //   to bool       is `!= 0`, so NaN is true
  // The same dtype gives this array itself, not a copy.
  Array cast(DType dtype) const;
  void assign(const Array& other);  // copies elements into this memory; types equal

  std::string type_string() const;  // "f32[2, 3]"
  // Nested brackets, a line per row; floats by the fewest digits that read back as the same value. More elements
  // than `max_elements` are elided in the middle of each long axis: "[0, 1, ..., 98, 99]".
  std::string to_string(std::int64_t max_elements = 64) const;

  // Same dtype, sizes and bits (so NaN equals the same NaN).
  friend bool bit_equal(const Array& a, const Array& b);

 private:
  void check_access(DType dtype) const;
  std::ptrdiff_t byte_of(std::int64_t position) const;  // where an element lies from raw(); throws bad_index

  DType dtype_ = DType::f32;
  Sizes sizes_ = {0};
  Sizes strides_ = {1};
  std::int64_t count_ = 0;
  std::int64_t offset_ = 0;  // bytes from the start of memory_
  std::shared_ptr<std::byte> memory_;
};

template <class T>
std::span<const T> Array::data() const {
  check_access(dtype_of<T>());
  return {reinterpret_cast<const T*>(raw()), static_cast<std::size_t>(count_)};
}

template <class T>
std::span<T> Array::mutable_data() {
  check_access(dtype_of<T>());
  return {reinterpret_cast<T*>(raw()), static_cast<std::size_t>(count_)};
}

template <class T>
Array Array::of(Sizes sizes, const std::vector<T>& values) {
  Array result(dtype_of<T>(), std::move(sizes));
  if (result.count() != static_cast<std::int64_t>(values.size())) {
    fail(ErrorCode::bad_shape, std::to_string(values.size()) + " values for " + result.type_string(),
         "as many values as the sizes multiply to");
  }
  auto out = result.mutable_data<T>();
  for (std::size_t k = 0; k < values.size(); ++k) out[k] = values[k];
  return result;
}

}  // namespace asg
