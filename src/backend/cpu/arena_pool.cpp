#include "backend/cpu/arena_pool.h"

#include <algorithm>

namespace asg::cpu {

// The smallest that is large enough. What is too small would lie idle beside what is made now, and goes.
Array ArenaPool::take(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  auto best = free_.end();
  for (auto entry = free_.begin(); entry != free_.end(); ++entry) {
    if (entry->count() >= bytes && (best == free_.end() || entry->count() < best->count())) best = entry;
  }
  if (best == free_.end()) {
    free_.clear();
    return Array::uninitialised(DType::u8, {bytes});
  }
  Array memory = std::move(*best);
  free_.erase(best);
  return memory;
}

void ArenaPool::give_back(Array memory) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(memory));
}

}  // namespace asg::cpu
