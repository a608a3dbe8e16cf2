#include "backend/cpu/prepared.h"

#include <algorithm>
#include <cstring>

#include "asg/compile/reference.h"
#include "backend/cpu/library_steps.h"
#include "backend/cpu/moving_steps.h"
#include "backend/cpu/scan_step.h"
#include "backend/cpu/tile_runner.h"
#include "compile/stopwatch.h"

namespace asg::cpu {
namespace {

class FusedStep : public PreparedStep {
 public:
  explicit FusedStep(const Step& step) : runner_(*step.kernel), buffers_(step.arguments) {
    arguments_.resize(buffers_.size());
  }

  std::int64_t scratch_bytes(int threads) const override { return runner_.scratch_bytes(threads); }
  const char* way() const override { return "tiles"; }

  void run(const Bases& bases, std::byte* scratch, ThreadPool& pool) const override {
    for (std::size_t k = 0; k < buffers_.size(); ++k) arguments_[k] = bases[static_cast<std::size_t>(buffers_[k])];
    runner_.run(arguments_, scratch, pool);
  }

 private:
  TileRunner runner_;
  std::vector<int> buffers_;
  mutable std::vector<std::byte*> arguments_;  // one thread runs a program
};

class CopyStep : public PreparedStep {
 public:
  CopyStep(const Step& step, DType dtype)
      : from_(step.inputs.front()), to_(step.outputs.front()), element_(bytes_of(dtype)) {}

  const char* way() const override { return "copy"; }

  void run(const Bases& bases, std::byte*, ThreadPool&) const override {
    const std::int64_t count = element_count(from_.sizes);
    if (count == 0) return;
    std::memcpy(bases[static_cast<std::size_t>(to_.buffer)] + to_.offset * element_,
                bases[static_cast<std::size_t>(from_.buffer)] + from_.offset * element_,
                static_cast<std::size_t>(count * element_));
  }

 private:
  View from_;
  View to_;
  std::int64_t element_;
};

// An op by the reference kernel of its card.
class ReferenceStep : public PreparedStep {
 public:
  ReferenceStep(const Step& step, const Program& program, RunSubgraph run_subgraph)
      : node_(step.node), run_subgraph_(std::move(run_subgraph)) {
    for (const View& view : step.inputs) inputs_.emplace_back(view, program);
    for (const View& view : step.outputs) outputs_.emplace_back(view, program);
  }

  const char* way() const override { return "reference kernel"; }

  void run(const Bases& bases, std::byte*, ThreadPool&) const override {
    std::vector<Array> arrays;
    arrays.reserve(inputs_.size());
    std::vector<const Array*> inputs;
    for (const TypedView& operand : inputs_) {
      inputs.push_back(operand.view ? &arrays.emplace_back(operand.array(bases)) : nullptr);
    }
    std::vector<Array> results;
    try {
      results = run_reference(*node_->op, node_->attrs, node_->stream, inputs, run_subgraph_);
    } catch (const UserError& error) {
      throw error.with_node(node_->path()).with_where(node_->where.to_string());
    }
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      if (results[k].count() > 0) outputs_[k].array(bases).assign(results[k]);
    }
  }

 private:
  NodePtr node_;
  RunSubgraph run_subgraph_;
  std::vector<TypedView> inputs_;
  std::vector<TypedView> outputs_;
};

bool is_set(const Program& program, const Bases& bases) {
  return program.all_finite < 0 || bases[static_cast<std::size_t>(program.all_finite)][0] != std::byte{0};
}

}  // namespace

std::unique_ptr<PreparedStep> prepare_fused(const Step& step) { return std::make_unique<FusedStep>(step); }

std::unique_ptr<PreparedStep> prepare_copy(const Step& step, DType dtype) {
  return std::make_unique<CopyStep>(step, dtype);
}

std::unique_ptr<PreparedStep> prepare_reference(const Step& step, const Program& program, RunSubgraph run_subgraph) {
  return std::make_unique<ReferenceStep>(step, program, std::move(run_subgraph));
}

PreparedProgram::PreparedProgram(Program program, const Means& means) : program_(std::move(program)) {
  Stopwatch watch;
  plan_ = plan_memory(program_);
  stages_.push_back({"plan", watch.lap()});
  for (const Step& step : program_.steps) {
    switch (step.kind) {
      case Step::Kind::fused:
        steps_.push_back(prepare_fused(step));
        break;
      case Step::Kind::copy: {
        const auto buffer = static_cast<std::size_t>(step.inputs.front().buffer);
        steps_.push_back(prepare_copy(step, program_.buffers[buffer].dtype));
        break;
      }
      case Step::Kind::call:
        steps_.push_back(prepare_library(step, program_, means));
        if (steps_.back() == nullptr) steps_.back() = prepare_moving(step, program_);
        if (steps_.back() == nullptr) steps_.back() = prepare_scan(step, program_, means);
        if (steps_.back() == nullptr) steps_.back() = prepare_reference(step, program_, means.run_subgraph);
        break;
    }
    scratch_bytes_ = std::max(scratch_bytes_, steps_.back()->scratch_bytes(means.threads));
  }
  stages_.push_back({"prepare", watch.lap()});
}

Explanation PreparedProgram::explanation() const {
  Explanation result{.stages = stages_, .program = program_, .plan = plan_, .scratch_bytes = scratch_bytes_};
  for (const auto& step : steps_) result.ways.emplace_back(step->way());
  return result;
}

std::int64_t PreparedProgram::memory_bytes() const { return plan_.arena_bytes + scratch_bytes_; }

Bases PreparedProgram::bases() const {
  Bases bases(program_.buffers.size(), nullptr);
  for (std::size_t k = 0; k < program_.buffers.size(); ++k) {
    const Buffer& buffer = program_.buffers[k];
    if (buffer.kind == Buffer::Kind::constant) bases[k] = const_cast<std::byte*>(buffer.value.raw());
  }
  return bases;
}

void PreparedProgram::place_temporaries(Bases& bases, std::byte* memory) const {
  for (std::size_t k = 0; k < program_.buffers.size(); ++k) {
    const Buffer& buffer = program_.buffers[k];
    if (buffer.kind == Buffer::Kind::temporary && buffer.offset >= 0) bases[k] = memory + buffer.offset;
  }
}

bool PreparedProgram::run(const Bases& bases, std::byte* memory, ThreadPool& pool, StepRecorder* recorder) const {
  const RunTimer run_timer(recorder);
  std::byte* scratch = memory + plan_.arena_bytes;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    if (program_.steps[k].commits && !is_set(program_, bases)) return false;
    const StepTimer timer(recorder, k);
    steps_[k]->run(bases, scratch, pool);
  }
  return is_set(program_, bases);
}

}  // namespace asg::cpu
