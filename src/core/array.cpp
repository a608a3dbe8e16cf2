#include "asg/core/array.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "asg/core/platform.h"
#include "strided.h"

namespace asg {
namespace {

constexpr std::size_t kAlignment = 64;

std::string list_string(std::span<const std::int64_t> sizes) {
  std::string text = "[";
  for (const std::int64_t size : sizes) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(size);
  }
  return text + "]";
}

std::string type_text(DType dtype, std::span<const std::int64_t> sizes) {
  return std::string(name_of(dtype)) + list_string(sizes);
}

[[noreturn]] void fail_memory(DType dtype, const Sizes& sizes, const std::string& bytes) {
  fail(ErrorCode::out_of_memory, type_text(dtype, sizes) + ", which takes " + bytes + " bytes",
       "no more memory than this process can have", "use smaller sizes or a smaller dtype, or free other arrays");
}

std::int64_t checked_bytes(DType dtype, const Sizes& sizes, std::int64_t count) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(count, bytes_of(dtype), &bytes)) fail_memory(dtype, sizes, "more than 2^63");
  return bytes;
}

enum class Fill { zeros, nothing };

std::shared_ptr<std::byte> allocate(DType dtype, const Sizes& sizes, std::int64_t count, Fill fill) {
  if (count == 0) return nullptr;
  const std::int64_t bytes = checked_bytes(dtype, sizes, count);
  // Systems promise more than they have and end the process when it is used, so more than the machine holds is
  // refused at once.
  static const std::int64_t machine = platform::physical_bytes();
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max()) - kAlignment;
  if ((machine > 0 && bytes > machine) || static_cast<std::uint64_t>(bytes) > most) {
    fail_memory(dtype, sizes, std::to_string(bytes));
  }
  // calloc rather than an aligned allocation and a memset: large blocks come as zero pages that cost nothing
  // until they are touched.
  const std::size_t padded = static_cast<std::size_t>(bytes) + kAlignment;
  void* const block = fill == Fill::zeros ? std::calloc(padded, 1) : std::malloc(padded);
  if (block == nullptr) fail_memory(dtype, sizes, std::to_string(bytes));
  void* first = block;
  std::size_t space = padded;
  std::align(kAlignment, static_cast<std::size_t>(bytes), first, space);
  try {
    return {static_cast<std::byte*>(first), [block](std::byte*) { std::free(block); }};
  } catch (const std::bad_alloc&) {  // of the counter; the block is freed by then
    fail_memory(dtype, sizes, std::to_string(bytes));
  }
}

// The distances that a walk can reach, with one step past the end of each axis, must be numbers.
void check_reach(DType dtype, const Sizes& sizes, const Sizes& strides) {
  std::int64_t below = 0, above = 0;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    std::int64_t reach = 0;
    std::int64_t& side = strides[axis] < 0 ? below : above;
    const bool overflow = __builtin_mul_overflow(sizes[axis] == 1 ? 0 : sizes[axis], strides[axis], &reach) ||
                          __builtin_mul_overflow(reach, bytes_of(dtype), &reach) ||
                          __builtin_add_overflow(side, reach, &side);
    if (overflow) {
      fail(ErrorCode::bad_dim, "strides " + list_string(strides) + " for " + type_text(dtype, sizes),
           "elements within 2^63 bytes of the first");
    }
  }
}

}  // namespace

std::int64_t element_count(std::span<const std::int64_t> sizes) {
  std::int64_t product = 1;
  bool empty = false;
  for (const std::int64_t size : sizes) {
    if (size < 0) fail(ErrorCode::bad_dim, "sizes " + list_string(sizes), "sizes of at least 0");
    empty = empty || size == 0;
    if (__builtin_mul_overflow(product, std::max<std::int64_t>(size, 1), &product)) {
      fail(ErrorCode::bad_dim, "sizes " + list_string(sizes), "an element count below 2^63");
    }
  }
  return empty ? 0 : product;
}

Sizes dense_strides(std::span<const std::int64_t> sizes) {
  element_count(sizes);
  Sizes strides(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= std::max<std::int64_t>(sizes[axis], 1);
  }
  return strides;
}

bool is_dense(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides) {
  std::int64_t expected = 1;
  bool in_order = true;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    if (sizes[axis] == 0) return true;
    if (sizes[axis] == 1) continue;
    in_order = in_order && strides[axis] == expected;
    expected *= sizes[axis];
  }
  return in_order;
}

Array::Array(DType dtype, Sizes sizes)
    : dtype_(dtype),
      sizes_(std::move(sizes)),
      strides_(dense_strides(sizes_)),
      count_(element_count(sizes_)),
      memory_(allocate(dtype_, sizes_, count_, Fill::zeros)) {}

