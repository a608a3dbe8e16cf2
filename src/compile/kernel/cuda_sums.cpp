#include "compile/kernel/cuda_sums.h"

#include <algorithm>

#include "compile/gpu/passes.h"
#include "compile/gpu/workspace.h"
#include "compile/kernel/cuda_elements.h"
#include "compile/kernel/cuda_types.h"

namespace asg::cuda {
namespace {

// The sum of a store over the rows, in text.
class Sum {
 public:
  Sum(const GpuPlan& plan, std::size_t number)
      : plan_(plan),
        number_(static_cast<int>(number)),
        store_(plan.kernel.stores[number]),
        dtype_(plan.kernel.arguments[gpu::place(store_.argument)].dtype) {}

  bool single() const { return gpu::stores_once(plan_.kernel, store_); }
  std::string type() const { return sum_type(dtype_); }
  std::string name() const { return "sum" + std::to_string(number_); }
  std::string shared() const { return "sums" + std::to_string(number_); }
  // Its view of the shared memory that all sums use, one after the other.
  std::string shared_line() const {
    return type() + "* const " + shared() + " = reinterpret_cast<" + type() + "*>(sum_memory);";
  }
  std::string add(const std::string& a, const std::string& b) const { return added(dtype_, a, b); }

  // The partial sums of the plan in the workspace.
  std::string partials() const {
    return "reinterpret_cast<" + type() + "*>(workspace + " + std::to_string(gpu::partial_of(plan_, number_).offset) +
           ')';
  }

  // Stores what a block has of a column: as a partial sum, or for good where there is one block.
  std::string finished(const std::string& sum, const std::string& part, const std::string& indent) const {
    if (plan_.parts == 1) return stored(sum, indent);
    const std::string length = index_number(plan_, plan_.kernel.row_length());
    return indent + partials() + '[' +
           (single() ? part : '(' + index_type(plan_) + ')' + part + " * " + length + " + k") + "] = " + sum + ";\n";
  }

  std::string stored(const std::string& sum, const std::string& indent) const {
    return Writer(plan_, "0", "k").store(store_, finished_sum(dtype_, sum), indent);
  }

 private:
  const GpuPlan& plan_;
  int number_;
  KernelStore store_;
  DType dtype_;
};

std::vector<Sum> sums_of(const GpuPlan& plan) {
  std::vector<Sum> sums;
  for (std::size_t k = 0; k < plan.kernel.stores.size(); ++k) {
    if (plan.kernel.stores[k].sum_over_leading) sums.emplace_back(plan, k);
  }
  return sums;
}

std::string sum_memory(std::int64_t elements, const std::string& indent) {
  return indent + "__shared__ unsigned long long sum_memory[" + std::to_string(std::max<std::int64_t>(1, elements)) +
         "];\n";
}

std::string lines(const std::string& indent, const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& line : all) text += indent + line + '\n';
  return text;
}

// Threads of a row have a sum for each of their columns: those of the rows of the block are added up one row after the
// other.
std::string column_ends(const GpuPlan& plan, const Sum& sum, const std::string& indent) {
  const std::string vector = std::to_string(plan.vector);
  const std::string length = index_number(plan, plan.kernel.row_length());
  const std::string place = "e * " + vector + " + i";
  const bool shared = plan.block_rows > 1;
  std::string text = indent + "{\n";
  const std::string in = indent + "  ";
  if (shared) {
    text +=
        lines(in, {sum.shared_line(), "for (int turn = 0; turn < " + std::to_string(plan.block_rows) + "; ++turn) {",
                   "  if (group == turn) {"});
  }
  const std::string deep = shared ? in + "    " : in;
  text += lines(deep, {"#pragma unroll", "for (int e = 0; e < " + std::to_string(plan.vectors) + "; ++e) {",
                       "#pragma unroll", "  for (int i = 0; i < " + vector + "; ++i) {",
                       "    const " + index_type(plan) + " k = (e * " + std::to_string(plan.row_threads) +
                           " + lane) * " + vector + " + i;",
                       "    if (k < " + length + ") {"});
  if (shared) {
    text += deep + "      " + sum.shared() + "[k] = turn == 0 ? " + sum.name() + '[' + place +
            "] : " + sum.add(sum.shared() + "[k]", sum.name() + '[' + place + ']') + ";\n";
  } else {
    text += sum.finished(sum.name() + '[' + place + ']', "blockIdx.x", deep + "      ");
  }
  text += lines(deep, {"    }", "  }", "}"});
  if (shared) {
    text +=
        lines(in, {"  }", "  __syncthreads();", "}",
                   "for (" + index_type(plan) + " k = (int)threadIdx.x; k < " + length + "; k += (int)blockDim.x) {"});
    text += sum.finished(sum.shared() + "[k]", "blockIdx.x", in + "  ") + in + "}\n" + in + "__syncthreads();\n";
  }
  return text + indent + "}\n";
}

// Each row has one value.
std::string single_ends(const GpuPlan& plan, const Sum& sum, const std::string& indent) {
  const std::string rows = std::to_string(plan.block_rows);
  const std::string in = indent + "  ";
  return indent + "{\n" +
         lines(in,
               {sum.shared_line(), "if (lane == 0) " + sum.shared() + "[group] = " + sum.name() + ';',
                "__syncthreads();", "if (threadIdx.x == 0) {", "  " + sum.type() + " total = " + sum.shared() + "[0];",
                "  for (int other = 1; other < " + rows +
                    "; ++other) total = " + sum.add("total", sum.shared() + "[other]") + ';'}) +
         sum.finished("total", "blockIdx.x", in + "  ") + in + "}\n" + in + "__syncthreads();\n" + indent + "}\n";
}

}  // namespace

