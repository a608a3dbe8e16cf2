#include "compile/kernel/cuda_elements.h"

#include <algorithm>
#include <utility>

#include "compile/gpu/passes.h"
#include "compile/gpu/vectors.h"
#include "compile/kernel/cuda_types.h"

namespace asg::cuda {
namespace {

using Access = GpuPlan::Access;
using Kind = KernelInstruction::Kind;

std::string numbered(const char* name, int number) { return name + std::to_string(number); }

// Whether each value is the same for all elements of a vector.
std::vector<bool> uniform_values(const GpuPlan& plan) {
  const Kernel& kernel = plan.kernel;
  const bool by_point = plan.shape == GpuPlan::Shape::points || plan.shape == GpuPlan::Shape::split_rows;
  const std::vector<bool> per_row = values_per_row(kernel);
  std::vector<bool> uniform;
  for (std::size_t k = 0; k < kernel.instructions.size(); ++k) {
    const KernelInstruction& each = kernel.instructions[k];
    if (!by_point && per_row[k]) {
      uniform.push_back(true);
      continue;
    }
    bool same = plan.vector > 1;
    if (each.kind == Kind::load) same = same && plan.access[gpu::place(each.argument)] == Access::uniform;
    if (each.kind == Kind::position) {
      const bool single_axis = gpu::first_vector_axis(plan) + 1 == kernel.space.size();
      same = same && each.strides.back() == 0 && (single_axis || kernel.space.back() % plan.vector == 0);
    }
    for (const int operand : each.operands) same = same && (operand < 0 || uniform[gpu::place(operand)]);
    uniform.push_back(same);
  }
  return uniform;
}

}  // namespace

ElementsWriter::ElementsWriter(const GpuPlan& plan, const std::string& row, const std::string& element,
                               std::string length)
    : plan_(plan),
      element_(element),
      length_(std::move(length)),
      each_(plan, row, element),
      whole_(plan, row, element + '0'),
      uniform_(uniform_values(plan)) {}

std::string ElementsWriter::first() const { return plan_.vector > 1 ? element_ + '0' : element_; }

bool ElementsWriter::keeps(int number) const {
  return std::find(plan_.kept.begin(), plan_.kept.end(), number) != plan_.kept.end();
}

std::string ElementsWriter::pack_type(DType dtype) const {
  return "Pack<" + stored_type(dtype) + ", " + std::to_string(plan_.vector) + '>';
}

Access ElementsWriter::access_of(int number, const std::vector<bool>& uniform) const {
  const KernelInstruction& load = plan_.kernel.instructions[gpu::place(number)];
  const Access access = plan_.access[gpu::place(load.argument)];
  if (load.operands[0] < 0 || access == Access::element) return access;
  if (!uniform[gpu::place(load.operands[0])]) return Access::element;
  const bool aligned = load.gather_stride % plan_.vector == 0 && !gpu::is_ragged(plan_);
  return access == Access::vector && !aligned ? Access::element : access;
}

std::string ElementsWriter::kept_declarations(const std::string& indent) const {
  std::string text;
  std::int64_t offset = 0;
  for (const int number : plan_.kept) {
    const DType dtype = plan_.kernel.instructions[gpu::place(number)].dtype;
    if (plan_.keep == GpuPlan::Keep::registers) {
      text += indent + value_type(dtype) + numbered(" kept", number) + '[' +
              std::to_string(plan_.vectors * plan_.vector) + "];\n";
    } else {
      text += indent + stored_type(dtype) + numbered("* const kept", number) + " = reinterpret_cast<" +
              stored_type(dtype) + "*>(shared_memory + " + std::to_string(offset) + ");\n";
      offset += bytes_of(dtype) * plan_.vectors * plan_.row_threads * plan_.vector;
    }
  }
  return text;
}

// Of a vector in registers: the first one of its places; in shared memory: of the places of the whole row.
std::string ElementsWriter::kept_place(int number) const {
  std::string vector = "e";
  if (plan_.keep == GpuPlan::Keep::shared) vector = "(e * " + std::to_string(plan_.row_threads) + " + lane)";
  if (plan_.vector > 1) vector += " * " + std::to_string(plan_.vector);
  return numbered("kept", number) + (plan_.keep == GpuPlan::Keep::shared ? " + " : "[") + vector;
}

std::string ElementsWriter::keep(int number, const std::string& value, const std::string& indent) const {
  const DType dtype = plan_.kernel.instructions[gpu::place(number)].dtype;
  const std::string place = kept_place(number);
  if (plan_.keep == GpuPlan::Keep::registers) {
    return indent + place + (plan_.vector > 1 ? " + i] = " : "] = ") + value + ";\n";
  }
  if (plan_.vector > 1) return indent + numbered("keeping", number) + ".at[i] = " + to_memory(dtype, value) + ";\n";
  return indent + "*(" + place + ") = " + to_memory(dtype, value) + ";\n";
}

std::string ElementsWriter::read(int number, const std::string& indent) const {
  const DType dtype = plan_.kernel.instructions[gpu::place(number)].dtype;
  const std::string declared = indent + "const " + value_type(dtype) + ' ' + value_name(number) + " = ";
  const std::string place = kept_place(number);
  if (plan_.keep == GpuPlan::Keep::registers) return declared + place + (plan_.vector > 1 ? " + i];\n" : "];\n");
  if (plan_.vector > 1) return declared + from_memory(dtype, numbered("held", number) + ".at[i]") + ";\n";
  return declared + from_memory(dtype, "*(" + place + ')') + ";\n";
}

std::string ElementsWriter::copy_ahead(int number, std::int64_t at, const Writer& writer, bool whole) const {
  const KernelInstruction& load = plan_.kernel.instructions[gpu::place(number)];
  const std::int64_t size = bytes_of(load.dtype);
  const std::string skipped = at == 0 ? "" : " + " + std::to_string(at / size);
  const std::string left =
      "(" + length_ + " - ahead0" + (at == 0 ? "" : " - " + std::to_string(at / size)) + ") * " + std::to_string(size);
  const std::string bytes = whole ? "16" : "(int)(" + left + " < 0 ? 0 : " + left + " < 16 ? " + left + " : 16)";
  return "copy_ahead(" + kept_place(number) + skipped + numbered(", arg", load.argument) + " + " +
         writer.address(load.argument) + skipped + ", " + bytes + ");\n";
}

std::string ElementsWriter::copies_ahead(const std::string& row, const std::string& shift, bool whole,
                                         const std::string& indent) const {
  const std::string index = index_type(plan_);
  const Writer writer(plan_, row, "ahead0");
  std::string text = indent + "const " + index + " ahead0 = (e * " + std::to_string(plan_.row_threads) + " + lane) * " +
                     std::to_string(plan_.vector) + shift + ";\n";
  const std::string deeper = whole ? indent : indent + "  ";
  std::string copies;
  for (const int number : plan_.kept) {
    const std::int64_t bytes = bytes_of(plan_.kernel.instructions[gpu::place(number)].dtype) * plan_.vector;
    for (std::int64_t at = 0; at < bytes; at += 16) copies += deeper + copy_ahead(number, at, writer, whole);
  }
  if (whole) return text + copies;
  return text + indent + "if (ahead0 < " + length_ + ") {\n" + copies + indent + "}\n";
}

std::string ElementsWriter::text(const Elements& elements, bool whole, const std::string& indent) const {
  const bool partly = !whole && gpu::is_ragged(plan_);
  const auto lines = [&](const std::string& deeper) {
    return plan_.vector > 1 ? packed(elements, deeper, partly) : single(elements, deeper);
  };
  if (whole) return lines(indent);
  return indent + "if (" + first() + " < " + length_ + ") {\n" + lines(indent + "  ") + indent + "}\n";
}

std::string ElementsWriter::single(const Elements& elements, const std::string& indent) const {
  std::string text;
  for (const int number : elements.reads) text += read(number, indent);
  for (const int number : elements.values) {
    text += each_.value(number, indent);
    if (keeps(number)) text += keep(number, value_name(number), indent);
  }
  for (const KernelStore& store : elements.stores) text += each_.store(store, value_name(store.value), indent);
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = elements.uses.find('\n', begin)) != std::string::npos; begin = end + 1) {
    text += indent + elements.uses.substr(begin, end + 1 - begin);
  }
  return text;
}

