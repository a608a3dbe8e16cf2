#include "compile/epilogues.h"

#include <algorithm>

#include "asg/core/array.h"
#include "compile/accesses.h"

namespace asg {
namespace {

// The only argument by which a kernel reads a buffer; -1: there is none, or several.
int argument_that_reads(const Step& fused, int buffer) {
  int found = -1;
  for (std::size_t k = 0; k < fused.arguments.size(); ++k) {
    if (fused.arguments[k] != buffer) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(k);
  }
  return found;
}

// Whether the points of the kernel are the elements of the buffer, one after the other.
bool walks_in_order(const Step& fused, int buffer, std::int64_t count) {
  const int at = argument_that_reads(fused, buffer);
  if (at < 0) return false;
  const Kernel& kernel = *fused.kernel;
  const KernelArgument& argument = kernel.arguments[static_cast<std::size_t>(at)];
  return !argument.output && access_order(kernel, static_cast<std::size_t>(at)) == AccessOrder::point &&
         argument.offset == 0 && element_count(kernel.space) == count &&
         View{buffer, 0, kernel.space, argument.strides}.is_dense();
}

class EpilogueJoiner {
 public:
  EpilogueJoiner(Program& program, const CallRules& device)
      : program_(program),
        device_(device),
        maker_(program.buffers.size(), -1),
        first_reader_(program.buffers.size(), -1) {}

  void join() {
    auto& steps = program_.steps;
    for (std::size_t number = 0; number < steps.size(); ++number) {
      for_each_view(steps[number], [&](const View& view, bool writes) {
        int& reader = first_reader_[static_cast<std::size_t>(view.buffer)];
        if (!writes && reader < 0) reader = static_cast<int>(number);
      });
      if (steps[number].kind == Step::Kind::call && !steps[number].outputs.empty()) {
        maker_[static_cast<std::size_t>(steps[number].outputs.front().buffer)] = static_cast<int>(number);
      }
    }
    for (std::size_t number = 0; number < steps.size(); ++number) {
      if (steps[number].kind != Step::Kind::fused) continue;
      const int call = latest_call(static_cast<int>(number));
      if (call >= 0) join(steps[static_cast<std::size_t>(call)], steps[number]);
    }
    std::erase_if(steps, [](const Step& step) { return step.kind == Step::Kind::call && step.node == nullptr; });
  }

 private:
  // The last call of whose result the kernel is the first reader, if it can be its epilogue; -1: none.
  int latest_call(int number) const {
    const Step& fused = program_.steps[static_cast<std::size_t>(number)];
    int best = -1;
    for (const View& view : fused.inputs) {
      const auto buffer = static_cast<std::size_t>(view.buffer);
      const int call = maker_[buffer];
      if (call > best && first_reader_[buffer] == number &&
          fits(program_.steps[static_cast<std::size_t>(call)], fused)) {
        best = call;
      }
    }
    return best;
  }

  bool fits(const Step& call, const Step& fused) const {
    if (call.kernel != nullptr || call.commits != fused.commits) return false;
    const View& result = call.outputs.front();
    const std::int64_t count = program_.buffers[static_cast<std::size_t>(result.buffer)].count;
    return result.is_dense() && walks_in_order(fused, result.buffer, count) &&
           device_.takes_epilogue(program_, call, *fused.kernel);
  }

  // The call moves to where the kernel stood: only there all that the kernel reads is known.
  static void join(Step& call, Step& fused) {
    Step joined = std::move(call);
    call = Step{.kind = Step::Kind::call};  // to be removed
    joined.kernel = std::move(fused.kernel);
    joined.arguments = std::move(fused.arguments);
    const int result = joined.outputs.front().buffer;
    for (View& view : fused.inputs) {
      if (view.buffer != result) joined.inputs.push_back(std::move(view));
    }
    joined.outputs.insert(joined.outputs.end(), fused.outputs.begin(), fused.outputs.end());
    joined.nodes.insert(joined.nodes.end(), fused.nodes.begin(), fused.nodes.end());
    fused = std::move(joined);
  }

  Program& program_;
  const CallRules& device_;
  std::vector<int> maker_;         // by buffer: the call whose first output it is
  std::vector<int> first_reader_;  // by buffer
};

}  // namespace

void join_epilogues(Program& program, const CallRules& device) {
  if (device.takes_epilogue) EpilogueJoiner(program, device).join();
}

}  // namespace asg
