#include "compile/gpu/workspace.h"

#include <algorithm>

#include "compile/gpu/passes.h"

namespace asg::gpu {
namespace {

constexpr std::int64_t kAlignment = 256;

// Sums of short numbers take 4 bytes if they are floats: see the sums of renderers.
std::int64_t bytes_of_sum(DType dtype) { return is_float(dtype) && dtype != DType::f64 ? 4 : 8; }

}  // namespace

std::vector<Partial> partials_of(const GpuPlan& plan) {
  std::vector<Partial> partials;
  if (plan.parts == 1) return partials;
  std::int64_t offset = 0;
  const auto add = [&](int number, std::int64_t parts, std::int64_t length, std::int64_t bytes) {
    partials.push_back({number, offset, parts, length, bytes});
    offset += (parts * length * bytes + kAlignment - 1) / kAlignment * kAlignment;
  };
  const Kernel& kernel = plan.kernel;
  if (plan.shape == GpuPlan::Shape::split_columns) {
    const std::vector<bool> needed = needed_values(kernel);
    for (std::size_t k = 0; k < kernel.instructions.size(); ++k) {
      const KernelInstruction& instruction = kernel.instructions[k];
      if (!needed[k] || instruction.kind != KernelInstruction::Kind::reduce) continue;
      add(static_cast<int>(k), plan.parts, kernel.rows(), 8);
    }
    return partials;
  }
  for (std::size_t k = 0; k < kernel.stores.size(); ++k) {
    const KernelStore& store = kernel.stores[k];
    if (!store.sum_over_leading) continue;
    const std::int64_t length = stores_once(kernel, store) ? 1 : kernel.row_length();
    add(static_cast<int>(k), plan.parts, length,
        bytes_of_sum(kernel.arguments[static_cast<std::size_t>(store.argument)].dtype));
  }
  return partials;
}

Partial partial_of(const GpuPlan& plan, int number) {
  for (const Partial& partial : partials_of(plan)) {
    if (partial.number == number) return partial;
  }
  fail_internal("a GPU plan has no partial numbers of " + std::to_string(number));
}

std::int64_t workspace_bytes_of(const GpuPlan& plan) {
  const std::vector<Partial> partials = partials_of(plan);
  if (partials.empty()) return 0;
  const Partial& last = partials.back();
  return last.offset + last.parts * last.length * last.element_bytes;
}

}  // namespace asg::gpu
