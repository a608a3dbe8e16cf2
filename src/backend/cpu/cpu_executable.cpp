#include "backend/cpu/cpu_executable.h"

#include <algorithm>
#include <iterator>

#include "asg/backend/device_array.h"
#include "asg/compile/verify_program.h"
#include "asg/core/platform.h"
#include "backend/cpu/library_steps.h"
#include "backend/value_checks.h"
#include "compile/explain/reports.h"
#include "compile/stopwatch.h"

namespace asg::cpu {

CpuExecutable::CpuExecutable(Graph graph, PassReport lowering, PassOptions passes, std::shared_ptr<ThreadPool> pool,
                             Means means)
    : graph_(std::move(graph)),
      lowering_(std::move(lowering)),
      passes_(std::move(passes)),
      pool_(std::move(pool)),
      means_(std::move(means)) {
  check_names(graph_);
}

void CpuExecutable::write(VarId variable, const Array& value) {
  const Variable& slot = graph_.variable(variable);
  check_type(slot.type, host_array("cpu", value), "variable '" + slot.name + "'");
  variables_->write(variable, value);
}

Array CpuExecutable::read(VarId variable) const {
  const Variable& slot = graph_.variable(variable);
  const Array* value = variables_->find(variable);
  if (value == nullptr) fail_missing_variable(slot);
  return value->copy();
}

Array CpuExecutable::lend(VarId variable) {
  const Variable& slot = graph_.variable(variable);
  if (variables_->find(variable) == nullptr) fail_missing_variable(slot);
  return variables_->lend(variable);
}

bool CpuExecutable::share_variables(Executable& other) {
  auto* shared = dynamic_cast<CpuExecutable*>(&other);
  if (shared == nullptr) return false;
  for (const VarId id : graph_.variable_ids()) {
    if (!shared->graph_.has(id) || shared->graph_.variable(id).type != graph_.variable(id).type) return false;
  }
  variables_ = shared->variables_;
  return true;
}

bool CpuExecutable::take_variable(VarId variable, Executable& other, VarId its_variable) {
  auto* shared = dynamic_cast<CpuExecutable*>(&other);
  if (shared == nullptr || shared->variables_ == variables_ || !shared->graph_.has(its_variable)) return false;
  const Array* value = shared->variables_->find(its_variable);
  const TensorType& type = graph_.variable(variable).type;
  if (value == nullptr || shared->graph_.variable(its_variable).type != type) return false;
  variables_->take(variable, *shared->variables_, its_variable);
  return true;
}

// The types of the inputs are those of the graph, and what its symbols are with them.
SymbolLengthsByName CpuExecutable::checked_lengths(std::span<const Array> inputs) const {
  SizesByName sizes;
  SymbolLengths symbols;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const Value input{graph_.inputs()[k], 0};
    const std::string path = graph_.node(input.node).path();
    symbols.check(graph_.type(input), host_array("cpu", inputs[k]), "input '" + path + "'");
    sizes[path] = inputs[k].sizes();
  }
  return symbol_lengths(graph_, sizes);
}

CpuExecutable::Entry& CpuExecutable::put_first(std::vector<std::unique_ptr<Entry>>::iterator entry) {
  std::rotate(programs_.begin(), entry, entry + 1);
  return *programs_.front();
}

CpuExecutable::Entry& CpuExecutable::entry_for(std::span<const Array> inputs) {
  const auto found = std::find_if(programs_.begin(), programs_.end(), [&](const auto& entry) {
    return entry->bounded != nullptr ? entry->bounded->fits(inputs) : entry->program->fits(inputs);
  });
  if (found != programs_.end()) return put_first(found);
  std::vector<InputType> types;
  for (const Array& input : inputs) types.push_back({input.dtype(), input.sizes()});
  const SymbolLengthsByName lengths = checked_lengths(inputs);
  programs_.push_back(std::make_unique<Entry>(make_entry(std::move(types), lengths)));
  return put_first(programs_.end() - 1);
}

CpuExecutable::Entry& CpuExecutable::entry_for(const SizesByName& sizes) {
  const SymbolLengthsByName lengths = symbol_lengths(graph_, sizes);
  std::optional<Specialised> concrete;
  if (!lengths.empty()) concrete = specialise(graph_, lengths);
  std::vector<InputType> types;
  for (const NodeId id : graph_.inputs()) {
    const TensorType& type = (concrete ? concrete->graph : graph_).type({id, 0});
    types.push_back({type.dtype, type.shape.sizes()});
  }
  const auto found = std::find_if(programs_.begin(), programs_.end(), [&](const auto& entry) {
    return entry->bounded != nullptr ? entry->bounded->fits(std::span<const InputType>(types))
                                     : entry->program->is_for(types);
  });
  if (found != programs_.end()) return **found;
  programs_.push_back(std::make_unique<Entry>(make_entry(std::move(types), lengths)));
  return *programs_.back();
}

