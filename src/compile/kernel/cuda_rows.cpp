#include "compile/kernel/cuda_rows.h"

#include <algorithm>

#include "compile/gpu/passes.h"
#include "compile/gpu/vectors.h"
#include "compile/gpu/workspace.h"
#include "compile/kernel/cuda_elements.h"
#include "compile/kernel/cuda_reductions.h"
#include "compile/kernel/cuda_sums.h"
#include "compile/kernel/cuda_types.h"
#include "compile/kernel/cuda_writer.h"

namespace asg::cuda {
namespace {

using Kind = KernelInstruction::Kind;

std::vector<int> all_reductions(const GpuPlan& plan) {
  std::vector<int> numbers;
  for (const gpu::Pass& pass : gpu::passes_of(plan.kernel, {})) {
    numbers.insert(numbers.end(), pass.reductions.begin(), pass.reductions.end());
  }
  return numbers;
}

// What both kinds of kernels with rows have in common.
class RowsWriter {
 public:
  explicit RowsWriter(const GpuPlan& planned)
      : plan(planned),
        kernel(planned.kernel),
        index(index_type(planned)),
        length(index_number(planned, planned.kernel.row_length())),
        passes(gpu::passes_of(planned.kernel, planned.kept)),
        writer(planned, "row", "k"),
        element_writer(planned, "row", "k", length),
        is_per_row(values_per_row(planned.kernel)),
        levels(gpu::levels_of(planned.kernel)),
        late(gpu::late_values(planned.kernel, passes.front())) {
    if (plan.ahead) read_what_was_copied();
  }

 protected:
  // Values of the row, which every thread computes for itself, that are known after `level` levels of reductions.
  std::string row_values(int level, const std::string& indent) const {
    return row_values(level, indent, false) + row_values(level, indent, true);
  }
  std::string row_values(int level, const std::string& indent, bool later) const {
    std::string text;
    const std::vector<bool> needed = gpu::needed_values(kernel);
    for (std::size_t k = 0; k < needed.size(); ++k) {
      if (!needed[k] || !is_per_row[k] || levels[k] != level || late[k] != later) continue;
      const int number = static_cast<int>(k);
      if (kernel.instructions[k].kind != Kind::reduce) text += writer.value(number, indent);
      text += writer.divisor(number, indent) + writer.row_place(number, indent);
    }
    return text;
  }

  // Where the row begins within a vector.
  std::string shift_text(const std::string& indent) const { return shift_text(indent, "shift", "row"); }
  std::string shift_text(const std::string& indent, const std::string& name, const std::string& row) const {
    if (!plan.shifted) return "";
    return indent + "const int " + name + " = (int)((" + row_start(row) + ") & " + std::to_string(plan.vector - 1) +
           ");\n";
  }

  // The index of the first element of the row.
  std::string row_start(const std::string& row) const {
    const int argument = gpu::shifted_argument(plan);
    GpuPlan start = plan;
    start.kernel.arguments[gpu::place(argument)].strides.back() = 0;
    return Writer(start, row, "k").address(argument);
  }

  // The number of the first element of vector `vector`.
  std::string first_element(const std::string& vector) const {
    std::string text = vector;
    if (plan.vector > 1) text = '(' + text + ") * " + std::to_string(plan.vector);
    return text + (plan.shifted ? " - shift" : "");
  }

  // Every pass finds in shared memory what is kept.
  void read_what_was_copied() {
    for (gpu::Pass& pass : passes) {
      for (const int number : plan.kept) {
        const auto found = std::find(pass.values.begin(), pass.values.end(), number);
        if (found == pass.values.end()) continue;
        pass.values.erase(found);
        pass.reads.push_back(number);
      }
    }
  }

  const GpuPlan& plan;
  const Kernel& kernel;
  std::string index;
  std::string length;
  std::vector<gpu::Pass> passes;
  Writer writer;
  ElementsWriter element_writer;
  std::vector<bool> is_per_row;
  std::vector<int> levels;
  std::vector<bool> late;  // values of the row that the first pass does without
};

class WholeRowsWriter : RowsWriter {
 public:
  explicit WholeRowsWriter(const GpuPlan& planned)
      : RowsWriter(planned), threads_(std::to_string(planned.row_threads)), rows_(std::to_string(planned.block_rows)) {}

