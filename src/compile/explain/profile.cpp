#include "asg/compile/profile.h"

#include <algorithm>
#include <map>

#include "asg/graph/card.h"
#include "asg/graph/registry.h"

namespace asg {
namespace {

constexpr std::size_t kMostEvents = 200'000;  // of one profile
constexpr double kNanosecond = 1e-9;

void add_role(TimeShare& share, Role role, double seconds) {
  share.seconds += seconds;
  if (role == Role::gradient) {
    share.gradient += seconds;
  } else if (role == Role::update) {
    share.update += seconds;
  } else {
    share.forward += seconds;
  }
}

// How the nodes of a step share its time; sums to 1.
std::vector<double> weights_of(const Program& program, const Step& step) {
  std::vector<double> weights;
  double total = 0;
  for (const NodeId id : step.nodes) {
    weights.push_back(std::max(1.0, flops_of(program.graph, program.graph.node(id))));
    total += weights.back();
  }
  for (double& weight : weights) weight /= total;
  return weights;
}

using NameOf = std::string (*)(const Node&);

std::vector<TimeShare> shares(const Profile& profile, NameOf name_of_node, bool with_op) {
  const Program& program = profile.explanation.program;
  std::map<std::string, TimeShare> found;
  for (std::size_t number = 0; number < program.steps.size(); ++number) {
    const Step& step = program.steps[number];
    const StepTiming& timing = profile.steps[number];
    const double seconds = static_cast<double>(timing.total) * kNanosecond;
    const double bytes = static_cast<double>(cost_of(program, step).bytes()) * static_cast<double>(timing.runs);
    if (step.nodes.empty()) {
      TimeShare& share = found["(copies)"];
      add_role(share, Role::update, seconds);
      share.bytes += bytes;
      continue;
    }
    const std::vector<double> weights = weights_of(program, step);
    for (std::size_t k = 0; k < step.nodes.size(); ++k) {
      const Node& node = program.graph.node(step.nodes[k]);
      TimeShare& share = found[name_of_node(node)];
      if (with_op) share.op = node.op->name;
      add_role(share, node.origin ? node.origin->role : Role::forward, seconds * weights[k]);
      share.flops += flops_of(program.graph, node) * static_cast<double>(timing.runs);
      share.bytes += bytes * weights[k];
    }
  }
  std::vector<TimeShare> result;
  for (auto& [name, share] : found) {
    share.name = name;
    result.push_back(std::move(share));
  }
  std::sort(result.begin(), result.end(), [](const TimeShare& a, const TimeShare& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.name < b.name;
  });
  return result;
}

// "Softmax#7" is the scope of the body of a plain op, which is no layer.
bool is_body_of_op(std::string_view part) {
  const std::size_t mark = part.find('#');
  if (mark == std::string_view::npos) return false;
  const OpCard* op = Registry::global().find(part.substr(0, mark));
  return op != nullptr && !op->composite;
}

}  // namespace

StepRecorder::StepRecorder(std::size_t steps) : steps_(steps) {
  step_events_.reserve(std::min(kMostEvents, steps * 16));
  run_events_.reserve(16);
}

void StepRecorder::begin_run() { run_start_ = now(); }

void StepRecorder::end_run() {
  if (step_events_.size() < kMostEvents) {
    run_events_.push_back({static_cast<int>(runs_), run_start_, now() - run_start_});
  }
  ++runs_;
}

void StepRecorder::end_step(std::size_t step) {
  const std::int64_t took = now() - step_start_;
  StepTiming& timing = steps_[step];
  timing.least = timing.runs == 0 ? took : std::min(timing.least, took);
  timing.total += took;
  ++timing.runs;
  if (step_events_.size() < kMostEvents) step_events_.push_back({static_cast<int>(step), step_start_, took});
}

std::int64_t Profile::total() const {
  std::int64_t total = 0;
  for (const StepTiming& timing : steps) total += timing.total;
  return total;
}

Profile profile_of(Explanation explanation, const StepRecorder& recorder) {
  return {.explanation = std::move(explanation),
          .runs = recorder.runs(),
          .steps = recorder.steps(),
          .step_events = recorder.step_events(),
          .run_events = recorder.run_events()};
}

std::string layer_of(const Node& node) {
  std::string_view rest = node.scope;
  constexpr std::string_view kGradient = "gradient";
  if (node.origin && node.origin->role == Role::gradient && rest.starts_with(kGradient)) {
    rest.remove_prefix(std::min(rest.size(), kGradient.size() + 1));
  }
  std::string layer;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    if (is_body_of_op(part)) break;
    layer += (layer.empty() ? "" : "/") + std::string(part);
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  return layer.empty() ? "(model)" : layer;
}

std::vector<TimeShare> time_by_node(const Profile& profile) {
  return shares(profile, [](const Node& node) { return node.path(); }, true);
}

std::vector<TimeShare> time_by_layer(const Profile& profile) { return shares(profile, layer_of, false); }

}  // namespace asg
