#include "compile/kernel/cuda_rows.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compile/kernel/cuda_types.h"
#include "compile/kernel/cuda_writer.h"

namespace asg::cuda {
namespace {

using Kind = KernelInstruction::Kind;

std::size_t index_of(int number) { return static_cast<std::size_t>(number); }
std::string name_of_value(int number) { return 'v' + std::to_string(number); }

std::string reduction_name(const KernelInstruction& instruction) {
  std::string type = value_type(instruction.dtype);
  std::replace(type.begin(), type.end(), ' ', '_');
  return "row_" + std::string(name_of(instruction.reduction)) + "_of_" + type;
}

// How many reductions must be finished, one after the other, before each value can be computed.
std::vector<int> passes_before(const Kernel& kernel) {
  std::vector<int> passes;
  for (const KernelInstruction& instruction : kernel.instructions) {
    int before = 0;
    for (const int operand : instruction.operands) {
      if (operand >= 0) before = std::max(before, passes[index_of(operand)]);
    }
    passes.push_back(before + (instruction.kind == Kind::reduce ? 1 : 0));
  }
  return passes;
}

// "const float v3 = …;"; without a type an assignment to what is there.
std::string assignment(const std::string& indent, const std::string& type, const std::string& name,
                       const std::string& value) {
  return indent + type + (type.empty() ? "" : " ") + name + " = " + value + ";\n";
}

class RowsWriter {
 public:
  RowsWriter(const Kernel& kernel, unsigned block)
      : kernel_(kernel),
        block_(block),
        writer_(kernel, "row", "k"),
        per_row_(values_per_row(kernel)),
        passes_(passes_before(kernel)),
        needed_(needed_values(kernel)) {
    per_element_ = per_row_;
    per_element_.flip();
  }

  std::string text() const {
    std::string text = sums_text() + "  for (long long row = blockIdx.x; row < " + std::to_string(kernel_.rows()) +
                       "; row += gridDim.x) {\n";
    int last = 0;
    for (const int number : needed_) last = std::max(last, passes_[index_of(number)]);
    text += row_values(0);
    for (int pass = 1; pass <= last; ++pass) text += reduction_pass(pass) + row_values(pass);
    return text + store_pass() + "  }\n" + finish_sums();
  }

 private:
  std::string loop(const std::string& body) const {
    if (body.empty()) return body;
    return "    for (long long k = threadIdx.x; k < " + std::to_string(kernel_.row_length()) +
           "; k += " + std::to_string(block_) + ") {\n" + body + "    }\n";
  }

  // Values of the row, which every thread computes for itself, once `pass` passes are done. Reductions are declared by
  // their pass.
  std::string row_values(int pass) const {
    std::string text;
    for (const int number : needed_) {
      const bool now = per_row_[index_of(number)] && passes_[index_of(number)] == pass;
      if (now && kernel_.instructions[index_of(number)].kind != Kind::reduce) text += writer_.value(number, "    ");
    }
    return text;
  }

  std::string reduction_pass(int pass) const {
    std::string starts;
    std::string steps;
    std::string ends;
    std::vector<int> reduced;
    for (const int number : needed_) {
      const KernelInstruction& instruction = kernel_.instructions[index_of(number)];
      if (instruction.kind != Kind::reduce || passes_[index_of(number)] != pass) continue;
      const std::string type = value_type(instruction.dtype);
      const std::string part = "part" + std::to_string(number);
      const std::string operand = name_of_value(instruction.operands[0]);
      starts += assignment("    ", type, part, identity(instruction.reduction, instruction.dtype));
      steps += assignment("      ", "", part, combined(instruction.reduction, instruction.dtype, part, operand));
      const std::string result = reduction_name(instruction) + '(' + part + ')';
      const DType wide = type == "float" ? DType::f32 : instruction.dtype;
      ends += assignment("    const ", type, name_of_value(number), converted(wide, instruction.dtype, result));
      reduced.push_back(instruction.operands[0]);
    }
    return starts + loop(writer_.values(needed_for(kernel_, reduced, per_element_), "      ") + steps) + ends;
  }