std::string ElementsWriter::packed_load(int number, bool partly, const std::string& indent) const {
  const KernelInstruction& load = plan_.kernel.instructions[gpu::place(number)];
  const std::string type = stored_type(load.dtype) + ", " + std::to_string(plan_.vector);
  const std::string pack = numbered("pack", number);
  const std::string argument = numbered("arg", load.argument);
  if (load.operands[0] >= 0) {
    const std::string name = numbered("index", number);
    return indent + "long long " + name + " = " + value_name(load.operands[0]) + ";\n" + indent + "Pack<" + type +
           "> " + pack + " = {};\n" + indent + "if (in_range(" + name + ", " + std::to_string(load.gather_length) +
           ", failed)) " + pack + " = load_pack<" + type + ">(" + argument + " + " +
           whole_.gathered_address(load, number) + ");\n";
  }
  const std::string from = argument + " + " + whole_.address(load.argument);
  if (partly) {
    const std::string whole = index_type(plan_);
    return indent + "const Pack<" + type + "> " + pack + " = load_part<" + type + ", " + whole + ">(" + from + ", " +
           first() + ", " + length_ + ");\n";
  }
  return indent + "const Pack<" + type + "> " + pack + " = load_pack<" + type + ">(" + from + ");\n";
}

// Whether the value of a store is rounded two at a time as it is stored: a f32 that is cast to 16 bits.
bool ElementsWriter::rounds_in_pairs(const KernelStore& store) const {
  const KernelInstruction& value = plan_.kernel.instructions[gpu::place(store.value)];
  const bool is_short = value.dtype == DType::f16 || value.dtype == DType::bf16;
  return is_short && plan_.vector % 2 == 0 && plan_.access[gpu::place(store.argument)] == Access::vector &&
         value.kind == Kind::compute && value.op == ScalarOp::cast && !uniform_[gpu::place(store.value)] &&
         plan_.kernel.instructions[gpu::place(value.operands[0])].dtype == DType::f32;
}

