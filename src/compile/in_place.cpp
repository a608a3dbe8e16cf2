#include "compile/in_place.h"

#include <algorithm>

namespace asg {
namespace {

bool is_operand_of_call(const Step& step, int buffer) {
  if (step.kind != Step::Kind::call) return false;
  const auto operands = step.inputs.begin() + static_cast<std::ptrdiff_t>(step.node->inputs.size());
  return std::any_of(step.inputs.begin(), operands, [&](const View& view) { return view.buffer == buffer; });
}

}  // namespace

bool may_write_over(const Step& step, int input, int output) {
  // Other parts of the call still need its operands.
  if (step.kernel == nullptr || is_operand_of_call(step, input)) return false;
  const Kernel& kernel = *step.kernel;
  const auto is_looked_up = [&](std::size_t argument) {
    return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [&](const KernelInstruction& each) {
      return each.gather_length != 0 && each.argument == static_cast<int>(argument);
    });
  };
  const KernelArgument* written = nullptr;
  for (const KernelStore& store : kernel.stores) {
    if (step.arguments[static_cast<std::size_t>(store.argument)] != output) continue;
    if (store.sum_over_leading) return false;  // written when all rows have been read
    written = &kernel.arguments[static_cast<std::size_t>(store.argument)];
  }
  if (written == nullptr) return false;
  for (std::size_t k = 0; k < step.arguments.size(); ++k) {
    if (step.arguments[k] != input) continue;
    const KernelArgument& read = kernel.arguments[k];
    if (read.output || read.offset != written->offset || read.strides != written->strides) return false;
    if (bytes_of(read.dtype) != bytes_of(written->dtype) || is_looked_up(k)) return false;
  }
  return true;
}

namespace {

// The inputs of a step, and the result of a call that has an epilogue.
std::vector<int> what_kernel_reads(const Step& step) {
  std::vector<int> buffers;
  for (const View& view : step.inputs) {
    if (view) buffers.push_back(view.buffer);
  }
  if (step.kind == Step::Kind::call && step.kernel != nullptr) buffers.push_back(step.outputs.front().buffer);
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
      for (const View& view : program.steps[step].inputs) use(view, static_cast<int>(step));
      for (const View& view : program.steps[step].outputs) use(view, static_cast<int>(step));
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
    const std::vector<int> inputs = what_kernel_reads(step);
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
