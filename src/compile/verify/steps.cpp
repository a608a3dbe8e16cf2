// What can be seen of each step alone.

#include <algorithm>

#include "asg/graph/card.h"
#include "compile/accesses.h"
#include "compile/kernel/rules.h"
#include "compile/verify/problems.h"

namespace asg::verify {
namespace {

struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// The elements that a walk reaches, counted from the start of the buffer; of no points nothing.
bool is_inside(std::int64_t offset, const Sizes& sizes, const Sizes& strides, Range lookup, std::int64_t count) {
  std::int64_t first = offset + lookup.first;
  std::int64_t last = offset + lookup.last;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] == 0) return true;
    const std::int64_t reach = (sizes[axis] - 1) * strides[axis];
    (reach < 0 ? first : last) += reach;
  }
  return first >= 0 && last < count;
}

// Whether the walk reaches each of `count` elements exactly once, in whatever order.
bool covers_all(std::int64_t offset, const Sizes& sizes, const Sizes& strides, std::int64_t count) {
  if (count == 0) return true;
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride and size of those that move
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] == 0) return false;
    if (sizes[axis] > 1 && strides[axis] != 0) axes.emplace_back(strides[axis], sizes[axis]);
  }
  std::sort(axes.begin(), axes.end());
  std::int64_t next = 1;
  for (const auto& [stride, size] : axes) {
    if (stride != next) return false;
    next *= size;
  }
  return offset == 0 && next == count;
}

// The type in which kernels see a buffer: of seeds and counters only the bits matter.
DType seen_as(DType dtype) { return dtype == DType::u64 ? DType::i64 : dtype; }

class StepChecker {
 public:
  StepChecker(const Program& program, const CallRules& device, Problems& problems)
      : program_(program), device_(device), problems_(problems) {}

  void check(std::size_t number) {
    const Step& step = program_.steps[number];
    name_ = name_of_step(program_, number);
    if (!check_views(step)) return;
    switch (step.kind) {
      case Step::Kind::fused:
        if (step.kernel == nullptr) return add(ProgramRule::kernel, "has no kernel");
        if (step.inputs.size() + step.outputs.size() != step.kernel->arguments.size()) {
          return add(ProgramRule::kernel, "has other views than its kernel has arguments");
        }
        break;
      case Step::Kind::call:
        if (!check_call(step)) return;
        break;
      case Step::Kind::copy:
        check_copy(step);
        return;
    }
    if (step.kernel != nullptr) check_kernel_of(step);
  }

 private:
  void add(ProgramRule rule, const std::string& words) { problems_.add(rule, name_ + " " + words); }

  const Buffer& buffer(int number) const { return program_.buffers[static_cast<std::size_t>(number)]; }

  bool check_views(const Step& step) {
    bool sound = true;
    for_each_view(step, [&](const View& view, bool writes) {
      if (static_cast<std::size_t>(view.buffer) >= program_.buffers.size() || view.value < 0 ||
          static_cast<std::size_t>(view.value) >= program_.buffers.size() || view.sizes.size() != view.strides.size()) {
        add(ProgramRule::bounds, "has a view of a buffer or value that does not exist");
        sound = false;
        return;
      }
      const Buffer& held = buffer(view.buffer);
      if (!is_inside(view.offset, view.sizes, view.strides, {}, held.count)) {
        add(ProgramRule::bounds, "reaches outside " + name_of_buffer(program_, view.buffer) + " of " +
                                     std::to_string(held.count) + " elements");
        sound = false;
      }
      if (writes && (held.kind == Buffer::Kind::input || held.kind == Buffer::Kind::constant)) {
        add(ProgramRule::overwrite, "writes " + name_of_buffer(program_, view.buffer) + ", which is given");
        sound = false;
      }
    });
    return sound;
  }

  void check_written_whole(const View& view) {
    if (covers_all(view.offset, view.sizes, view.strides, buffer(view.buffer).count)) return;
    add(ProgramRule::complete, "writes only a part of " + name_of_buffer(program_, view.buffer));
  }