  std::string text() const {
    const GpuPhase& phase = plan.phases.front();
    const std::int64_t at_once = phase.blocks * plan.block_rows;
    const std::int64_t rows = kernel.rows();
    const bool masked = rows % plan.block_rows != 0;
    const std::string lane = "(int)threadIdx.x";
    std::string text =
        phase.shared_bytes > 0 ? "  extern __shared__ __align__(16) unsigned char shared_memory[];\n" : "";
    text += shared_declarations(plan, all_reductions(plan), "  ");
    text += "  const int lane = " + lane + (plan.across ? " / " + rows_ : " % " + threads_) + ";\n";
    text += "  const int group = " + lane + (plan.across ? " % " + rows_ : " / " + threads_) + ";\n";
    text += sum_declarations(plan, "  ");
    if (plan.ahead) text += first_copies(rows);
    text += "  for (" + index + " first = (" + index + ")blockIdx.x * " + rows_ + "; first < " + std::to_string(rows) +
            "; first += (" + index + ")gridDim.x * " + rows_ + ") {\n";
    std::string body = row_values(0, "    ", false) + shift_text("    ");
    if (plan.ahead) {
      const std::string following = "row + (" + index + ")gridDim.x";
      body += "    const bool more = " + following + " < " + std::to_string(rows) + ";\n    const " + index +
              " next = more ? " + following + " : row;\n" + shift_text("    ", "next_shift", "next") +
              "    copies_arrived();\n";
    } else {
      body += element_writer.kept_declarations("    ");
    }
    if (passes.size() == 1) body += row_values(0, "    ", true);
    for (std::size_t pass = 0; pass + 1 < passes.size(); ++pass) {
      body += part_declarations(kernel, passes[pass].reductions, "    ");
      body += loop(passes[pass], {}, part_steps(kernel, passes[pass].reductions), pass == copying_pass());
      if (pass == 0) body += row_values(0, "    ", true);
      body += exchange(plan, passes[pass].reductions, "    ");
      body += result_declarations(kernel, passes[pass].reductions, "    ");
      body += row_values(static_cast<int>(pass) + 1, "    ");
    }
    body += stores(masked);
    if (masked) {
      // Threads without a row of their own compute the last one again, and store nothing.
      text += "    const bool active = first + group < " + std::to_string(rows) + ";\n    const " + index +
              " row = active ? first + group : " + std::to_string(rows - 1) + ";\n";
      if (body.find("failed") != std::string::npos) {
        text +=
            "    unsigned int ignored = 0;\n    unsigned int* const all_failed = failed;\n    {\n"
            "    unsigned int* const failed = active ? all_failed : &ignored;\n" +
            body + "    }\n";
        body.clear();
      }
    } else {
      text += "    const " + index + " row = first + group;\n";
    }
    text += body;
    const bool waits = plan.row_threads > 1 && (plan.across || plan.row_threads > 32) && !(plan.ahead && any_once());
    if (waits && at_once < rows) text += "    __syncthreads();\n";
    return text + "  }\n" + sum_ends(plan, "  ");
  }

 private:
  bool any_once() const {
    return std::any_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore& store) {
      return !store.sum_over_leading && gpu::stores_once(kernel, store);
    });
  }

  // Before the first row.
  std::string first_copies(std::int64_t rows) const {
    return element_writer.kept_declarations("  ") + "  {\n    const " + index + " row = (" + index + ")blockIdx.x;\n" +
           shift_text("    ") + "    if (row < " + std::to_string(rows) + ") {\n      for (int e = 0; e < " +
           std::to_string(plan.vectors) + "; ++e) {\n" +
           element_writer.copies_ahead("row", plan.shifted ? " - shift" : "", false, "        ") +
           "      }\n    }\n  }\n";
  }

  // Once the vector has been read for the last time.
  std::string next_copies(bool whole) const {
    return "      if (more) {\n" +
           element_writer.copies_ahead("next", plan.shifted ? " - next_shift" : "", whole, "        ") + "      }\n";
  }

  // The last pass that reads what was copied copies the next row.
  std::size_t copying_pass() const {
    std::size_t pass = passes.size();
    while (plan.ahead && passes[--pass].reads.empty()) {
    }
    return pass;
  }

  std::string loop(const gpu::Pass& pass, const std::vector<KernelStore>& stores, const std::string& uses,
                   bool copies) const {
    if (stores.empty() && uses.empty()) return "";
    const Elements elements{.values = pass.values, .reads = pass.reads, .stores = stores, .uses = uses};
    // Rounds in which every vector is all in the row.
    const std::int64_t full = kernel.row_length() / (std::int64_t{plan.row_threads} * plan.vector);
    const std::int64_t begin = plan.shifted ? std::min<std::int64_t>(1, plan.vectors) : 0;
    const std::int64_t end = std::max(begin, std::min(full, plan.vectors));
    return rounds(elements, 0, begin, false, copies) + rounds(elements, begin, end, true, copies) +
           rounds(elements, end, plan.vectors, false, copies);
  }