// Whether nothing but such stores needs a value.
bool ElementsWriter::is_only_rounded(int number, const Elements& elements) const {
  bool stored = false;
  for (const KernelStore& store : elements.stores) {
    if (store.value != number) continue;
    if (!rounds_in_pairs(store)) return false;
    stored = true;
  }
  if (!stored || keeps(number)) return false;
  for (const KernelStore& store : plan_.kernel.stores) {
    if (store.value == number && store.sum_over_leading) return false;
  }
  return std::none_of(plan_.kernel.instructions.begin(), plan_.kernel.instructions.end(), [&](const auto& each) {
    return std::find(each.operands.begin(), each.operands.end(), number) != each.operands.end();
  });
}

std::string ElementsWriter::unrounded_line(const std::string& out) const {
  return "float " + out + '[' + std::to_string(plan_.vector) + "] = {};\n";
}

std::string ElementsWriter::store_rounded(const KernelStore& store, const std::string& out, bool partly) const {
  const DType dtype = plan_.kernel.arguments[gpu::place(store.argument)].dtype;
  return (partly ? "store_some_shorts" : "store_shorts") + numbered("(arg", store.argument) + " + " +
         whole_.address(store.argument) + ", " + (dtype == DType::f16 ? "packed_f16(" : "packed_bf16(") + out + ')' +
         (partly ? ", " + first() + ", " + length_ : "") + ");\n";
}

