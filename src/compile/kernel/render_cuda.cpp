#include "asg/compile/render_cuda.h"

#include <algorithm>
#include <utility>

#include "compile/kernel/cuda_prelude.h"
#include "compile/kernel/cuda_rows.h"
#include "compile/kernel/cuda_types.h"
#include "compile/kernel/cuda_writer.h"

namespace asg {
namespace {

constexpr std::int64_t kMostBlocks = 65536;  // a launch of more has each block do several parts

CudaLaunch launch_of(const Kernel& kernel) {
  const auto blocks = [](std::int64_t parts, std::int64_t block) {
    return static_cast<unsigned>(std::clamp<std::int64_t>((parts + block - 1) / block, 1, kMostBlocks));
  };
  // As many threads as the row has elements, up to a limit: a power of two, as the tree of a reduction needs.
  const auto row_block = [&](unsigned most) {
    unsigned block = 32;
    while (block < most && block < kernel.row_length()) block *= 2;
    return block;
  };
  switch (cuda::shape_of(kernel)) {
    case cuda::Shape::points:
      return {blocks(element_count(kernel.space), 256), 256};
    case cuda::Shape::rows:
      return {blocks(kernel.rows(), 1), row_block(256)};
    case cuda::Shape::columns:
      return {blocks(kernel.row_length(), 64), 64};
    case cuda::Shape::in_order:
      break;
  }
  return {1, row_block(1024)};
}

std::string loop_text(const std::string& variable, std::int64_t count) {
  return "  const long long step = (long long)gridDim.x * blockDim.x;\n  for (long long " + variable +
         " = (long long)blockIdx.x * blockDim.x + threadIdx.x; " + variable + " < " + std::to_string(count) + "; " +
         variable + " += step) {\n";
}

std::string points_text(const Kernel& kernel) {
  const cuda::Writer writer(kernel, "point", "");
  std::string text = loop_text("point", element_count(kernel.space));
  text += writer.values(cuda::needed_values(kernel), "    ");
  for (const KernelStore& store : kernel.stores) text += writer.store(store, 'v' + std::to_string(store.value), "    ");
  return text + "  }\n";
}

std::string statement(const std::string& indent, const std::string& a, const std::string& b, const std::string& c) {
  return indent + a + b + c + ";\n";
}

std::string columns_text(const Kernel& kernel) {
  const cuda::Writer writer(kernel, "row", "column");
  std::string sums;
  std::string steps;
  std::string ends;
  for (std::size_t k = 0; k < kernel.stores.size(); ++k) {
    const KernelStore& store = kernel.stores[k];
    const std::string value = 'v' + std::to_string(store.value);
    const DType dtype = kernel.instructions[static_cast<std::size_t>(store.value)].dtype;
    if (!store.sum_over_leading) {
      steps += writer.store(store, value, "      ");
      continue;
    }
    const std::string sum = "sum" + std::to_string(k);
    sums += statement("    ", cuda::sum_type(dtype) + ' ', sum, " = 0");
    steps += statement("      ", sum, " += ", value);
    ends += writer.store(store, cuda::finished_sum(dtype, sum), "    ");
  }
  return loop_text("column", kernel.row_length()) + sums + "    for (long long row = 0; row < " +
         std::to_string(kernel.rows()) + "; ++row) {\n" + writer.values(cuda::needed_values(kernel), "      ") + steps +
         "    }\n" + ends + "  }\n";
}

std::string head_text(const Kernel& kernel, std::string_view name) {
  std::string text = "extern \"C\" __global__ void " + std::string(name) + '(';
  for (std::size_t k = 0; k < kernel.arguments.size(); ++k) {
    const KernelArgument& argument = kernel.arguments[k];
    text += (argument.output ? "" : "const ") + cuda::stored_type(argument.dtype) + "* arg" + std::to_string(k) + ", ";
  }
  return text + "unsigned int* failed) {\n";
}

}  // namespace

CudaLaunch cuda_launch(const Kernel& kernel) { return launch_of(with_merged_axes(kernel)); }

std::string render_cuda(const Kernel& kernel, std::string_view name) {
  const Kernel merged = with_merged_axes(kernel);
  const cuda::Shape shape = cuda::shape_of(merged);
  std::string functions;
  std::string body;
  if (shape == cuda::Shape::points) {
    body = points_text(merged);
  } else if (shape == cuda::Shape::columns) {
    body = columns_text(merged);
  } else {
    const unsigned block = launch_of(merged).block;
    functions = cuda::block_reductions_text(merged, block);
    body = cuda::rows_text(merged, block);
  }
  body = functions + head_text(merged, name) + body + "}\n";
  return cuda::prelude_for(body) + body;
}

}  // namespace asg
