#include <algorithm>
#include <cmath>
#include <set>

#include "asg/autograd/gradients.h"
#include "asg/check/random_graph.h"
#include "asg/graph/expand.h"
#include "check/graph_function.h"
#include "check/problem.h"

namespace asg {
namespace {

constexpr double kDifferenceStep = 1e-5;
constexpr double kValueBound = 1e-9;        // kernels against bodies, relative
constexpr double kAgreement = 1e-6;         // of differences at two steps: less is a kink
constexpr std::uint64_t kDirections = 300;  // random stream

// What moves together: names of values, and the numbers of their gradients.
struct Direction {
  std::vector<std::string> names;
  std::vector<std::size_t> gradients;
};

struct Targets {
  std::vector<Value> values;
  std::vector<Direction> directions;
};

Targets targets_of(Graph& graph) {
  Targets targets;
  for (NodeId id : graph.inputs()) {
    if (graph.type({id, 0}).dtype != DType::f64) continue;
    targets.directions.push_back({{graph.node(id).path()}, {targets.values.size()}});
    targets.values.push_back({id, 0});
  }
  Direction parameters;
  for (VarId id : graph.variable_ids()) {
    const Variable& variable = graph.variable(id);
    if (variable.kind != VarKind::parameter || variable.type.dtype != DType::f64) continue;
    parameters.names.push_back(variable.name);
    parameters.gradients.push_back(targets.values.size());
    targets.values.push_back(graph.read(id).value());
  }
  if (!parameters.names.empty()) targets.directions.push_back(std::move(parameters));
  return targets;
}

class CaseChecker {
 public:
  explicit CaseChecker(const GraphCase& made)
      : graph_(made.graph), values_(made.values), targets_(targets_of(graph_)), loss_at_(graph_, Mode::train) {}

  CaseCheck run() {
    const Value loss = graph_.find_output("loss")->value;
    const double value = loss_at_(values_).at("loss").get(0);
    if (!std::isfinite(value)) return {Verdict::failed, 0, "the loss is " + std::to_string(value), false};
    check_.verdict = Verdict::passed;
    compare_value(value, through_bodies());
    const Differentiated joint = differentiate(graph_, loss, targets_.values, Mode::train);
    const NamedArrays results = GraphFunction(joint.graph, Mode::train)(values_);
    for (const Direction& direction : targets_.directions) compare_direction(direction, results);
    return check_;
  }

 private:
  // The same number by another road: every op that has a body is replaced by it.
  double through_bodies() {
    const Graph lowered =
        expand(graph_, Mode::train, [](const Node& node) { return static_cast<bool>(node.op->body); }).graph;
    return GraphFunction(lowered, Mode::train)(values_).at("loss").get(0);
  }

  void compare_value(double value, double other) {
    if (std::abs(value - other) <= kValueBound * std::max(1.0, std::abs(value))) return;
    fail_with("the loss is " + std::to_string(value) + " by kernels and " + std::to_string(other) + " by bodies. ");
  }

  void compare_direction(const Direction& direction, const NamedArrays& results) {
    double analytic = 0;
    for (std::size_t index = 0; index < direction.names.size(); ++index) {
      const Array along = direction_of(direction.names[index]);
      const Array& gradient = results.at("gradient:" + std::to_string(direction.gradients[index]));
      for (std::int64_t at = 0; at < along.count(); ++at) analytic += along.get(at) * gradient.get(at);
    }
    const double numeric = difference(direction, kDifferenceStep);
    const double error = std::abs(analytic - numeric) / std::max(1.0, std::abs(numeric));
    if (error <= kRandomGraphBound) {
      check_.max_error = std::max(check_.max_error, error);
      return;
    }
    const double finer = difference(direction, kDifferenceStep / 2);
    if (std::abs(finer - numeric) > kAgreement * std::max(1.0, std::abs(numeric))) {
      if (check_.verdict == Verdict::passed) check_.verdict = Verdict::dropped;
      return;
    }
    fail_with("along " + direction.names.front() + " the gradient says " + std::to_string(analytic) +
              ", differences say " + std::to_string(numeric) + ". ");
  }

