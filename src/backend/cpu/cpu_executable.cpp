#include "backend/cpu/cpu_executable.h"

#include <algorithm>
#include <iterator>

#include "asg/backend/device_array.h"
#include "backend/cpu/library_steps.h"
#include "backend/value_checks.h"
#include "compile/explain/reports.h"
#include "compile/stopwatch.h"

namespace asg::cpu {
namespace {

// A program leaves nothing in memory that outlives a run but variables, so results are copied out.
Array result_of(const View& view, const Program& program, const Bases& bases) {
  const auto buffer = static_cast<std::size_t>(view.buffer);
  const DType dtype = program.buffers[buffer].dtype;
  if (element_count(view.sizes) == 0) return {dtype, view.sizes};
  return Array::wrap(dtype, view.sizes, bases[buffer] + view.offset * bytes_of(dtype), {}, view.strides).copy();
}

}  // namespace

CpuExecutable::CpuExecutable(Graph graph, PassReport lowering, PassOptions passes, std::shared_ptr<ThreadPool> pool,
                             RunSubgraph run_subgraph)
    : graph_(std::move(graph)),
      lowering_(std::move(lowering)),
      passes_(std::move(passes)),
      pool_(std::move(pool)),
      run_subgraph_(std::move(run_subgraph)) {
  check_names(graph_);
}

void CpuExecutable::write(VarId variable, const Array& value) {
  const Variable& slot = graph_.variable(variable);
  check_type(slot.type, host_array("cpu", value), "variable '" + slot.name + "'");
  variables_[variable] = value.copy();
}

Array CpuExecutable::read(VarId variable) const {
  const Variable& slot = graph_.variable(variable);
  const auto value = variables_.find(variable);
  if (value == variables_.end()) fail_missing_variable(slot);
  return value->second.copy();
}

CpuExecutable::Entry& CpuExecutable::prepared_for(const NamedArrays& inputs) {
  std::vector<Sizes> sizes;
  SymbolLengths symbols;
  for (const NodeId id : graph_.inputs()) {
    const Node& node = graph_.node(id);
    const auto given = inputs.find(node.path());
    if (given == inputs.end()) {
      fail(ErrorCode::missing_value, "no value for input '" + node.path() + "'",
           "a value of type " + graph_.type({id, 0}).to_string(), "give one under that name");
    }
    symbols.check(graph_.type({id, 0}), host_array("cpu", given->second), "input '" + node.path() + "'");
    sizes.push_back(given->second.sizes());
  }
  return prepared_for(sizes);
}

CpuExecutable::Entry& CpuExecutable::prepared_for(const std::vector<Sizes>& sizes) {
  Entry& entry = programs_[sizes];
  if (entry.program != nullptr) return entry;
  SizesByName by_name;
  for (std::size_t k = 0; k < sizes.size(); ++k) by_name[graph_.node(graph_.inputs()[k]).path()] = sizes[k];
  Stopwatch watch;
  const SymbolLengthsByName lengths = symbol_lengths(graph_, by_name);
  const Specialised concrete = specialise(graph_, lengths);
  entry.passes = {report_of_specialising(graph_, lengths, watch.lap())};
  if (passes_.after) passes_.after("specialise", concrete.graph);
  Passed passed = run_passes(concrete.graph, passes_);
  std::move(passed.reports.begin(), passed.reports.end(), std::back_inserter(entry.passes));
  watch.lap();
  Program made = make_program(
      passed.graph, {.takes_strides = takes_strides, .output_order = output_order, .takes_epilogue = takes_epilogue},
      passes_);
  entry.emission = {"emit", watch.lap()};
  for (const PassReport& report : made.reports) entry.emission.seconds -= report.seconds;
  entry.program = std::make_unique<PreparedProgram>(std::move(made), pool_->threads(), run_subgraph_);
  return entry;
}

Explanation CpuExecutable::explanation_of(const Entry& entry) const {
  Explanation result = entry.program->explanation();
  result.stages.insert(result.stages.begin(), entry.emission);
  result.passes = {lowering_};
  const auto add = [&](const std::vector<PassReport>& reports) {
    result.passes.insert(result.passes.end(), reports.begin(), reports.end());
  };
  add(entry.passes);
  add(result.program.reports);
  return result;
}

std::shared_ptr<const Explanation> CpuExecutable::explain(const SizesByName& input_sizes) {
  const Specialised concrete = specialise(graph_, symbol_lengths(graph_, input_sizes));
  std::vector<Sizes> sizes;
  for (const NodeId id : graph_.inputs()) sizes.push_back(concrete.graph.type({id, 0}).shape.sizes());
  return std::make_shared<const Explanation>(explanation_of(prepared_for(sizes)));
}

void CpuExecutable::set_profiling(bool on) {
  if (on && !profiling_) {
    for (auto& [sizes, entry] : programs_) entry.recorder = nullptr;
  }
  profiling_ = on;
}

std::shared_ptr<const Profile> CpuExecutable::profile() const {
  if (last_ == nullptr || last_->recorder == nullptr) return nullptr;
  return std::make_shared<const Profile>(profile_of(explanation_of(*last_), *last_->recorder));
}

void CpuExecutable::place_inputs(const Program& program, const NamedArrays& inputs, std::vector<Array>& dense) {
  for (std::size_t k = 0; k < program.buffers.size(); ++k) {
    if (program.buffers[k].kind != Buffer::Kind::input) continue;
    dense.push_back(inputs.find(program.buffers[k].name)->second.dense());
    bases_[k] = const_cast<std::byte*>(std::as_const(dense.back()).raw());
  }
}

void CpuExecutable::fail_unwritten(VarId variable) const {
  const NodeId reader = graph_.reader_of(variable);
  try {
    fail_missing_variable(graph_.variable(variable));
  } catch (const UserError& error) {
    throw reader ? error.with_node(graph_.node(reader).path()) : error;
  }
}

void CpuExecutable::place_variables(const Program& program) {
  for (std::size_t k = 0; k < program.buffers.size(); ++k) {
    if (program.buffers[k].kind != Buffer::Kind::variable) continue;
    const auto value = variables_.find(program.buffers[k].variable);
    if (value == variables_.end()) fail_unwritten(program.buffers[k].variable);
    bases_[k] = value->second.raw();
  }
}

StepResult CpuExecutable::run(const NamedArrays& inputs) {
  last_ = &prepared_for(inputs);
  const PreparedProgram& prepared = *last_->program;
  const Program& program = prepared.program();
  if (profiling_ && last_->recorder == nullptr) {
    last_->recorder = std::make_unique<StepRecorder>(program.steps.size());
  }
  bases_.assign(program.buffers.size(), nullptr);
  std::vector<Array> dense;
  place_inputs(program, inputs, dense);
  place_variables(program);
  StepResult result;
  result.committed = prepared.run(bases_, *pool_, profiling_ ? last_->recorder.get() : nullptr);
  const auto outputs = program.graph.outputs();
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    result.outputs[outputs[k].name] = result_of(program.results[k], program, bases_);
  }
  return result;
}

}  // namespace asg::cpu
