#include "contender.h"

#include <cstdio>

#include "asg/backend/cpu.h"
#include "asg/compile/explain.h"
#include "asg/core/platform.h"
#include "asg/train/step_graph.h"
#include "numbers.h"
#include "timing.h"

namespace asg::bench {
namespace {

constexpr float kWeightLimit = 0.04F;

// Lets the peak of memory be counted from now on; where the system cannot, the older peak stays in it.
void forget_peak() {
  if (std::FILE* file = std::fopen("/proc/self/clear_refs", "w")) {
    std::fputs("5", file);
    std::fclose(file);
  }
}

bool is_drawn(const Initializer& init) {
  using Kind = Initializer::Kind;
  return init.kind != Kind::zeros && init.kind != Kind::ones && init.kind != Kind::constant;
}

Array first_value(const Variable& variable, int start) {
  if (!is_drawn(variable.init)) return initial_value(variable, 1);
  const std::string name = start == 0 ? variable.name : variable.name + "/" + std::to_string(start);
  return uniform(name, variable.type.shape.sizes(), kWeightLimit);
}

}  // namespace

Contender::Contender(const Workload& workload, int threads, int first_steps, int start) : workload_(workload) {
  const NamedArrays inputs = workload.inputs();
  forget_peak();
  const std::int64_t before = platform::resident_bytes();
  make(threads);
  const Graph& graph = executable_->graph();
  for (const NodeId id : graph.inputs()) inputs_.push_back(inputs.find(graph.node(id).path())->second);
  outputs_.resize(graph.outputs().size());
  write_variables(start);
  beginning_.first_seconds = step_seconds();
  beginning_.values.push_back(value());
  for (int step = 1; step < first_steps; ++step) {
    step_seconds();
    beginning_.values.push_back(value());
  }
  beginning_.peak_bytes = static_cast<double>(platform::peak_resident_bytes() - before);
}

void Contender::make(int threads) {
  backend_ = std::make_unique<CpuBackend>(threads);
  Graph graph;
  beginning_.build_seconds = seconds_of([&] { graph = workload_.model(); });
  const Mode mode = workload_.trains() ? Mode::train : Mode::eval;
  std::shared_ptr<const Explanation> explanation;
  beginning_.compile_seconds = seconds_of([&] {
    beginning_.step_seconds = seconds_of([&] {
      if (workload_.trains()) graph = train::make_step(graph, workload_.output, *workload_.optimizer).graph;
    });
    executable_ = backend_->compile(graph, {.mode = mode});
    explanation = executable_->explain({});  // all lengths are known, so it is compiled now
  });
  beginning_.plan_bytes = static_cast<double>(explanation->plan.arena_bytes);
  beginning_.live_bytes = static_cast<double>(explanation->plan.live_bytes);
  beginning_.nodes = graph.node_count();
}

void Contender::write_variables(int start) {
  const Graph& graph = executable_->graph();
  for (const VarId id : graph.variable_ids()) executable_->write(id, first_value(graph.variable(id), start));
}

double Contender::step_seconds() {
  return seconds_of([&] { executable_->run_into(inputs_, outputs_); });
}

double Contender::value() const {
  const auto names = executable_->graph().outputs();
  const auto named = [&](const Output& each) { return each.name == workload_.output; };
  const auto place = std::find_if(names.begin(), names.end(), named) - names.begin();
  const Array& output = outputs_[static_cast<std::size_t>(place)];
  if (workload_.trains()) return output.get(0);
  double sum = 0;
  for (const float each : output.data<float>()) sum += static_cast<double>(each) * each;
  return sum / static_cast<double>(output.count());
}

}  // namespace asg::bench
