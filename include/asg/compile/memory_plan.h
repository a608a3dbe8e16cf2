#pragma once

#include <cstdint>
#include <vector>

#include "asg/compile/program.h"

namespace asg {

// When a buffer of the arena holds something: from the step that writes it first to the last that reads it.
struct Lifetime {
  int buffer = -1;
  std::int64_t bytes = 0;
  int first = 0;
  int last = 0;
};

struct MemoryPlan {
  std::int64_t arena_bytes = 0;
  std::int64_t live_bytes = 0;  // the most that is alive at once: no plan of this schedule can do with less
  std::vector<Lifetime> lifetimes = {};
};

// The most bytes of temporaries that are alive at once.
std::int64_t live_bytes(const Program& program);

inline constexpr std::int64_t kBufferAlignment = 64;

// Gives every temporary buffer its place in one arena: the largest first, each into the smallest gap that holds it
// among those that live at the same time. Buffers that share memory have one place.
//   guarantees: buffers that live at the same time do not overlap; the same program gives the same plan
MemoryPlan plan_memory(Program& program);

}  // namespace asg