  std::string rounds(const Elements& elements, std::int64_t begin, std::int64_t end, bool whole, bool copies) const {
    if (begin >= end) return "";
    const bool unrolled = plan.keep == GpuPlan::Keep::registers || sums_in_registers(plan);
    return std::string("#pragma unroll") + (unrolled ? "" : " 4") + "\n    for (int e = " + std::to_string(begin) +
           "; e < " + std::to_string(end) + "; ++e) {\n      const " + index + ' ' + element_writer.first() + " = " +
           first_element((plan.wide_index ? "(long long)e * " : "e * ") + threads_ + " + lane") + ";\n" +
           element_writer.text(elements, whole, "      ") + (copies ? next_copies(whole) : "") + "    }\n";
  }

  std::string stores(bool masked) const {
    std::vector<KernelStore> each;
    std::string once;
    std::string sums;
    std::string row_sums;
    for (const KernelStore& store : kernel.stores) {
      const bool single = gpu::stores_once(kernel, store);
      if (store.sum_over_leading) {
        (single ? row_sums : sums) += sum_step(plan, store, masked ? "if (active) " : "");
      } else if (single) {
        once += writer.store(store, value_name(store.value), "      ");
      } else {
        each.push_back(store);
      }
    }
    std::string text;
    if (masked && !each.empty()) {
      // Sums are guarded by themselves.
      text += "    if (active) {\n" + loop(passes.back(), each, sums, false) + "    }\n";
    } else {
      text += loop(passes.back(), each, sums, passes.size() - 1 == copying_pass());
    }
    if (!row_sums.empty()) text += "    " + row_sums;
    if (once.empty()) return text;
    // All threads have read what belongs to the row before one of them overwrites it.
    if (plan.row_threads > 1)
      text += plan.row_threads > 32 || plan.across ? "    __syncthreads();\n" : "    __syncwarp();\n";
    return text + "    if (lane == 0" + (masked ? " && active" : "") + ") {\n" + once + "    }\n";
  }

  std::string threads_;
  std::string rows_;
};

class DividedRowsWriter : RowsWriter {
 public:
  explicit DividedRowsWriter(const GpuPlan& planned) : RowsWriter(planned) {}

  std::string text(const GpuPhase& phase) const {
    const std::string parts = std::to_string(plan.parts);
    const bool once = phase.work == GpuPhase::Work::store_once;
    const int last = phase.work == GpuPhase::Work::reduce ? phase.level - 1 : static_cast<int>(passes.size()) - 1;
    std::vector<int> used;  // reductions
    for (int level = 1; level <= std::min<int>(last + 1, static_cast<int>(passes.size()) - 1); ++level) {
      const std::vector<int>& numbers = passes[gpu::place(level - 1)].reductions;
      used.insert(used.end(), numbers.begin(), numbers.end());
    }
    std::string text = shared_declarations(plan, used, "  ");
    text += "  const " + index + " row = (" + index + ")blockIdx.x" + (once ? "" : " / " + parts) + ";\n";
    if (!once) text += "  const int piece = (int)(blockIdx.x % " + parts + ");\n";
    text += row_values(0, "  ");
    for (int level = 1; level <= last; ++level) {
      const std::vector<int>& numbers = passes[gpu::place(level - 1)].reductions;
      text += part_declarations(kernel, numbers, "  ");
      for (const int number : numbers) text += gathered(number);
      text += exchange(plan, numbers, "  ") + result_declarations(kernel, numbers, "  ") + row_values(level, "  ");
    }
    if (once) return text + stores_once();
    text += shift_text("  ");
    if (phase.work == GpuPhase::Work::store) return text + loop(passes.back(), element_stores(), "");
    const gpu::Pass& pass = passes[gpu::place(phase.level - 1)];
    text += part_declarations(kernel, pass.reductions, "  ");
    const bool lanes = plan.vector > 1;
    if (lanes) text += lane_declarations(pass.reductions);
    text += loop(pass, {}, lanes ? lane_steps(pass.reductions) : part_steps(kernel, pass.reductions));
    if (lanes) text += lane_ends(pass.reductions);
    text += exchange(plan, pass.reductions, "  ");
    text += "  if (threadIdx.x == 0) {\n";
    for (const int number : pass.reductions) {
      text += "    " + partial(number) + "[blockIdx.x] = " + part_name(number) + ";\n";
    }
    return text + "  }\n";
  }

 private:
  std::string partial(int number) const {
    const std::string type = value_type(kernel.instructions[gpu::place(number)].dtype);
    return "reinterpret_cast<" + type + "*>(workspace + " + std::to_string(gpu::partial_of(plan, number).offset) + ')';
  }

  static std::string lane_name(int number) { return "lane_part" + std::to_string(number); }

