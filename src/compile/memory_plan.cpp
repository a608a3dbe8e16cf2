#include "asg/compile/memory_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "compile/in_place.h"

namespace asg {
namespace {

std::int64_t rounded_up(std::int64_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}

// Lifetimes by buffer; `first` is -1 where nothing writes it.
std::vector<Lifetime> lifetimes_of(const Program& program) {
  std::vector<Lifetime> lives(program.buffers.size());
  for (std::size_t k = 0; k < lives.size(); ++k) {
    lives[k] = {static_cast<int>(k), rounded_up(program.buffers[k].bytes()), -1, -1};
  }
  const auto use = [&](const View& view, int step) {
    if (!view) return;
    Lifetime& life = lives[static_cast<std::size_t>(view.buffer)];
    if (life.first < 0) life.first = step;
    life.last = std::max(life.last, step);
  };
  for (std::size_t step = 0; step < program.steps.size(); ++step) {
    for (const View& view : program.steps[step].inputs) use(view, static_cast<int>(step));
    for (const View& view : program.steps[step].outputs) use(view, static_cast<int>(step));
  }
  for (const View& view : program.results) use(view, static_cast<int>(program.steps.size()));
  return lives;
}

// Buffers that share memory because one takes over from the other; the number of the first of each chain.
class Chains {
 public:
  explicit Chains(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int head(int buffer) const { return parent_[static_cast<std::size_t>(buffer)]; }
  void take_over(int from, int to) { parent_[static_cast<std::size_t>(to)] = head(from); }

 private:
  std::vector<int> parent_;
};

// The inputs of a step, and the result of a call that has an epilogue.
std::vector<View> what_kernel_reads(const Step& step) {
  std::vector<View> views = step.inputs;
  if (step.kind == Step::Kind::call && step.kernel != nullptr) views.push_back(step.outputs.front());
  return views;
}

// Lets outputs take the memory of inputs that die. Lifetimes of a chain become that of its head.
void share_in_place(const Program& program, std::vector<Lifetime>& lives, Chains& chains) {
  const auto is_temporary = [&](int buffer) {
    return program.buffers[static_cast<std::size_t>(buffer)].kind == Buffer::Kind::temporary;
  };
  for (std::size_t number = 0; number < program.steps.size(); ++number) {
    const Step& step = program.steps[number];
    const int now = static_cast<int>(number);
    std::vector<int> taken;
    const std::vector<View> readable = what_kernel_reads(step);
    for (const View& output : step.outputs) {
      Lifetime& mine = lives[static_cast<std::size_t>(output.buffer)];
      if (!is_temporary(output.buffer) || mine.first != now || chains.head(output.buffer) != output.buffer) continue;
      for (const View& input : readable) {
        if (!input || input.buffer == output.buffer || !is_temporary(input.buffer)) continue;
        const int head = chains.head(input.buffer);
        Lifetime& theirs = lives[static_cast<std::size_t>(head)];
        const bool dies = theirs.last == now;
        const bool free = std::find(taken.begin(), taken.end(), head) == taken.end();
        if (!dies || !free || theirs.bytes < mine.bytes) continue;
        if (!may_write_over(step, input.buffer, output.buffer)) continue;
        taken.push_back(head);
        theirs.last = std::max(theirs.last, mine.last);
        chains.take_over(head, output.buffer);
        break;
      }
    }
  }
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

MemoryPlan plan_memory(Program& program) {
  std::vector<Lifetime> lives = lifetimes_of(program);
  Chains chains(program.buffers.size());
  share_in_place(program, lives, chains);

  MemoryPlan plan;
  for (const Lifetime& life : lives) {
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(life.buffer)];
    const bool has_memory = buffer.kind == Buffer::Kind::temporary && life.first >= 0 && life.bytes > 0;
    if (has_memory && chains.head(life.buffer) == life.buffer) plan.lifetimes.push_back(life);
  }
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
    const int head = chains.head(static_cast<int>(k));
    program.buffers[k].offset = program.buffers[static_cast<std::size_t>(head)].offset;
  }
  return plan;
}

}  // namespace asg