std::string index_number(const GpuPlan& plan, std::int64_t number) {
  return std::to_string(number) + (plan.wide_index ? "LL" : "");
}

bool sums_in_registers(const GpuPlan& plan) {
  const std::vector<Sum> sums = sums_of(plan);
  return std::any_of(sums.begin(), sums.end(), [](const Sum& sum) { return !sum.single(); });
}

std::string sum_declarations(const GpuPlan& plan, const std::string& indent) {
  std::string text;
  for (const Sum& sum : sums_of(plan)) {
    text += indent + sum.type() + ' ' + sum.name();
    text += sum.single() ? " = 0;\n" : '[' + std::to_string(plan.vectors * plan.vector) + "] = {};\n";
  }
  return text;
}

std::string sum_step(const GpuPlan& plan, const KernelStore& store, const std::string& guard) {
  std::size_t number = 0;
  while (!(plan.kernel.stores[number] == store)) ++number;
  const Sum sum(plan, number);
  std::string name = sum.name();
  if (!sum.single()) name += plan.vector > 1 ? "[e * " + std::to_string(plan.vector) + " + i]" : "[e]";
  return guard + name + " = " + sum.add(name, value_name(store.value)) + ";\n";
}

std::string sum_ends(const GpuPlan& plan, const std::string& indent) {
  const bool columns = sums_in_registers(plan) && plan.block_rows > 1;
  std::string text =
      sums_of(plan).empty()
          ? ""
          : sum_memory(columns ? std::max<std::int64_t>(plan.kernel.row_length(), plan.block_rows) : plan.block_rows,
                       indent);
  for (const Sum& sum : sums_of(plan)) {
    text += sum.single() ? single_ends(plan, sum, indent) : column_ends(plan, sum, indent);
  }
  return text;
}

