#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "asg/core/thread_pool.h"

namespace asg::cpu {

// Work whose tasks need memory of their own: at most so many tasks run at a time, each lane with its own memory.
inline constexpr std::int64_t kMostLanes = 16;

inline std::int64_t lanes_for(std::int64_t tasks) { return std::clamp<std::int64_t>(tasks, 1, kMostLanes); }

// Calls body(lane, task) for all tasks; those of a lane run one after the other. Allocates nothing.
template <class Body>
void for_each_in_lanes(ThreadPool& pool, std::int64_t tasks, const Body& body) {
  const std::int64_t lanes = lanes_for(tasks);
  const auto run = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t lane = first; lane < last; ++lane) {
      for (std::int64_t task = lane * tasks / lanes; task < (lane + 1) * tasks / lanes; ++task) body(lane, task);
    }
  };
  pool.for_ranges(lanes, 1, std::ref(run));
}

}  // namespace asg::cpu
