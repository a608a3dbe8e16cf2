#include "compile/gpu/passes.h"

#include <algorithm>
#include <cstddef>

namespace asg::gpu {
namespace {

using Kind = KernelInstruction::Kind;

bool contains(const std::vector<int>& numbers, int number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// What the passes need, pass by pass.
class Passes {
 public:
  Passes(const Kernel& kernel, const std::vector<int>& kept)
      : kernel_(kernel), kept_(kernel.instructions.size(), false), per_row_(values_per_row(kernel)) {
    for (const int value : kept) kept_[place(value)] = true;
  }

  std::vector<Pass> all() {
    const std::vector<bool> needed = needed_values(kernel_);
    const std::vector<int> levels = levels_of(kernel_);
    int last = 0;
    for (std::size_t k = 0; k < needed.size(); ++k) last = needed[k] ? std::max(last, levels[k]) : last;
    std::vector<Pass> passes;
    for (int level = 1; level <= last; ++level) {
      Pass pass;
      std::vector<int> wanted;
      for (std::size_t k = 0; k < needed.size(); ++k) {
        if (!needed[k] || kernel_.instructions[k].kind != Kind::reduce || levels[k] != level) continue;
        pass.reductions.push_back(static_cast<int>(k));
        wanted.push_back(kernel_.instructions[k].operands[0]);
      }
      passes.push_back(with_values(std::move(pass), wanted));
    }
    std::vector<int> stored;
    for (const KernelStore& store : kernel_.stores) stored.push_back(store.value);
    passes.push_back(with_values({}, stored));
    return passes;
  }

 private:
  Pass with_values(Pass pass, const std::vector<int>& wanted) {
    std::vector<bool> needed(kernel_.instructions.size(), false);
    for (const int value : wanted) needed[place(value)] = !per_row_[place(value)];
    for (std::size_t k = needed.size(); k-- > 0;) {
      if (!needed[k] || (kept_[k] && contains(left_, static_cast<int>(k)))) continue;
      for (const int operand : kernel_.instructions[k].operands) {
        if (operand >= 0 && !per_row_[place(operand)]) needed[place(operand)] = true;
      }
    }
    for (std::size_t k = 0; k < needed.size(); ++k) {
      const int value = static_cast<int>(k);
      if (needed[k]) (contains(left_, value) ? pass.reads : pass.values).push_back(value);
    }
    for (const int value : pass.values) {
      if (kept_[place(value)]) left_.push_back(value);
    }
    return pass;
  }

  const Kernel& kernel_;
  std::vector<bool> kept_;
  std::vector<bool> per_row_;
  std::vector<int> left_;  // kept values that are computed already
};

// Values of elements, of those kinds, that more than one pass computes when nothing is kept.
std::vector<int> computed_again(const Kernel& kernel, bool loads_only) {
  std::vector<int> times(kernel.instructions.size(), 0);
  for (const Pass& pass : passes_of(kernel, {})) {
    for (const int value : pass.values) ++times[place(value)];
  }
  std::vector<int> values;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const Kind kind = kernel.instructions[k].kind;
    const bool worth = loads_only ? kind == Kind::load : kind != Kind::position && kind != Kind::constant;
    if (times[k] > 1 && worth) values.push_back(static_cast<int>(k));
  }
  return values;
}

}  // namespace

bool stores_once(const Kernel& kernel, const KernelStore& store) {
  if (kernel.row_axes == 0 || !values_per_row(kernel)[place(store.value)]) return false;
  const std::vector<std::int64_t>& strides = kernel.arguments[place(store.argument)].strides;
  return std::all_of(strides.end() - kernel.row_axes, strides.end(), [](std::int64_t stride) { return stride == 0; });
}

std::vector<bool> needed_values(const Kernel& kernel) {
  std::vector<bool> needed(kernel.instructions.size(), false);
  for (const KernelStore& store : kernel.stores) needed[place(store.value)] = true;
  for (std::size_t k = needed.size(); k-- > 0;) {
    if (!needed[k]) continue;
    for (const int operand : kernel.instructions[k].operands) {
      if (operand >= 0) needed[place(operand)] = true;
    }
  }
  return needed;
}

std::vector<int> levels_of(const Kernel& kernel) {
  std::vector<int> levels;
  for (const KernelInstruction& instruction : kernel.instructions) {
    int before = 0;
    for (const int operand : instruction.operands) {
      if (operand >= 0) before = std::max(before, levels[place(operand)]);
    }
    levels.push_back(before + (instruction.kind == Kind::reduce ? 1 : 0));
  }
  return levels;
}

std::vector<Pass> passes_of(const Kernel& kernel, const std::vector<int>& kept) { return Passes(kernel, kept).all(); }

std::vector<bool> late_values(const Kernel& kernel, const Pass& first) {
  const std::vector<bool> per_row = values_per_row(kernel);
  const std::vector<int> levels = levels_of(kernel);
  std::vector<bool> late(kernel.instructions.size(), false);
  std::vector<bool> early(kernel.instructions.size(), false);
  for (const int value : first.values) early[place(value)] = true;
  for (const int value : first.reductions) early[place(value)] = true;
  for (std::size_t k = early.size(); k-- > 0;) {
    for (const int operand : kernel.instructions[k].operands) {
      if (early[k] && operand >= 0) early[place(operand)] = true;
    }
  }
  for (std::size_t k = 0; k < late.size(); ++k) {
    const KernelInstruction& each = kernel.instructions[k];
    if (!per_row[k] || early[k] || levels[k] > 0) continue;
    late[k] = each.kind == Kind::load && each.operands[0] >= 0;
    for (const int operand : each.operands) late[k] = late[k] || (operand >= 0 && late[place(operand)]);
  }
  return late;
}

Keepers values_to_keep(const Kernel& kernel) {
  const std::vector<int> candidates = computed_again(kernel, false);
  const std::vector<Pass> passes = passes_of(kernel, candidates);
  std::vector<int> words(passes.size(), 0);  // alive after each pass
  Keepers keepers;
  for (const int value : candidates) {
    std::size_t first = 0;
    std::size_t last = 0;
    for (std::size_t pass = 0; pass < passes.size(); ++pass) {
      if (contains(passes[pass].values, value)) first = last = pass;
      if (contains(passes[pass].reads, value)) last = pass;
    }
    if (first == last) continue;
    keepers.values.push_back(value);
    const int each = bytes_of(kernel.instructions[place(value)].dtype) > 4 ? 2 : 1;
    for (std::size_t pass = first; pass < last; ++pass) words[pass] += each;
  }
  keepers.words = *std::max_element(words.begin(), words.end());
  return keepers;
}

std::vector<int> loads_to_keep(const Kernel& kernel) { return computed_again(kernel, true); }

}  // namespace asg::gpu