Array Array::uninitialised(DType dtype, Sizes sizes) {
  Array result;
  result.dtype_ = dtype;
  result.sizes_ = std::move(sizes);
  result.strides_ = dense_strides(result.sizes_);
  result.count_ = element_count(result.sizes_);
  result.memory_ = allocate(dtype, result.sizes_, result.count_, Fill::nothing);
  return result;
}

Array Array::scalar(DType dtype, double value) {
  Array result(dtype, Sizes{});
  result.set(0, value);
  return result;
}

Array Array::scalar_i64(std::int64_t value) {
  Array result(DType::i64, Sizes{});
  result.set_i64(0, value);
  return result;
}

Array Array::ints(const std::vector<std::int64_t>& values) {
  return of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

Array Array::wrap(DType dtype, Sizes sizes, void* data, std::function<void(void*)> deleter, Sizes strides) {
  Array result;
  result.dtype_ = dtype;
  result.sizes_ = std::move(sizes);
  result.count_ = element_count(result.sizes_);
  checked_bytes(dtype, result.sizes_, result.count_);
  result.strides_ = strides.empty() ? dense_strides(result.sizes_) : std::move(strides);
  const std::string type = result.type_string();
  if (result.strides_.size() != result.sizes_.size()) {
    fail(ErrorCode::bad_shape, std::to_string(result.strides_.size()) + " strides for " + type,
         "one stride for each size, or none at all");
  }
  check_reach(dtype, result.sizes_, result.strides_);
  if (result.count_ > 0 && data == nullptr) {
    fail(ErrorCode::missing_value, "a null pointer for " + type, "the address of its first element");
  }
  if (reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(bytes_of(dtype)) != 0) {
    fail(ErrorCode::type_mismatch,
         "an address that is no multiple of " + std::to_string(bytes_of(dtype)) + " for " + type,
         "elements aligned to their size", "copy the bytes into an array of its own");
  }
  auto* const first = static_cast<std::byte*>(data);
  if (deleter) {
    result.memory_ = {first, [call = std::move(deleter)](std::byte* memory) { call(memory); }};
  } else {
    result.memory_ = {first, [](std::byte*) {}};
  }
  return result;
}

bool Array::is_dense() const { return asg::is_dense(sizes_, strides_); }

const std::byte* Array::raw() const { return memory_.get() + static_cast<std::ptrdiff_t>(offset_); }
std::byte* Array::raw() { return memory_.get() + static_cast<std::ptrdiff_t>(offset_); }

void Array::check_access(DType dtype) const {
  if (dtype != dtype_) {
    fail(ErrorCode::type_mismatch, "an array " + type_string() + " read as " + std::string(name_of(dtype)),
         "access by its own dtype", "convert it first with cast()");
  }
  if (!is_dense()) {
    fail(ErrorCode::bad_shape, "a view " + type_string() + " with strides " + list_string(strides_),
         "a dense row-major array", "use dense(), which copies where it must");
  }
}

std::ptrdiff_t Array::byte_of(std::int64_t position) const {
  if (position < 0 || position >= count_) {
    fail(ErrorCode::bad_index, "position " + std::to_string(position) + " of " + type_string(),
         "a position from 0 to below " + std::to_string(count_));
  }
  std::int64_t offset = 0;
  for (std::size_t axis = sizes_.size(); axis-- > 0;) {
    offset += position % sizes_[axis] * strides_[axis];
    position /= sizes_[axis];
  }
  return static_cast<std::ptrdiff_t>(offset * bytes_of(dtype_));
}

double Array::get(std::int64_t position) const {
  double value = 0;
  strided::convert(dtype_, raw() + byte_of(position), 1, DType::f64, reinterpret_cast<std::byte*>(&value), 1);
  return value;
}

std::int64_t Array::get_i64(std::int64_t position) const {
  std::int64_t value = 0;
  strided::convert(dtype_, raw() + byte_of(position), 1, DType::i64, reinterpret_cast<std::byte*>(&value), 1);
  return value;
}

void Array::set(std::int64_t position, double value) {
  const auto* const from = reinterpret_cast<const std::byte*>(&value);
  strided::convert(DType::f64, from, 1, dtype_, raw() + byte_of(position), 1);
}

void Array::set_i64(std::int64_t position, std::int64_t value) {
  const auto* const from = reinterpret_cast<const std::byte*>(&value);
  strided::convert(DType::i64, from, 1, dtype_, raw() + byte_of(position), 1);
}

std::string Array::type_string() const { return type_text(dtype_, sizes_); }

bool bit_equal(const Array& a, const Array& b) {
  if (a.dtype_ != b.dtype_ || a.sizes_ != b.sizes_) return false;
  if (a.count_ == 0) return true;
  const Array left = a.dense(), right = b.dense();
  return std::memcmp(left.raw(), right.raw(), static_cast<std::size_t>(left.bytes())) == 0;
}

}  // namespace asg