  // A part for each element of a vector.
  std::string lane_declarations(const std::vector<int>& reductions) const {
    std::string text;
    for (const int number : reductions) {
      const KernelInstruction& each = kernel.instructions[gpu::place(number)];
      text += "  " + value_type(each.dtype) + ' ' + lane_name(number) + '[' + std::to_string(plan.vector) +
              "];\n#pragma unroll\n  for (int i = 0; i < " + std::to_string(plan.vector) + "; ++i) " +
              lane_name(number) + "[i] = " + part_name(number) + ";\n";
    }
    return text;
  }

  std::string lane_steps(const std::vector<int>& reductions) const {
    std::string text;
    for (const int number : reductions) {
      const KernelInstruction& each = kernel.instructions[gpu::place(number)];
      const std::string lane = lane_name(number) + "[i]";
      text += lane + " = " + combined(each.reduction, each.dtype, lane, value_name(each.operands[0])) + ";\n";
    }
    return text;
  }

  std::string lane_ends(const std::vector<int>& reductions) const {
    std::string text;
    for (const int number : reductions) {
      const KernelInstruction& each = kernel.instructions[gpu::place(number)];
      text += "#pragma unroll\n  for (int i = 0; i < " + std::to_string(plan.vector) + "; ++i) " + part_name(number) +
              " = " + combined(each.reduction, each.dtype, part_name(number), lane_name(number) + "[i]") + ";\n";
    }
    return text;
  }

  // What earlier phases found of a reduction.
  std::string gathered(int number) const {
    const KernelInstruction& each = kernel.instructions[gpu::place(number)];
    const std::string part = part_name(number);
    const std::string parts = std::to_string(plan.parts);
    const std::int64_t rounds = (plan.parts + plan.row_threads - 1) / plan.row_threads;
    if (rounds <= 32) {
      return "#pragma unroll\n  for (int round = 0; round < " + std::to_string(rounds) +
             "; ++round) {\n    const int other = round * " + std::to_string(plan.row_threads) +
             " + (int)threadIdx.x;\n    if (other < " + parts + ") " + part + " = " +
             combined(each.reduction, each.dtype, part, partial(number) + "[row * " + parts + " + other]") + ";\n  }\n";
    }
    return "  for (int other = (int)threadIdx.x; other < " + parts + "; other += " + std::to_string(plan.row_threads) +
           ") {\n    " + part + " = " +
           combined(each.reduction, each.dtype, part, partial(number) + "[row * " + parts + " + other]") + ";\n  }\n";
  }

  std::vector<KernelStore> element_stores() const {
    std::vector<KernelStore> stores;
    for (const KernelStore& store : kernel.stores) {
      if (!gpu::stores_once(kernel, store)) stores.push_back(store);
    }
    return stores;
  }

  std::string stores_once() const {
    std::string text = "  __syncthreads();\n  if (threadIdx.x == 0) {\n";
    for (const KernelStore& store : kernel.stores) {
      if (gpu::stores_once(kernel, store)) text += writer.store(store, value_name(store.value), "    ");
    }
    return text + "  }\n";
  }

  std::string loop(const gpu::Pass& pass, const std::vector<KernelStore>& stores, const std::string& uses) const {
    const Elements elements{.values = pass.values, .reads = {}, .stores = stores, .uses = uses};
    // Most parts are all in the row.
    return "  if (piece > 0 && piece < " + std::to_string(full_parts()) + ") {\n" + rounds(elements, true) +
           "  } else {\n" + rounds(elements, false) + "  }\n";
  }

  std::int64_t full_parts() const { return kernel.row_length() / (plan.vectors * plan.row_threads * plan.vector); }

  std::string rounds(const Elements& elements, bool whole) const {
    const std::string vectors = std::to_string(plan.vectors);
    const std::string vector =
        "((" + index + ")piece * " + vectors + " + e) * " + std::to_string(plan.row_threads) + " + (int)threadIdx.x";
    return "#pragma unroll 4\n    for (int e = 0; e < " + vectors + "; ++e) {\n      const " + index + ' ' +
           element_writer.first() + " = " + first_element(vector) + ";\n" +
           element_writer.text(elements, whole, "      ") + "    }\n";
  }
};

}  // namespace

std::string rows_text(const GpuPlan& plan) { return WholeRowsWriter(plan).text(); }

std::string divided_rows_text(const GpuPlan& plan, const GpuPhase& phase) {
  return DividedRowsWriter(plan).text(phase);
}

std::string rows_functions(const GpuPlan& plan) {
  if (plan.across || plan.row_threads == 1) return "";
  return warp_functions(plan.kernel, all_reductions(plan));
}

}  // namespace asg::cuda
