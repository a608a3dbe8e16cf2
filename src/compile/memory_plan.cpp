#include "asg/compile/memory_plan.h"

#include <algorithm>
#include <limits>

namespace asg {
namespace {

std::int64_t rounded_up(std::int64_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}

int head_of(const Program& program, int buffer) {
  while (program.buffers[static_cast<std::size_t>(buffer)].shares >= 0) {
    buffer = program.buffers[static_cast<std::size_t>(buffer)].shares;
  }
  return buffer;
}

// Of the temporaries that are used, those that share memory as one, at the first of them.
std::vector<Lifetime> lifetimes_of(const Program& program) {
  std::vector<Lifetime> lives(program.buffers.size());
  const auto use = [&](const View& view, int step) {
    if (!view) return;
    const int head = head_of(program, view.buffer);
    Lifetime& life = lives[static_cast<std::size_t>(head)];
    if (life.buffer < 0) {
      life = {head, rounded_up(program.buffers[static_cast<std::size_t>(head)].bytes()), step, step};
    }
    life.last = std::max(life.last, step);
  };
  for (std::size_t step = 0; step < program.steps.size(); ++step) {
    for (const View& view : program.steps[step].inputs) use(view, static_cast<int>(step));
    for (const View& view : program.steps[step].outputs) use(view, static_cast<int>(step));
  }
  for (const View& view : program.results) use(view, static_cast<int>(program.steps.size()));
  std::erase_if(lives, [&](const Lifetime& life) {
    return life.buffer < 0 || life.bytes == 0 ||
           program.buffers[static_cast<std::size_t>(life.buffer)].kind != Buffer::Kind::temporary;
  });
  return lives;
}

std::int64_t most_alive(const std::vector<Lifetime>& lives, int steps) {
  std::vector<std::int64_t> change(static_cast<std::size_t>(steps) + 2, 0);
  for (const Lifetime& life : lives) {
    change[static_cast<std::size_t>(life.first)] += life.bytes;
    change[static_cast<std::size_t>(life.last) + 1] -= life.bytes;
  }
  std::int64_t alive = 0;
  std::int64_t most = 0;
  for (const std::int64_t each : change) most = std::max(most, alive += each);
  return most;
}

struct Placed {
  std::int64_t offset = 0;
  const Lifetime* life = nullptr;
};

// The offset of the smallest gap among `placed`, which is sorted by offset; else the end.
std::int64_t best_offset(const std::vector<Placed>& placed, const Lifetime& life) {
  std::int64_t free_from = 0;
  std::int64_t best = -1;
  std::int64_t best_size = std::numeric_limits<std::int64_t>::max();
  for (const Placed& other : placed) {
    if (other.life->last < life.first || other.life->first > life.last) continue;
    const std::int64_t gap = other.offset - free_from;
    if (gap >= life.bytes && gap < best_size) {
      best = free_from;
      best_size = gap;
    }
    free_from = std::max(free_from, other.offset + other.life->bytes);
  }
  return best >= 0 ? best : free_from;
}

}  // namespace

std::int64_t live_bytes(const Program& program) {
  return most_alive(lifetimes_of(program), static_cast<int>(program.steps.size()));
}

MemoryPlan plan_memory(Program& program) {
  MemoryPlan plan;
  plan.lifetimes = lifetimes_of(program);
  plan.live_bytes = most_alive(plan.lifetimes, static_cast<int>(program.steps.size()));

  std::vector<const Lifetime*> by_size;
  for (const Lifetime& life : plan.lifetimes) by_size.push_back(&life);
  std::sort(by_size.begin(), by_size.end(), [](const Lifetime* a, const Lifetime* b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a->buffer < b->buffer;
  });
  std::vector<Placed> placed;
  for (const Lifetime* life : by_size) {
    const std::int64_t offset = best_offset(placed, *life);
    const auto at = std::upper_bound(placed.begin(), placed.end(), offset,
                                     [](std::int64_t value, const Placed& other) { return value < other.offset; });
    placed.insert(at, {offset, life});
    program.buffers[static_cast<std::size_t>(life->buffer)].offset = offset;
    plan.arena_bytes = std::max(plan.arena_bytes, offset + life->bytes);
  }
  for (std::size_t k = 0; k < program.buffers.size(); ++k) {
    const int head = head_of(program, static_cast<int>(k));
    program.buffers[k].offset = program.buffers[static_cast<std::size_t>(head)].offset;
  }
  return plan;
}

}  // namespace asg
