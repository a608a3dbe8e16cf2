#pragma once

#include <memory>
#include <vector>

#include "asg/compile/executable.h"
#include "asg/compile/memory_plan.h"
#include "asg/compile/profile.h"
#include "asg/compile/program.h"
#include "asg/core/thread_pool.h"
#include "backend/cpu/arena_pool.h"
#include "backend/cpu/library/library.h"

namespace asg::cpu {

// Where the buffers of a program lie in one run.
using Bases = std::vector<std::byte*>;

// The address of the first element of a view.
inline std::byte* start_of(const View& view, DType dtype, const Bases& bases) {
  return bases[static_cast<std::size_t>(view.buffer)] + view.offset * bytes_of(dtype);
}

inline DType element_type_of(const View& view, const Program& program) {
  return program.buffers[static_cast<std::size_t>(view.buffer)].dtype;
}

// A view with the type of its elements.
struct TypedView {
  TypedView(View given, const Program& program)
      : view(std::move(given)), dtype(view ? element_type_of(view, program) : DType::f32) {}

  // Over its memory in one run.
  Array array(const Bases& bases) const {
    return Array::wrap(dtype, view.sizes, start_of(view, dtype, bases), {}, view.strides);
  }

  View view;
  DType dtype;
};

// A step with everything made ready that does not change from run to run.
class PreparedStep {
 public:
  virtual ~PreparedStep() = default;
  virtual std::int64_t scratch_bytes(int /*threads*/) const { return 0; }
  virtual void run(const Bases& bases, std::byte* scratch, ThreadPool& pool) const = 0;
  virtual const char* way() const { return "library call"; }  // how it is done, in words
};

// Runs a subgraph for an op that has one.
using RunSubgraph = std::function<std::vector<Array>(const Graph&, std::span<const Array>)>;
// Makes a closed graph ready for an op that runs it many times.
using CompileBody = std::function<std::unique_ptr<Executable>(const Graph&)>;

// With what steps are made ready.
struct Means {
  int threads = 1;
  RunSubgraph run_subgraph = {};
  CompileBody compile_body = {};
  std::shared_ptr<ArenaPool> arenas = std::make_shared<ArenaPool>();
  Library library = default_library();
  bool bf16 = false;  // products of f32 may round their operands to it
};

std::unique_ptr<PreparedStep> prepare_fused(const Step& step);
std::unique_ptr<PreparedStep> prepare_copy(const Step& step, DType dtype);
std::unique_ptr<PreparedStep> prepare_reference(const Step& step, const Program& program, RunSubgraph run_subgraph);

// A program that can run, given memory to work in. Runs never allocate, but for the calls of reference kernels.
class PreparedProgram {
 public:
  PreparedProgram(Program program, const Means& means);

  const Program& program() const { return program_; }
  const MemoryPlan& plan() const { return plan_; }
  // Work memory of a run: for temporaries and for what steps need aside.
  std::int64_t memory_bytes() const;
  // Where constants lie, in every run; the rest is null.
  Bases bases() const;
  void place_temporaries(Bases& bases, std::byte* memory) const;
  // `bases` are those of all buffers, temporaries lie in `memory`. The pool has at most the threads for which the
  // program was made. False: the step was not all finite, and no variable changed. A recorder is told what
  // each step takes.
  bool run(const Bases& bases, std::byte* memory, ThreadPool& pool, StepRecorder* recorder) const;
  // All but the passes, which came before.
  Explanation explanation() const;

 private:
  Program program_;
  MemoryPlan plan_;
  std::vector<std::unique_ptr<PreparedStep>> steps_;
  std::int64_t scratch_bytes_ = 0;
  std::vector<StageTime> stages_;
};

}  // namespace asg::cpu
