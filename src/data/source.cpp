#include "asg/data/source.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "asg/core/dim.h"

namespace asg::data {

std::string Field::to_string() const {
  std::string text = name + " " + std::string(name_of(dtype)) + Shape::of(sizes).to_string();
  if (classes > 0) text += " of " + std::to_string(classes) + " classes";
  return text;
}

Sizes Field::batch_sizes(std::int64_t examples) const {
  Sizes result = {examples};
  result.insert(result.end(), sizes.begin(), sizes.end());
  return result;
}

struct Buffers::State {
  std::mutex mutex;
  std::vector<Array> free;  // u8, rank 1
  std::int64_t allocated = 0;

  // The smallest that is large enough, but not more than twice as large, so that small arrays leave large memory alone.
  Array take(std::int64_t bytes) {
    const std::lock_guard lock(mutex);
    auto best = free.end();
    for (auto each = free.begin(); each != free.end(); ++each) {
      if (each->bytes() < bytes || each->bytes() / 2 > bytes) continue;
      if (best == free.end() || each->bytes() < best->bytes()) best = each;
    }
    if (best == free.end()) {
      ++allocated;
      return Array::uninitialised(DType::u8, {bytes});
    }
    Array found = std::move(*best);
    free.erase(best);
    return found;
  }

  void give_back(Array memory) {
    const std::lock_guard lock(mutex);
    free.push_back(std::move(memory));
  }
};

Buffers::Buffers() : state_(std::make_shared<State>()) {}

Array Buffers::take(DType dtype, Sizes sizes) const {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(element_count(sizes), bytes_of(dtype), &bytes)) {
    fail(ErrorCode::bad_dim, "an array of more than 2^63 bytes", "one that fits into memory");
  }
  if (bytes == 0) return {dtype, std::move(sizes)};
  Array memory = state_->take(bytes);
  std::byte* const data = memory.raw();
  return Array::wrap(dtype, std::move(sizes), data,
                     [state = state_, memory](void* /*data*/) { state->give_back(memory); });
}

std::int64_t Buffers::allocated() const {
  const std::lock_guard lock(state_->mutex);
  return state_->allocated;
}

}  // namespace asg::data