// Without symbols: those with a bound are held there where that can be done, all others get the lengths of the inputs.
Graph CpuExecutable::concrete_graph(Entry& entry, const SymbolLengthsByName& lengths) const {
  Stopwatch watch;
  SymbolLengthsByName given = lengths;
  const std::vector<std::string> bounded = bounded_symbols(graph_);
  if (!bounded.empty() && !passes_.is_off(kHoldBounds)) {
    for (const std::string& symbol : bounded) given.erase(symbol);
    const Graph with_bounds = specialise(graph_, given).graph;
    auto held = hold_at_bounds(with_bounds);
    entry.passes.push_back(report_of_bounds(with_bounds, held, watch.lap()));
    if (auto* done = std::get_if<BoundedGraph>(&held)) {
      entry.bounded = std::make_unique<BoundedRun>(with_bounds, std::move(*done));
      if (passes_.after) passes_.after(kHoldBounds, entry.bounded->graph());
      return entry.bounded->graph();
    }
  }
  Graph concrete = specialise(graph_, lengths).graph;
  entry.passes.push_back(report_of_specialising(graph_, lengths, watch.lap()));
  if (passes_.after) passes_.after("specialise", concrete);
  return concrete;
}

CpuExecutable::Entry CpuExecutable::make_entry(std::vector<InputType> inputs,
                                               const SymbolLengthsByName& lengths) const {
  Entry entry;
  Passed passed = run_passes(concrete_graph(entry, lengths), passes_);
  std::move(passed.reports.begin(), passed.reports.end(), std::back_inserter(entry.passes));
  Stopwatch watch;
  static const CallRules kRules = {.takes_strides = takes_strides,
                                   .output_order = output_order,
                                   .takes_epilogue = takes_epilogue,
                                   .changes_in_place = changes_in_place};
  Program made = make_program(std::move(passed.graph), kRules, passes_);
  entry.emission = {"emit", watch.lap()};
  for (const PassReport& report : made.reports) entry.emission.seconds -= report.seconds;
  if (entry.bounded != nullptr) inputs = entry.bounded->input_types();
  const Graph& graph = entry.bounded != nullptr ? entry.bounded->graph() : graph_;
  entry.program = std::make_unique<BoundProgram>(graph, std::move(made), std::move(inputs), means_);
  if (passes_.verify) {
    const PreparedProgram& prepared = entry.program->prepared();
    verify_program("plan", prepared.program(), kRules, prepared.plan().arena_bytes);
  }
  return entry;
}

Explanation CpuExecutable::explanation_of(const Entry& entry) const {
  Explanation result = entry.program->prepared().explanation();
  result.stages.insert(result.stages.begin(), entry.emission);
  result.passes = {lowering_};
  const auto add = [&](const std::vector<PassReport>& reports) {
    result.passes.insert(result.passes.end(), reports.begin(), reports.end());
  };
  add(entry.passes);
  add(result.program.reports);
  return result;
}

// Systems promise more memory than they have and end the process when it is used.
void CpuExecutable::prepare(const SizesByName& input_sizes) {
  const std::int64_t bytes = entry_for(input_sizes).program->prepared().memory_bytes();
  const std::int64_t machine = platform::physical_bytes();
  if (machine == 0 || bytes <= machine) return;
  fail(ErrorCode::out_of_memory, "a run that works in " + std::to_string(bytes) + " bytes of memory",
       "at most the " + std::to_string(machine) + " bytes of this machine", "use smaller sizes or smaller batches");
}

std::shared_ptr<const Explanation> CpuExecutable::explain(const SizesByName& input_sizes) {
  return std::make_shared<const Explanation>(explanation_of(entry_for(input_sizes)));
}

void CpuExecutable::set_profiling(bool on) {
  if (on && !profiling_) {
    for (const auto& entry : programs_) entry->recorder = nullptr;
  }
  profiling_ = on;
}

std::shared_ptr<const Profile> CpuExecutable::profile() const {
  if (last_ == nullptr || last_->recorder == nullptr) return nullptr;
  return std::make_shared<const Profile>(profile_of(explanation_of(*last_), *last_->recorder));
}

bool CpuExecutable::run_into(std::span<const Array> inputs, std::span<Array> outputs) {
  check_counts(inputs, outputs);
  Entry& entry = entry_for(inputs);
  last_ = &entry;
  if (profiling_ && entry.recorder == nullptr) {
    entry.recorder = std::make_unique<StepRecorder>(entry.program->prepared().program().steps.size());
  }
  StepRecorder* recorder = profiling_ ? entry.recorder.get() : nullptr;
  if (entry.bounded == nullptr) return entry.program->run(inputs, outputs, *variables_, *pool_, recorder);
  const bool committed =
      entry.program->run(entry.bounded->stage(inputs), entry.bounded->results(outputs), *variables_, *pool_, recorder);
  entry.bounded->deliver(outputs);
  return committed;
}

StepResult CpuExecutable::run(const NamedArrays& inputs) {
  std::vector<Array> given;
  for (const NodeId id : graph_.inputs()) {
    const std::string path = graph_.node(id).path();
    const auto value = inputs.find(path);
    if (value == inputs.end()) {
      fail(ErrorCode::missing_value, "no value for input '" + path + "'",
           "a value of type " + graph_.type({id, 0}).to_string(), "give one under that name");
    }
    given.push_back(value->second);
  }
  std::vector<Array> results(graph_.outputs().size());
  StepResult result;
  result.committed = run_into(given, results);
  for (std::size_t k = 0; k < results.size(); ++k) {
    result.outputs[graph_.outputs()[k].name] = std::move(results[k]);
  }
  return result;
}

}  // namespace asg::cpu
