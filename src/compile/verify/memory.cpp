// Whether buffers that share memory fit into it, and the places in the arena.

#include "asg/compile/memory_plan.h"
#include "compile/verify/problems.h"

namespace asg::verify {
namespace {

// The buffer whose memory it takes over in the end; -1 where that goes round in circles.
int head_of(const Program& program, int buffer) {
  for (std::size_t steps = 0; steps <= program.buffers.size(); ++steps) {
    const int next = program.buffers[static_cast<std::size_t>(buffer)].shares;
    if (next < 0) return buffer;
    if (static_cast<std::size_t>(next) >= program.buffers.size()) return -1;
    buffer = next;
  }
  return -1;
}

}  // namespace

void check_memory(const Program& program, std::int64_t arena_bytes, Problems& problems) {
  std::vector<bool> is_used(program.buffers.size(), false);
  for (const Step& step : program.steps) {
    for (const std::vector<View>* views : {&step.inputs, &step.outputs}) {
      for (const View& view : *views) {
        if (view && static_cast<std::size_t>(view.buffer) < is_used.size()) {
          is_used[static_cast<std::size_t>(view.buffer)] = true;
        }
      }
    }
  }
  for (std::size_t k = 0; k < program.buffers.size(); ++k) {
    const Buffer& buffer = program.buffers[k];
    const int number = static_cast<int>(k);
    const auto add = [&](const std::string& words) {
      problems.add(ProgramRule::memory, name_of_buffer(program, number) + " " + words);
    };
    if (buffer.shares >= 0) {
      const int head = head_of(program, number);
      if (head < 0) {
        add("shares memory in a circle");
        continue;
      }
      const Buffer& shared = program.buffers[static_cast<std::size_t>(head)];
      if (buffer.kind != Buffer::Kind::temporary || shared.kind != Buffer::Kind::temporary) {
        add("shares the memory of " + name_of_buffer(program, head) + "; only temporaries may");
      }
      if (shared.bytes() < buffer.bytes()) add("does not fit into " + name_of_buffer(program, head));
      if (arena_bytes >= 0 && shared.offset != buffer.offset) add("is apart from the memory that it shares");
    }
    if (arena_bytes < 0 || buffer.kind != Buffer::Kind::temporary || buffer.bytes() == 0 || !is_used[k]) continue;
    if (buffer.offset < 0 || buffer.offset % kBufferAlignment != 0 || buffer.offset + buffer.bytes() > arena_bytes) {
      add("has no aligned place in the arena of " + std::to_string(arena_bytes) + " bytes");
    }
  }
}

}  // namespace asg::verify