  void fail_with(const std::string& detail) {
    check_.verdict = Verdict::failed;
    check_.detail += detail;
  }

  Array direction_of(const std::string& name) const {
    return random_numbers(values_.at(name).sizes(), combine(kDirections, name), -1, 1);
  }

  double difference(const Direction& direction, double step) {
    const double above = loss_at_(moved(direction, step)).at("loss").get(0);
    const double below = loss_at_(moved(direction, -step)).at("loss").get(0);
    return (above - below) / (2 * step);
  }

  NamedArrays moved(const Direction& direction, double step) const {
    NamedArrays values = values_;
    for (const std::string& name : direction.names) {
      Array value = values.at(name).copy();
      const Array along = direction_of(name);
      for (std::int64_t at = 0; at < value.count(); ++at) value.set(at, value.get(at) + step * along.get(at));
      values[name] = value;
    }
    return values;
  }

  Graph graph_;
  NamedArrays values_;
  Targets targets_;
  GraphFunction loss_at_;
  CaseCheck check_;
};

}  // namespace

CaseCheck check_case(const GraphCase& made) {
  try {
    return CaseChecker(made).run();
  } catch (const std::exception& error) {
    return {Verdict::failed, 0, error.what(), true};
  }
}

void RandomGraphReport::add(const RandomGraphReport& other) {
  kept += other.kept;
  dropped += other.dropped;
  max_error = std::max(max_error, other.max_error);
  for (const auto& [op, count] : other.stands) stands[op] += count;
  failures.insert(failures.end(), other.failures.begin(), other.failures.end());
}

double RandomGraphReport::drop_rate() const {
  const int judged = kept + dropped;
  return judged == 0 ? 0 : static_cast<double>(dropped) / judged;
}

int RandomGraphReport::rarest() const {
  int least = kept;
  for (const auto& [op, count] : stands) least = std::min(least, count);
  return least;
}

std::string RandomGraphReport::to_text() const {
  std::multimap<int, std::string> by_count;
  for (const auto& [op, count] : stands) by_count.emplace(count, op);
  std::string text = "kept graphs by op:\n";
  for (auto entry = by_count.begin(); entry != by_count.end();) {
    const int count = entry->first;
    text += "  " + std::to_string(count) + ":";
    for (; entry != by_count.end() && entry->first == count; ++entry) text += " " + entry->second;
    text += "\n";
  }
  const std::string percent = std::to_string(std::lround(drop_rate() * 1000));
  return text + std::to_string(kept) + " kept, " + std::to_string(dropped) + " dropped (" +
         percent.substr(0, percent.size() - 1) + (percent.size() == 1 ? "0" : "") + "." + percent.back() + " %), " +
         std::to_string(failures.size()) + " failed; " + std::to_string(stands.size()) + " ops, the rarest in " +
         std::to_string(rarest()) + " kept graphs\n";
}

RandomGraphReport check_random_graphs(const RandomGraphs& graphs, std::uint64_t first, std::uint64_t count,
                                      const std::function<void(std::uint64_t)>& progress) {
  RandomGraphReport report;
  for (const OpCard* op : graphs.ops()) report.stands[op->name] = 0;
  for (std::uint64_t number = first; number < first + count; ++number) {
    CaseCheck check;
    std::set<std::string> ops;
    try {
      const GraphCase made = graphs.make(number);
      for (NodeId id : made.graph.node_ids()) ops.insert(made.graph.node(id).op->name);
      check = check_case(made);
    } catch (const std::exception& error) {
      check.detail = error.what();
    }
    if (check.verdict == Verdict::failed) {
      report.failures.push_back({number, check.detail});
    } else if (check.verdict == Verdict::dropped) {
      ++report.dropped;
    } else {
      ++report.kept;
      report.max_error = std::max(report.max_error, check.max_error);
      for (const std::string& op : ops) {
        const auto entry = report.stands.find(op);
        if (entry != report.stands.end()) ++entry->second;
      }
    }
    if (progress) progress(number - first + 1);
  }
  return report;
}

}  // namespace asg