std::string columns_text(const GpuPlan& plan) {
  const Kernel& kernel = plan.kernel;
  const std::string type = index_type(plan);
  const std::string length = index_number(plan, kernel.row_length());
  const ElementsWriter writer(plan, "row", "k", length);
  const std::string wide = std::to_string(plan.row_threads * plan.vector);  // columns of a block
  const std::string parts = std::to_string(plan.parts);
  const std::string rows = std::to_string(plan.block_rows);
  const std::int64_t part_rows = (kernel.rows() + plan.parts - 1) / plan.parts;
  const bool packed = plan.vector > 1;
  Elements elements;
  const std::vector<bool> needed = gpu::needed_values(kernel);
  for (std::size_t k = 0; k < needed.size(); ++k) {
    if (needed[k]) elements.values.push_back(static_cast<int>(k));
  }
  std::string declared;
  for (std::size_t k = 0; k < kernel.stores.size(); ++k) {
    const KernelStore& store = kernel.stores[k];
    if (!store.sum_over_leading) {
      elements.stores.push_back(store);
      continue;
    }
    const Sum sum(plan, k);
    declared += "  " + sum.type() + ' ' + sum.name() + '[' + std::to_string(plan.vector) + "] = {};\n";
    const std::string name = sum.name() + (packed ? "[i]" : "[0]");
    elements.uses += name + " = " + sum.add(name, value_name(store.value)) + ";\n";
  }
  std::string text = lines(
      "  ", {"const int lane = (int)threadIdx.x % " + std::to_string(plan.row_threads) + ';',
             "const int group = (int)threadIdx.x / " + std::to_string(plan.row_threads) + ';',
             "const int piece = (int)(blockIdx.x % " + parts + ");",
             "const " + type + " tile = (" + type + ")(blockIdx.x / " + parts + ") * " + wide + ';',
             "const " + type + ' ' + writer.first() + " = tile + lane" +
                 (packed ? " * " + std::to_string(plan.vector) : "") + ';',
             "const " + type + " begin = (" + type + ")piece * " + std::to_string(part_rows) + ';',
             "const " + type + " end = begin + " + std::to_string(part_rows) + " < " + std::to_string(kernel.rows()) +
                 " ? begin + " + std::to_string(part_rows) + " : " + std::to_string(kernel.rows()) + ';'});
  const bool whole = kernel.row_length() % (std::int64_t{plan.row_threads} * plan.vector) == 0;
  text += declared + "#pragma unroll 4\n  for (" + type + " row = begin + group; row < end; row += " + rows + ") {\n" +
          writer.text(elements, whole, "    ") + "  }\n";
  const bool all_short = std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore& store) {
    const DType dtype = kernel.arguments[gpu::place(store.argument)].dtype;
    return !store.sum_over_leading || (is_float(dtype) && dtype != DType::f64);
  });
  text += sum_memory(std::int64_t{plan.row_threads} * plan.block_rows * plan.vector / (all_short ? 2 : 1), "  ");
  for (const Sum& sum : sums_of(plan)) {
    text += "  {\n" +
            lines("    ", {sum.shared_line(),
                           "for (int i = 0; i < " + std::to_string(plan.vector) + "; ++i) " + sum.shared() +
                               "[(int)threadIdx.x * " + std::to_string(plan.vector) + " + i] = " + sum.name() + "[i];",
                           "__syncthreads();",
                           "for (int column = (int)threadIdx.x; column < " + wide + "; column += (int)blockDim.x) {",
                           "  const " + type + " k = tile + column;", "  if (k < " + length + ") {",
                           "    " + sum.type() + " total = " + sum.shared() + "[column];",
                           "    for (int other = 1; other < " + rows + "; ++other) total = " +
                               sum.add("total", sum.shared() + "[other * " + wide + " + column]") + ';'}) +
            sum.finished("total", "piece", "        ") + "      }\n    }\n    __syncthreads();\n  }\n";
  }
  return text;
}

namespace {

// What a block does that finishes 32 elements of a sum; `before` and `after` are the blocks of the sums so far.
std::string finish_of(const GpuPlan& plan, const Sum& sum, std::int64_t count, std::int64_t before,
                      std::int64_t after) {
  const std::string type = index_type(plan);
  const int groups = plan.phases.back().threads / 32;
  const std::string length = index_number(plan, count);
  const std::string partial = sum.partials() + "[(" + type + ")part * " + length + " + k]";
  const std::int64_t whole = plan.parts / groups;  // rounds
  const std::string block = before > 0 ? "(blockIdx.x - " + std::to_string(before) + ")" : "blockIdx.x";
  return "  if (blockIdx.x >= " + std::to_string(before) + " && blockIdx.x < " + std::to_string(after) + ") {\n" +
         lines("    ", {"const " + type + " k = (" + type + ")" + block + " * 32 + (int)threadIdx.x % 32;",
                        sum.shared_line(), sum.type() + " total = 0;", "if (k < " + length + ") {", "#pragma unroll 16",
                        "  for (int round = 0; round < " + std::to_string(whole) + "; ++round) {",
                        "    const int part = round * " + std::to_string(groups) + " + group;",
                        "    total = " + sum.add("total", partial) + ';', "  }",
                        "  const int part = " + std::to_string(whole * groups) + " + group;",
                        "  if (part < " + std::to_string(plan.parts) + ") total = " + sum.add("total", partial) + ';',
                        "}", sum.shared() + "[threadIdx.x] = total;", "__syncthreads();",
                        "if (group == 0 && k < " + length + ") {", "#pragma unroll",
                        "  for (int other = 1; other < " + std::to_string(groups) + "; ++other) total = " +
                            sum.add("total", sum.shared() + "[other * 32 + (int)threadIdx.x]") + ';'}) +
         sum.stored("total", "      ") + "    }\n    __syncthreads();\n  }\n";
}

}  // namespace

std::string finish_text(const GpuPlan& plan) {
  std::string text = "  const int group = (int)threadIdx.x / 32;\n" + sum_memory(plan.phases.back().threads, "  ");
  std::int64_t before = 0;  // blocks of the sums before
  for (const Sum& sum : sums_of(plan)) {
    const std::int64_t count = sum.single() ? 1 : plan.kernel.row_length();
    const std::int64_t after = before + (count + 31) / 32;
    text += finish_of(plan, sum, count, before, after);
    before = after;
  }
  return text;
}

}  // namespace asg::cuda
