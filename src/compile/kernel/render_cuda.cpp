#include "asg/compile/render_cuda.h"

#include "compile/gpu/passes.h"
#include "compile/kernel/cuda_elements.h"
#include "compile/kernel/cuda_prelude.h"
#include "compile/kernel/cuda_rows.h"
#include "compile/kernel/cuda_sums.h"
#include "compile/kernel/cuda_types.h"

namespace asg {
namespace {

std::string points_text(const GpuPlan& plan) {
  const std::string count = cuda::index_number(plan, element_count(plan.kernel.space));
  const cuda::ElementsWriter writer(plan, "", "point", count);
  cuda::Elements elements{.values = {}, .reads = {}, .stores = plan.kernel.stores, .uses = ""};
  const std::vector<bool> needed = gpu::needed_values(plan.kernel);
  for (std::size_t k = 0; k < needed.size(); ++k) {
    if (needed[k]) elements.values.push_back(static_cast<int>(k));
  }
  const std::string type = cuda::index_type(plan);
  std::string number =
      '(' + type + ")blockIdx.x * " + std::to_string(plan.phases.front().threads) + " + (int)threadIdx.x";
  if (plan.vector > 1) number = '(' + number + ") * " + std::to_string(plan.vector);
  return "  const " + type + ' ' + writer.first() + " = " + number + ";\n" + writer.text(elements, false, "  ");
}

std::string body_text(const GpuPlan& plan, const GpuPhase& phase) {
  switch (phase.work) {
    case GpuPhase::Work::points:
      return points_text(plan);
    case GpuPhase::Work::rows:
      return cuda::rows_text(plan);
    case GpuPhase::Work::columns:
      return cuda::columns_text(plan);
    case GpuPhase::Work::finish:
      return cuda::finish_text(plan);
    case GpuPhase::Work::reduce:
    case GpuPhase::Work::store:
    case GpuPhase::Work::store_once:
      break;
  }
  return cuda::divided_rows_text(plan, phase);
}

std::string head_text(const GpuPlan& plan, const GpuPhase& phase, const std::string& name) {
  std::string text =
      "extern \"C\" __global__ void __launch_bounds__(" + std::to_string(phase.threads) + ") " + name + '(';
  for (std::size_t k = 0; k < plan.kernel.arguments.size(); ++k) {
    const KernelArgument& argument = plan.kernel.arguments[k];
    text += (argument.output ? "" : "const ") + cuda::stored_type(argument.dtype) + "* arg" + std::to_string(k) + ", ";
  }
  return text + "unsigned char* workspace, unsigned int* failed) {\n";
}

}  // namespace

CudaKernel render_cuda(const GpuPlan& plan, std::string_view name) {
  CudaKernel result;
  std::string bodies = cuda::rows_functions(plan);
  for (const GpuPhase& phase : plan.phases) {
    std::string function(name);
    if (!result.launches.empty()) function += '_' + std::to_string(result.launches.size());
    if (!result.launches.empty()) bodies += '\n';
    bodies += head_text(plan, phase, function) + body_text(plan, phase) + "}\n";
    result.launches.push_back(
        {.function = function, .grid = phase.blocks, .block = phase.threads, .shared_bytes = phase.shared_bytes});
  }
  result.text = cuda::prelude_for(bodies) + bodies;
  result.workspace_bytes = plan.workspace_bytes;
  return result;
}

}  // namespace asg
