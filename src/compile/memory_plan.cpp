#include "asg/compile/memory_plan.h"

#include <algorithm>

#include "compile/accesses.h"
#include "compile/taken_memory.h"

namespace asg {
namespace {

std::int64_t rounded_up(std::int64_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}

// Of each buffer the first of those that share its memory.
std::vector<int> heads_of(const Program& program) {
  std::vector<int> heads(program.buffers.size(), -1);
  std::vector<int> chain;
  for (std::size_t k = 0; k < heads.size(); ++k) {
    int at = static_cast<int>(k);
    while (heads[static_cast<std::size_t>(at)] < 0 && program.buffers[static_cast<std::size_t>(at)].shares >= 0) {
      chain.push_back(at);
      at = program.buffers[static_cast<std::size_t>(at)].shares;
    }
    int& known = heads[static_cast<std::size_t>(at)];
    if (known < 0) known = at;
    const int head = known;
    for (const int each : chain) heads[static_cast<std::size_t>(each)] = head;
    chain.clear();
  }
  return heads;
}

// Of the temporaries that are used, those that share memory as one, at the first of them.
std::vector<Lifetime> lifetimes_of(const Program& program, const std::vector<int>& heads) {
  std::vector<Lifetime> lives(program.buffers.size());
  const auto use = [&](const View& view, int step) {
    if (!view) return;
    const int head = heads[static_cast<std::size_t>(view.buffer)];
    Lifetime& life = lives[static_cast<std::size_t>(head)];
    if (life.buffer < 0) {
      life = {head, rounded_up(program.buffers[static_cast<std::size_t>(head)].bytes()), step, step};
    }
    life.last = std::max(life.last, step);
  };
  for (std::size_t step = 0; step < program.steps.size(); ++step) {
    for_each_view(program.steps[step], [&](const View& view, bool) { use(view, static_cast<int>(step)); });
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

}  // namespace

std::int64_t live_bytes(const Program& program) {
  return most_alive(lifetimes_of(program, heads_of(program)), static_cast<int>(program.steps.size()));
}

MemoryPlan plan_memory(Program& program) {
  MemoryPlan plan;
  const std::vector<int> heads = heads_of(program);
  plan.lifetimes = lifetimes_of(program, heads);
  const int steps = static_cast<int>(program.steps.size());
  plan.live_bytes = most_alive(plan.lifetimes, steps);

  std::vector<const Lifetime*> by_size;
  for (const Lifetime& life : plan.lifetimes) by_size.push_back(&life);
  std::sort(by_size.begin(), by_size.end(), [](const Lifetime* a, const Lifetime* b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a->buffer < b->buffer;
  });
  TakenMemory taken(steps + 1);
  for (const Lifetime* life : by_size) {
    const std::int64_t offset = taken.best_offset(life->first, life->last, life->bytes);
    taken.take(life->first, life->last, {offset, offset + life->bytes});
    program.buffers[static_cast<std::size_t>(life->buffer)].offset = offset;
    plan.arena_bytes = std::max(plan.arena_bytes, offset + life->bytes);
  }
  for (std::size_t k = 0; k < program.buffers.size(); ++k) {
    program.buffers[k].offset = program.buffers[static_cast<std::size_t>(heads[k])].offset;
  }
  return plan;
}

}  // namespace asg
