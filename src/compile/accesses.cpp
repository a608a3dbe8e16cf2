#include "compile/accesses.h"

#include <algorithm>

namespace asg {
namespace {

bool is_looked_up(const Kernel& kernel, std::size_t argument) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [&](const KernelInstruction& each) {
    return each.kind == KernelInstruction::Kind::load && each.operands[0] >= 0 &&
           each.argument == static_cast<int>(argument);
  });
}

bool is_sum(const Kernel& kernel, std::size_t argument) {
  return std::any_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore& store) {
    return store.sum_over_leading && store.argument == static_cast<int>(argument);
  });
}

bool has_reductions(const Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                     [](const KernelInstruction& each) { return each.kind == KernelInstruction::Kind::reduce; });
}

// The view of a buffer among some; null: there is none.
const View* find_view(const std::vector<View>& views, std::size_t first, int buffer) {
  const auto found = std::find_if(views.begin() + static_cast<std::ptrdiff_t>(std::min(first, views.size())),
                                  views.end(), [&](const View& view) { return view.buffer == buffer; });
  return found == views.end() ? nullptr : &*found;
}

}  // namespace

AccessOrder access_order(const Kernel& kernel, std::size_t argument) {
  const KernelArgument& given = kernel.arguments[argument];
  if (given.output && is_sum(kernel, argument)) return AccessOrder::last;
  if (!given.output && is_looked_up(kernel, argument)) return AccessOrder::anytime;
  const std::size_t leading = kernel.space.size() - static_cast<std::size_t>(kernel.row_axes);
  const bool rows_are_points = has_reductions(kernel);
  bool moves_along_row = false;
  for (std::size_t axis = leading; axis < kernel.space.size(); ++axis) {
    moves_along_row = moves_along_row || given.strides[axis] != 0;
  }
  for (std::size_t axis = 0; axis < kernel.space.size(); ++axis) {
    const bool is_repeated = kernel.space[axis] > 1 && given.strides[axis] == 0;
    const bool is_per_row = axis >= leading && rows_are_points && !moves_along_row;
    if (is_repeated && !is_per_row) return AccessOrder::anytime;
  }
  return AccessOrder::point;
}

bool may_overwrite(const Kernel& kernel, std::size_t read, std::size_t written) {
  const KernelArgument& from = kernel.arguments[read];
  const KernelArgument& to = kernel.arguments[written];
  return !from.output && to.output && from.offset == to.offset && from.strides == to.strides &&
         bytes_of(from.dtype) == bytes_of(to.dtype) && access_order(kernel, read) == AccessOrder::point &&
         access_order(kernel, written) == AccessOrder::point;
}

std::vector<Access> accesses_of(const Step& step) {
  std::vector<Access> accesses;
  const bool has_op = step.kind != Step::Kind::fused;
  const bool is_copy = step.kind == Step::Kind::copy;
  const std::size_t operands = is_copy ? 1 : has_op ? step.node->inputs.size() : 0;
  const std::size_t results = is_copy ? 1 : has_op ? step.node->outputs.size() : 0;
  for (std::size_t k = 0; k < std::min(operands, step.inputs.size()); ++k) {
    if (step.inputs[k]) accesses.push_back({&step.inputs[k], false});
  }
  for (std::size_t k = 0; k < std::min(results, step.outputs.size()); ++k) {
    if (step.outputs[k]) accesses.push_back({&step.outputs[k], true});
  }
  if (step.kernel == nullptr) return accesses;
  for (const bool writes : {false, true}) {
    for (std::size_t k = 0; k < step.kernel->arguments.size(); ++k) {
      if (step.kernel->arguments[k].output != writes) continue;
      const int buffer = k < step.arguments.size() ? step.arguments[k] : -1;
      const View* view = writes ? find_view(step.outputs, results, buffer) : find_view(step.inputs, operands, buffer);
      const bool is_result = has_op && !writes && !step.outputs.empty() && step.outputs.front().buffer == buffer;
      if (is_result) view = &step.outputs.front();
      accesses.push_back({view, writes, static_cast<int>(k)});
    }
  }
  return accesses;
}

bool may_write_over(const Step& step, int input, int output) {
  const std::vector<Access> accesses = accesses_of(step);
  const Access* write = nullptr;
  for (const Access& access : accesses) {
    if (access.view == nullptr) return false;
    if (access.writes && access.view->buffer == output) write = &access;
  }
  // Other parts of a call still need its operands when it writes a result.
  if (write == nullptr || write->argument < 0) return false;
  return std::all_of(accesses.begin(), accesses.end(), [&](const Access& access) {
    if (access.view->buffer != input) return true;
    if (access.argument < 0) return access.writes;  // a result of the call, which the kernel reads next
    if (access.writes) return false;
    return may_overwrite(*step.kernel, static_cast<std::size_t>(access.argument),
                         static_cast<std::size_t>(write->argument));
  });
}

}  // namespace asg
