#include "compile/in_place.h"

#include <algorithm>

#include "compile/accesses.h"

namespace asg {
namespace {

// What the kernel of a step reads: its inputs, and the result of the call that it ends.
std::vector<int> buffers_read_by_kernel(const Step& step) {
  std::vector<int> buffers;
  for (const Access& access : accesses_of(step)) {
    if (access.argument >= 0 && !access.writes && access.view != nullptr) buffers.push_back(access.view->buffer);
  }
  return buffers;
}

class MemorySharer {
 public:
  explicit MemorySharer(Program& program)
      : program_(program),
        last_use_(program.buffers.size(), -1),
        taken_(program.buffers.size(), false),
        memory_(program.buffers.size(), -1) {
    for (std::size_t step = 0; step < program.steps.size(); ++step) {
      for_each_view(program.steps[step], [&](const View& view, bool) { use(view, static_cast<int>(step)); });
    }
    for (const View& view : program.results) use(view, static_cast<int>(program.steps.size()));
  }

  void share() {
    for (std::size_t step = 0; step < program_.steps.size(); ++step) {
      if (program_.steps[step].kernel != nullptr) share_in(program_.steps[step], static_cast<int>(step));
    }
  }

 private:
  void use(const View& view, int step) {
    if (view) last_use_[static_cast<std::size_t>(view.buffer)] = step;
  }

  bool is_temporary(int buffer) const { return at(buffer).kind == Buffer::Kind::temporary; }
  const Buffer& at(int buffer) const { return program_.buffers[static_cast<std::size_t>(buffer)]; }

  // The memory that a buffer has is that of the first in its chain.
  std::int64_t memory_of(int buffer) {
    std::int64_t& memory = memory_[static_cast<std::size_t>(buffer)];
    if (memory >= 0) return memory;
    int first = buffer;
    while (at(first).shares >= 0) first = at(first).shares;
    return memory = at(first).bytes();
  }

  void share_in(const Step& step, int now) {
    const std::vector<int> inputs = buffers_read_by_kernel(step);
    for (const View& output : step.outputs) {
      if (!is_temporary(output.buffer) || at(output.buffer).shares >= 0) continue;
      const auto found = std::find_if(inputs.begin(), inputs.end(), [&](int input) {
        return input != output.buffer && is_temporary(input) && last_use_[static_cast<std::size_t>(input)] == now &&
               !taken_[static_cast<std::size_t>(input)] && memory_of(input) >= at(output.buffer).bytes() &&
               may_write_over(step, input, output.buffer);
      });
      if (found == inputs.end()) continue;
      taken_[static_cast<std::size_t>(*found)] = true;
      program_.buffers[static_cast<std::size_t>(output.buffer)].shares = *found;
      memory_[static_cast<std::size_t>(output.buffer)] = memory_of(*found);
    }
  }

  Program& program_;
  std::vector<int> last_use_;  // by buffer: the last step that reads or writes it
  std::vector<bool> taken_;
  std::vector<std::int64_t> memory_;  // by buffer, in bytes; -1: not asked yet
};

}  // namespace

void share_memory(Program& program) { MemorySharer(program).share(); }

}  // namespace asg