  std::string store_pass() const {
    std::string steps;
    std::string once;
    std::vector<int> stored;
    for (std::size_t k = 0; k < kernel_.stores.size(); ++k) {
      const KernelStore& store = kernel_.stores[k];
      const std::string value = name_of_value(store.value);
      const bool single = stores_once(kernel_, store);
      if (store.sum_over_leading) {
        const std::string added = sum_name(k) + (single ? "" : place_of_k()) + " += " + value + ";\n";
        (single ? once : steps) += (single ? "    " : "      ") + added;
      } else if (single) {
        once += "    if (threadIdx.x == 0) {\n" + writer_.store(store, value, "      ") + "    }\n";
      } else {
        steps += writer_.store(store, value, "      ");
      }
      if (!single) stored.push_back(store.value);
    }
    if (steps.empty()) return once;
    return loop(writer_.values(needed_for(kernel_, stored, per_element_), "      ") + steps) + once;
  }

  static std::string sum_name(std::size_t store) { return "sum" + std::to_string(store); }
  std::string place_of_k() const { return "[k / " + std::to_string(block_) + ']'; }

  // Each thread keeps the sums of the places that it computes.
  std::string sums_text() const {
    std::string text;
    const std::int64_t places = std::max<std::int64_t>(1, (kernel_.row_length() + block_ - 1) / block_);
    for (std::size_t k = 0; k < kernel_.stores.size(); ++k) {
      const KernelStore& store = kernel_.stores[k];
      if (!store.sum_over_leading) continue;
      const std::string type = sum_type(kernel_.instructions[index_of(store.value)].dtype);
      text += "  " + type + ' ' + sum_name(k);
      text += stores_once(kernel_, store) ? " = 0;\n" : '[' + std::to_string(places) + "] = {};\n";
    }
    return text;
  }

  std::string finish_sums() const {
    std::string text;
    for (std::size_t k = 0; k < kernel_.stores.size(); ++k) {
      const KernelStore& store = kernel_.stores[k];
      if (!store.sum_over_leading) continue;
      const DType dtype = kernel_.instructions[index_of(store.value)].dtype;
      if (stores_once(kernel_, store)) {
        text +=
            "  if (threadIdx.x == 0) {\n" + writer_.store(store, finished_sum(dtype, sum_name(k)), "    ") + "  }\n";
      } else {
        text += "  for (long long k = threadIdx.x; k < " + std::to_string(kernel_.row_length()) +
                "; k += " + std::to_string(block_) + ") {\n" +
                writer_.store(store, finished_sum(dtype, sum_name(k) + place_of_k()), "    ") + "  }\n";
      }
    }
    return text;
  }

  const Kernel& kernel_;
  unsigned block_;
  Writer writer_;
  std::vector<bool> per_row_;
  std::vector<bool> per_element_;
  std::vector<int> passes_;
  std::vector<int> needed_;
};

}  // namespace

std::string finished_sum(DType dtype, const std::string& sum) {
  if (is_float(dtype)) return converted(DType::f64, dtype, sum);
  return '(' + value_type(dtype) + ')' + sum;
}

namespace {

// The value of all threads of a block, as a function of its own.
std::string block_reduction_text(const KernelInstruction& instruction, unsigned block) {
  const std::string type = value_type(instruction.dtype);
  return "// The values of all threads of the block by a tree: always in the same order.\n"
         "static __device__ " +
         type + ' ' + reduction_name(instruction) + '(' + type + " value) {\n  __shared__ " + type + " parts[" +
         std::to_string(block) +
         "];\n"
         "  parts[threadIdx.x] = value;\n"
         "  __syncthreads();\n"
         "  for (unsigned half = " +
         std::to_string(block / 2) +
         "; half > 0; half /= 2) {\n"
         "    if (threadIdx.x < half) {\n"
         "      parts[threadIdx.x] = " +
         combined(instruction.reduction, instruction.dtype, "parts[threadIdx.x]", "parts[threadIdx.x + half]") +
         ";\n"
         "    }\n"
         "    __syncthreads();\n"
         "  }\n"
         "  const " +
         type +
         " result = parts[0];\n"
         "  __syncthreads();\n"
         "  return result;\n}\n\n";
}

}  // namespace

std::string block_reductions_text(const Kernel& kernel, unsigned block) {
  std::string text;
  std::set<std::string> written;
  for (const int number : needed_values(kernel)) {
    const KernelInstruction& instruction = kernel.instructions[index_of(number)];
    if (instruction.kind != Kind::reduce || !written.insert(reduction_name(instruction)).second) continue;
    text += block_reduction_text(instruction, block);
  }
  return text;
}

std::string rows_text(const Kernel& kernel, unsigned block) { return RowsWriter(kernel, block).text(); }

}  // namespace asg::cuda
