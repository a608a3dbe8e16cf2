// Which fused kernels stand next to each other and are not one, and why. The reasons are read off the finished program,
// not kept while it is made: so they also tell of pairs that fusion never tried to join.
#include <algorithm>
#include <set>

#include "asg/compile/explain.h"

namespace asg {
namespace {

std::int64_t points_of(const Kernel& kernel) { return kernel.rows() * kernel.row_length(); }

bool reduces(const Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                     [](const KernelInstruction& each) { return each.kind == KernelInstruction::Kind::reduce; });
}

std::string counted(std::int64_t number, const char* what) { return std::to_string(number) + " " + what; }

class PairFinder {
 public:
  explicit PairFinder(const Program& program) : program_(program), writers_(program.buffers.size()) {
    for (std::size_t step = 0; step < program.steps.size(); ++step) {
      for (const View& output : program.steps[step].outputs) {
        if (output) writers_[static_cast<std::size_t>(output.buffer)].push_back(static_cast<int>(step));
      }
    }
  }

  std::vector<UnfusedPair> find() const {
    std::vector<UnfusedPair> pairs;
    for (std::size_t number = 0; number < program_.steps.size(); ++number) {
      const Step& step = program_.steps[number];
      if (step.kind != Step::Kind::fused) continue;
      std::set<int> met;
      for (const View& input : step.inputs) {
        const int first = writer_of(input, static_cast<int>(number));
        if (first < 0 || at(first).kind != Step::Kind::fused || !met.insert(first).second) continue;
        UnfusedPair pair{first, static_cast<int>(number), input.buffer, ""};
        pair.reason = reason_of(pair);
        pairs.push_back(std::move(pair));
      }
    }
    return pairs;
  }

 private:
  const Step& at(int step) const { return program_.steps[static_cast<std::size_t>(step)]; }

  // The step before `reader` that wrote a temporary; -1: none.
  int writer_of(const View& view, int reader) const {
    if (!view || program_.buffers[static_cast<std::size_t>(view.buffer)].kind != Buffer::Kind::temporary) return -1;
    int last = -1;
    for (const int step : writers_[static_cast<std::size_t>(view.buffer)]) {
      if (step < reader) last = step;
    }
    return last;
  }

  std::string reason_of(const UnfusedPair& pair) const {
    const Step& first = at(pair.first);
    const Step& second = at(pair.second);
    if (first.commits != second.commits) return "the second runs only when the step is all finite";
    if (const int between = step_between(pair); between >= 0) {
      return "step " + std::to_string(between) + " (" + title_of(program_, at(between)) + ") stands between them";
    }
    if (is_sum(first, pair.buffer)) return "a sum over all rows is ready only after the last row";
    if (is_looked_up(second, pair.buffer)) return "the second looks elements up by an index";
    return reason_of_spaces(first, second, pair.buffer);
  }

  // A step that needs the first and that the second needs; -1: none.
  int step_between(const UnfusedPair& pair) const {
    std::vector<int> pending = {pair.second};
    std::set<int> met;
    while (!pending.empty()) {
      const int step = pending.back();
      pending.pop_back();
      for (const View& input : at(step).inputs) {
        const int writer = writer_of(input, step);
        if (writer == pair.first && step != pair.second) return step;
        if (writer > pair.first && met.insert(writer).second) pending.push_back(writer);
      }
    }
    return -1;
  }

  static bool is_sum(const Step& step, int buffer) {
    return std::any_of(step.kernel->stores.begin(), step.kernel->stores.end(), [&](const KernelStore& store) {
      return store.sum_over_leading && step.arguments[static_cast<std::size_t>(store.argument)] == buffer;
    });
  }

  static bool is_looked_up(const Step& step, int buffer) {
    const auto& instructions = step.kernel->instructions;
    return std::any_of(instructions.begin(), instructions.end(), [&](const KernelInstruction& each) {
      return each.kind == KernelInstruction::Kind::load && each.operands[0] >= 0 &&
             step.arguments[static_cast<std::size_t>(each.argument)] == buffer;
    });
  }

  std::string reason_of_spaces(const Step& first, const Step& second, int buffer) const {
    const Kernel& a = *first.kernel;
    const Kernel& b = *second.kernel;
    const std::int64_t made = program_.buffers[static_cast<std::size_t>(buffer)].count;
    if (made < points_of(b) && points_of(a) < points_of(b)) {
      return "the second repeats " + counted(made, "elements over ") + counted(points_of(b), "points") +
             ": inside it they would be computed again for each";
    }
    if (points_of(a) != points_of(b)) {
      return "they walk " + counted(points_of(a), "and ") + counted(points_of(b), "points");
    }
    if (reduces(a) && reduces(b) && a.row_length() != b.row_length()) {
      return "they reduce along rows of " + counted(a.row_length(), "and of ") + counted(b.row_length(), "elements");
    }
    if (a.space == b.space && argument_of(first, buffer, true).strides != argument_of(second, buffer, false).strides) {
      return "the second reads in another order than the first writes";
    }
    if (a.row_axes != b.row_axes || a.row_length() != b.row_length()) return "their rows lie along other axes";
    if (a.space != b.space) return "the second reads in another order than the first writes";
    return "joining them was given up, with " + counted(static_cast<std::int64_t>(first.nodes.size()), "and ") +
           counted(static_cast<std::int64_t>(second.nodes.size()), "nodes");
  }

  static const KernelArgument& argument_of(const Step& step, int buffer, bool output) {
    const auto& arguments = step.kernel->arguments;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (step.arguments[k] == buffer && arguments[k].output == output) return arguments[k];
    }
    fail_internal("a kernel without the argument that its step names");
  }

  const Program& program_;
  std::vector<std::vector<int>> writers_;  // of each buffer, in order
};

}  // namespace

std::vector<UnfusedPair> unfused_pairs(const Program& program) { return PairFinder(program).find(); }

}  // namespace asg