std::string ElementsWriter::packed(const Elements& elements, const std::string& indent, bool partly) const {
  const std::string inner = indent + "  ";
  const bool in_shared = plan_.keep == GpuPlan::Keep::shared;
  std::string before;
  std::string each;
  std::string after;
  // What was kept is read for each element.
  std::vector<bool> uniform = uniform_;
  for (const int number : elements.reads) uniform[gpu::place(number)] = false;
  for (const int number : elements.values) {
    for (const int operand : plan_.kernel.instructions[gpu::place(number)].operands) {
      if (operand >= 0 && !uniform[gpu::place(operand)]) uniform[gpu::place(number)] = false;
    }
  }
  for (const int number : elements.reads) {
    const DType dtype = plan_.kernel.instructions[gpu::place(number)].dtype;
    if (in_shared) {
      before += indent + "const " + pack_type(dtype) + numbered(" held", number) + " = load_pack<" +
                stored_type(dtype) + ", " + std::to_string(plan_.vector) + ">(" + kept_place(number) + ");\n";
    }
    each += read(number, inner);
  }
  for (const int number : elements.values) {
    const KernelInstruction& instruction = plan_.kernel.instructions[gpu::place(number)];
    if (is_only_rounded(number, elements)) continue;
    const bool is_vector = instruction.kind == Kind::load && access_of(number, uniform) == Access::vector;
    const std::string value = value_name(number);
    if (uniform[gpu::place(number)]) {
      before += whole_.value(number, indent);
    } else if (is_vector) {
      before += packed_load(number, partly, indent);
      each += inner + "const " + value_type(instruction.dtype) + " ";
      each += value + " = " + from_memory(instruction.dtype, numbered("pack", number) + ".at[i]") + ";\n";
    } else {
      each += each_.value(number, inner);
    }
    if (!keeps(number)) continue;
    if (in_shared && is_vector) {
      after += indent + "keep_pack(" + kept_place(number) + numbered(", pack", number) + ");\n";
      continue;
    }
    each += keep(number, value, inner);
    if (!in_shared) continue;
    before += indent + pack_type(instruction.dtype) + numbered(" keeping", number) + ";\n";
    after += indent + "keep_pack(" + kept_place(number) + numbered(", keeping", number) + ");\n";
  }
  for (const KernelStore& store : elements.stores) {
    if (plan_.access[gpu::place(store.argument)] != Access::vector) {
      each += each_.store(store, value_name(store.value), inner);
      continue;
    }
    const DType dtype = plan_.kernel.arguments[gpu::place(store.argument)].dtype;
    const std::string out = numbered("out", store.argument);
    if (rounds_in_pairs(store)) {
      const int unrounded = plan_.kernel.instructions[gpu::place(store.value)].operands[0];
      before += indent + unrounded_line(out);
      each += inner + out + "[i] = " + value_name(unrounded) + ";\n";
      after += indent + store_rounded(store, out, partly);
      continue;
    }
    before += indent + pack_type(dtype) + " ";
    before += out + ";\n";
    each += inner + out + ".at[i] = " + to_memory(dtype, value_name(store.value)) + ";\n";
    const std::string to = numbered("(arg", store.argument) + " + " + whole_.address(store.argument) + ", " + out;
    after += indent;
    after += partly ? "store_part" : "store_pack";
    after += to;
    if (partly) after += ", " + first() + ", " + length_;
    after += ");\n";
  }
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = elements.uses.find('\n', begin)) != std::string::npos; begin = end + 1) {
    each += inner + elements.uses.substr(begin, end + 1 - begin);
  }
  std::string head = indent + "#pragma unroll\n" + indent + "for (int i = 0; i < " + std::to_string(plan_.vector) +
                     "; ++i) {\n" + inner + "const " + index_type(plan_) + ' ' + element_ + " = " + first() + " + i;\n";
  if (partly) {
    head +=
        inner + "if (" + (plan_.shifted ? element_ + " < 0 || " : "") + element_ + " >= " + length_ + ") continue;\n";
  }
  return before + head + each + indent + "}\n" + after;
}

}  // namespace asg::cuda
