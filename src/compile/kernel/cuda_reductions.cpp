#include "compile/kernel/cuda_reductions.h"

#include <algorithm>
#include <set>

#include "compile/kernel/cuda_types.h"
#include "compile/kernel/cuda_writer.h"

namespace asg::cuda {
namespace {

constexpr int kWarp = 32;

const KernelInstruction& reduction_of(const Kernel& kernel, int number) {
  return kernel.instructions[static_cast<std::size_t>(number)];
}

std::string warp_function(const KernelInstruction& instruction) {
  std::string type = value_type(instruction.dtype);
  std::replace(type.begin(), type.end(), ' ', '_');
  return "warp_" + std::string(name_of(instruction.reduction)) + "_of_" + type;
}

std::string shared_name(int number) { return "shared" + std::to_string(number); }

std::string assigned(const std::string& indent, const std::string& to, const std::string& value) {
  return indent + to + " = " + value + ";\n";
}

std::string in_warp(const Kernel& kernel, int number, int threads, const std::string& indent) {
  if (threads == 1) return "";
  return assigned(
      indent, part_name(number),
      warp_function(reduction_of(kernel, number)) + '(' + part_name(number) + ", " + std::to_string(threads) + ')');
}

// Threads of a row are not neighbours: each adds up what all of them have.
std::string exchange_across(const GpuPlan& plan, const std::vector<int>& reductions, const std::string& indent) {
  if (plan.row_threads == 1) return "";
  std::string text;
  for (const int number : reductions)
    text += assigned(indent, shared_name(number) + "[threadIdx.x]", part_name(number));
  text += indent + "__syncthreads();\n";
  for (const int number : reductions) {
    const KernelInstruction& each = reduction_of(plan.kernel, number);
    const std::string rows = std::to_string(plan.block_rows);
    text += assigned(indent, part_name(number), shared_name(number) + "[group]");
    text += indent + "for (int other = 1; other < " + std::to_string(plan.row_threads) + "; ++other) {\n";
    text += assigned(indent + "  ", part_name(number),
                     combined(each.reduction, each.dtype, part_name(number),
                              shared_name(number) + "[other * " + rows + " + group]"));
    text += indent + "}\n";
  }
  return text;
}

}  // namespace

std::string part_name(int number) { return "part" + std::to_string(number); }

std::string warp_functions(const Kernel& kernel, const std::vector<int>& reductions) {
  std::string text;
  std::set<std::string> written;
  for (const int number : reductions) {
    const KernelInstruction& each = reduction_of(kernel, number);
    const std::string type = value_type(each.dtype);
    if (!written.insert(warp_function(each)).second) continue;
    text += "// The values of so many neighbouring threads, in a fixed order.\ninline __device__ ";
    text += type + " " + warp_function(each) + "(";
    text += type +
            " value, int threads) {\n#pragma unroll\n  for (int half = threads / 2; half > 0; half /= 2) {\n    const ";
    text += type + " other = (";
    text += type + ")__shfl_xor_sync(0xffffffffu, value, half);\n    value = " +
            combined(each.reduction, each.dtype, "value", "other") + ";\n  }\n  return value;\n}\n\n";
  }
  return text;
}

std::string shared_declarations(const GpuPlan& plan, const std::vector<int>& reductions, const std::string& indent) {
  const int threads = plan.row_threads * plan.block_rows;
  const bool none = plan.across ? plan.row_threads == 1 : plan.row_threads <= kWarp;
  std::string text;
  for (const int number : reductions) {
    if (none) break;
    text += indent + "__shared__ " + value_type(reduction_of(plan.kernel, number).dtype) + ' ' + shared_name(number) +
            '[' + std::to_string(plan.across ? threads : threads / kWarp) + "];\n";
  }
  return text;
}

std::string part_declarations(const Kernel& kernel, const std::vector<int>& reductions, const std::string& indent) {
  std::string text;
  for (const int number : reductions) {
    const KernelInstruction& each = reduction_of(kernel, number);
    text += assigned(indent + value_type(each.dtype) + ' ', part_name(number), identity(each.reduction, each.dtype));
  }
  return text;
}

std::string part_steps(const Kernel& kernel, const std::vector<int>& reductions) {
  std::string text;
  for (const int number : reductions) {
    const KernelInstruction& each = reduction_of(kernel, number);
    text += assigned("", part_name(number),
                     combined(each.reduction, each.dtype, part_name(number), value_name(each.operands[0])));
  }
  return text;
}

std::string exchange(const GpuPlan& plan, const std::vector<int>& reductions, const std::string& indent) {
  if (plan.across) return exchange_across(plan, reductions, indent);
  std::string text;
  for (const int number : reductions) {
    text += in_warp(plan.kernel, number, std::min(plan.row_threads, kWarp), indent);
  }
  const int warps = plan.row_threads / kWarp;  // of a row
  if (warps <= 1) return text;
  text += indent + "if (threadIdx.x % 32 == 0) {\n";
  for (const int number : reductions) {
    text += assigned(indent + "  ", shared_name(number) + "[threadIdx.x / 32]", part_name(number));
  }
  text += indent + "}\n" + indent + "__syncthreads();\n";
  for (const int number : reductions) {
    const std::string first = plan.block_rows > 1 ? "group * " + std::to_string(warps) + " + " : "";
    text += assigned(indent, part_name(number),
                     shared_name(number) + '[' + first + "threadIdx.x % " + std::to_string(warps) + ']');
    text += in_warp(plan.kernel, number, warps, indent);
  }
  return text;
}

std::string result_declarations(const Kernel& kernel, const std::vector<int>& reductions, const std::string& indent) {
  std::string text;
  for (const int number : reductions) {
    const KernelInstruction& each = reduction_of(kernel, number);
    const std::string type = value_type(each.dtype);
    const DType wide = type == "float" ? DType::f32 : each.dtype;
    std::string declared = indent + "const ";
    declared += type + " ";
    text += assigned(declared, value_name(number), converted(wide, each.dtype, part_name(number)));
  }
  return text;
}

}  // namespace asg::cuda