  bool check_call(const Step& step) {
    if (step.node == nullptr) {
      add(ProgramRule::operands, "has no node");
      return false;
    }
    const Node& node = *step.node;
    if (step.inputs.size() < node.inputs.size() || step.outputs.size() < node.outputs.size() ||
        (step.kernel == nullptr &&
         (step.inputs.size() > node.inputs.size() || step.outputs.size() > node.outputs.size()))) {
      add(ProgramRule::operands, "has other operands than its node");
      return false;
    }
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      const View& view = step.inputs[k];
      if (static_cast<bool>(node.inputs[k]) != static_cast<bool>(view)) {
        add(ProgramRule::operands, "lacks operand " + std::to_string(k));
        return false;
      }
      if (!view || view.is_dense() || element_count(view.sizes) <= 1) continue;
      if (!device_.takes_strides || !device_.takes_strides(node, k, view.sizes, view.strides)) {
        add(ProgramRule::operands, "gets operand " + std::to_string(k) + " with strides that the device does not take");
      }
    }
    for (std::size_t k = 0; k < node.outputs.size(); ++k) {
      if (!step.outputs[k]) {
        add(ProgramRule::operands, "lacks output " + std::to_string(k));
        return false;
      }
      check_written_whole(step.outputs[k]);
    }
    return true;
  }

  void check_copy(const Step& step) {
    if (step.inputs.size() != 1 || step.outputs.size() != 1 || step.kernel != nullptr) {
      return add(ProgramRule::operands, "copies other than one view into one");
    }
    const View& from = step.inputs.front();
    const View& to = step.outputs.front();
    if (!from.is_dense() || !to.is_dense() || from.sizes != to.sizes || from.value != to.value ||
        buffer(from.buffer).dtype != buffer(to.buffer).dtype) {
      return add(ProgramRule::operands, "copies between views that differ");
    }
    check_written_whole(to);
  }

  void check_kernel_of(const Step& step) {
    const Kernel& kernel = *step.kernel;
    if (const auto breach = find_breach(kernel)) return add(ProgramRule::kernel, "needs " + breach->rule);
    if (step.arguments.size() != kernel.arguments.size()) {
      return add(ProgramRule::kernel, "has other buffers than its kernel has arguments");
    }
    std::size_t views = 0;
    for (const Access& access : accesses_of(step)) {
      if (access.argument < 0) continue;
      if (access.view == nullptr) {
        add(ProgramRule::kernel, "has no view for argument " + std::to_string(access.argument) + " of its kernel");
        return;
      }
      ++views;
      check_argument(kernel, access);
    }
    if (step.kind == Step::Kind::call) check_epilogue(step, views);
  }

  void check_argument(const Kernel& kernel, const Access& access) {
    const auto number = static_cast<std::size_t>(access.argument);
    const KernelArgument& argument = kernel.arguments[number];
    const Buffer& held = buffer(access.view->buffer);
    if (argument.dtype != seen_as(held.dtype)) {
      add(ProgramRule::bounds, "sees " + name_of_buffer(program_, access.view->buffer) + " in another dtype");
    }
    Range lookup;
    for (const KernelInstruction& each : kernel.instructions) {
      if (each.kind != KernelInstruction::Kind::load || each.argument != access.argument) continue;
      const std::int64_t reach = std::max<std::int64_t>(each.gather_length - 1, 0) * each.gather_stride;
      lookup.first = std::min(lookup.first, reach);
      lookup.last = std::max(lookup.last, reach);
    }
    // A lookup into an axis of length 0 reads nothing: every index is refused.
    if (held.count > 0 && !is_inside(argument.offset, kernel.space, argument.strides, lookup, held.count)) {
      add(ProgramRule::bounds, "has an argument that reaches outside " + name_of_buffer(program_, access.view->buffer));
    }
    if (access.writes && element_count(kernel.space) > 0 &&
        !covers_all(argument.offset, kernel.space, argument.strides, held.count)) {
      add(ProgramRule::complete, "stores only a part of " + name_of_buffer(program_, access.view->buffer));
    }
  }

  void check_epilogue(const Step& step, std::size_t views) {
    const Node& node = *step.node;
    const View& result = step.outputs.front();
    Step call = step;
    call.kernel = nullptr;
    call.arguments.clear();
    call.inputs.resize(node.inputs.size());
    call.outputs.resize(node.outputs.size());
    if (!device_.takes_epilogue || !device_.takes_epilogue(program_, call, *step.kernel)) {
      add(ProgramRule::epilogue, "has an epilogue that the device does not take");
    }
    int reads = 0;
    for (std::size_t k = 0; k < step.arguments.size(); ++k) {
      const KernelArgument& argument = step.kernel->arguments[k];
      if (argument.output || step.arguments[k] != result.buffer) continue;
      ++reads;
      const bool in_order = access_order(*step.kernel, k) == AccessOrder::point && argument.offset == 0 &&
                            View{result.buffer, 0, step.kernel->space, argument.strides, result.value}.is_dense() &&
                            element_count(step.kernel->space) == buffer(result.buffer).count;
      if (!in_order) add(ProgramRule::epilogue, "has an epilogue that does not visit its result in order");
    }
    if (reads != 1) add(ProgramRule::epilogue, "has an epilogue that does not read its result once");
    // Every view beside those of the call is one of the kernel, which reads the result besides.
    const std::size_t own = step.inputs.size() - node.inputs.size() + step.outputs.size() - node.outputs.size();
    if (own + static_cast<std::size_t>(reads) != views) {
      add(ProgramRule::kernel, "has other views than its epilogue has arguments");
    }
  }

  const Program& program_;
  const CallRules& device_;
  Problems& problems_;
  std::string name_;
};

}  // namespace

void check_steps(const Program& program, const CallRules& device, Problems& problems) {
  StepChecker checker(program, device, problems);
  for (std::size_t number = 0; number < program.steps.size(); ++number) checker.check(number);
}

}  // namespace asg::verify
