#include <set>

#include "asg/backend/cpu.h"
#include "asg/compile/lower.h"
#include "asg/core/platform.h"
#include "backend/cpu/cpu_executable.h"
#include "backend/cpu/library_steps.h"
#include "backend/cpu/moving_steps.h"
#include "backend/lowered_run.h"
#include "compile/explain/reports.h"
#include "compile/stopwatch.h"

namespace asg {
namespace {

// What has an instruction, a call of its own, or no body; everything else is computed through its body, which fuses.
bool is_supported(const OpCard& op) {
  return op.scalar != ScalarOp::none || !op.body || cpu::is_library_op(op) || cpu::is_moving_op(op);
}

// Whether inputs and variables tell all lengths; else some are met only while running.
bool are_lengths_told(const Graph& graph) {
  std::set<std::string> told;
  const auto symbols_of = [](const TensorType& type) {
    std::vector<std::string> symbols;
    for (const Dim& dim : type.shape.dims()) {
      for (std::string& symbol : dim.symbols()) symbols.push_back(std::move(symbol));
    }
    return symbols;
  };
  for (const NodeId id : graph.inputs()) {
    for (std::string& symbol : symbols_of(graph.type({id, 0}))) told.insert(std::move(symbol));
  }
  for (const NodeId id : graph.node_ids()) {
    for (const OutputInfo& output : graph.node(id).outputs) {
      for (const std::string& symbol : symbols_of(output.type)) {
        if (!told.contains(symbol)) return false;
      }
    }
  }
  return true;
}

}  // namespace

CpuBackend::CpuBackend(const CpuOptions& options) : options_(options), pool_(ThreadPool::shared(options.threads)) {}

std::unique_ptr<Executable> CpuBackend::compile(const Graph& graph, const CompileOptions& options) {
  Capabilities device;
  device.supports_op = is_supported;
  device.declines = cpu::lacks_types_of;
  Stopwatch watch;
  Lowered lowered = lower(graph, device, options.mode);
  PassReport report = report_of_lowering(graph, lowered, watch.lap());
  if (!are_lengths_told(lowered.graph)) return Interpreter::compile(graph, options);
  if (options.passes.after) options.passes.after(report.name, lowered.graph);
  cpu::Means means{.threads = pool_->threads(), .arenas = nullptr, .bf16 = options.bf16};
  means.run_subgraph = [this](const Graph& inner, std::span<const Array> values) {
    return run_subgraph(*this, inner, values);
  };
  means.compile_body = [this, inner = options](const Graph& body) mutable {
    inner.passes.after = nullptr;  // it is told of the whole graph only
    return compile(body, inner);
  };
  means.arenas = arenas_.lock();
  if (means.arenas == nullptr) arenas_ = means.arenas = std::make_shared<cpu::ArenaPool>();
  if (!options_.onednn) means.library = cpu::Library::builtin;
  return std::make_unique<cpu::CpuExecutable>(std::move(lowered.graph), std::move(report), options.passes, pool_,
                                              std::move(means));
}

NamedDeviceArrays CpuBackend::execute(const Graph& graph, const NamedDeviceArrays& inputs) {
  return Interpreter::execute(graph, inputs);
}

}  // namespace asg
