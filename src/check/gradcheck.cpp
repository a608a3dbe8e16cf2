#include "asg/check/gradcheck.h"

#include <algorithm>
#include <cmath>

#include "asg/autograd/gradients.h"
#include "check/graph_function.h"
#include "check/problem.h"

namespace asg {
namespace {

// A problem whose loss is one number, to be differentiated.
struct ScalarProblem {
  Problem problem;
  Value loss;
};

ScalarProblem with_loss(Problem problem) {
  const Tensor loss = weighted_sum(problem.graph, problem.outputs, 2);
  problem.graph.set_output("loss", loss);
  return {std::move(problem), loss.value()};
}

// The problem one order higher: its loss is a weighted sum of the gradients of the old one.
ScalarProblem raise_order(ScalarProblem scalar) {
  Problem& problem = scalar.problem;
  Differentiated joint = differentiate(problem.graph, scalar.loss, problem.targets, Mode::train);
  for (Value& target : problem.targets) target = joint.remap(target);
  problem.graph = std::move(joint.graph);
  const Tensor loss = weighted_sum(problem.graph, joint.gradients, 3);
  scalar.loss = loss.value();
  problem.graph.set_outputs({});
  problem.graph.set_output("loss", loss);
  return scalar;
}

// d(loss)/d(value of `name`) by central differences.
std::vector<double> numeric_gradient(GraphFunction& loss_at, NamedArrays values, const std::string& name) {
  Array moved = values.at(name).copy();
  values[name] = moved;
  auto elements = moved.mutable_data<double>();
  std::vector<double> gradient(elements.size());
  for (std::size_t at = 0; at < elements.size(); ++at) {
    const double here = elements[at];
    const double step = 1e-5 * std::max(1.0, std::abs(here));
    elements[at] = here + step;
    const double above = loss_at(values).at("loss").get(0);
    elements[at] = here - step;
    const double below = loss_at(values).at("loss").get(0);
    elements[at] = here;
    gradient[at] = (above - below) / (2 * step);
  }
  return gradient;
}

void compare(GradientCheck& check, const std::string& target, const Array& analytic,
             const std::vector<double>& numeric) {
  double largest = 0;
  double worst = 0;
  for (std::size_t at = 0; at < numeric.size(); ++at) {
    largest = std::max(largest, std::abs(numeric[at]));
    const double difference = std::abs(analytic.get(static_cast<std::int64_t>(at)) - numeric[at]);
    worst = difference <= worst ? worst : difference;  // NaN counts as worst
  }
  const double error = worst / std::max(1.0, largest);
  check.largest = std::max(check.largest, largest);
  if (!(error <= check.max_error)) check.max_error = error;
  if (!(error <= check.bound)) {
    check.detail += target + ": error " + std::to_string(error) + " against a largest difference quotient of " +
                    std::to_string(largest) + ". ";
  }
}

double bound_of(const OpCard& op, int order) {
  return order == 1 ? op.gradient_bounds.first : op.gradient_bounds.second;
}

}  // namespace

GradientCheck check_gradient(const OpCard& op, const Sample& sample, int order) {
  GradientCheck check;
  check.op = op.name;
  check.sample = sample.name;
  check.order = order;
  check.bound = bound_of(op, order);
  try {
    ScalarProblem scalar = with_loss(make_problem(op, sample));
    for (int raised = 1; raised < order; ++raised) scalar = raise_order(std::move(scalar));
    const Problem& problem = scalar.problem;
    const Differentiated joint = differentiate(problem.graph, scalar.loss, problem.targets, Mode::train);
    GraphFunction loss_at(problem.graph, Mode::train);
    const NamedArrays results = GraphFunction(joint.graph, Mode::train)(problem.values);
    for (std::size_t index = 0; index < problem.targets.size(); ++index) {
      const std::string& name = problem.target_names[index];
      compare(check, name, results.at("gradient:" + std::to_string(index)),
              numeric_gradient(loss_at, problem.values, name));
    }
    const bool says_something = order > 1 || check.largest >= kLeastGradient;
    if (!says_something) check.detail += "all gradients are below 0.1, so that the sample proves nothing";
    check.passed = check.detail.empty();
  } catch (const std::exception& error) {
    check.detail = error.what();
  }
  return check;
}

OpGradientReport check_gradients(const OpCard& op, int order) {
  OpGradientReport report;
  report.name = op.name;
  report.order = order;
  report.bound = bound_of(op, order);
  for (const Sample& sample : op.samples) {
    if (!sample.gradient) continue;
    GradientCheck check = check_gradient(op, sample, order);
    ++report.samples;
    if (!(check.max_error <= report.max_error)) report.max_error = check.max_error;
    if (!check.passed) report.failures.push_back(std::move(check));
  }
  report.passed = report.failures.empty();
  return report;
}

std::string why_not_checked(const OpCard& op, int order) {
  if (op.traits.leaf) return "a leaf: it has no inputs";
  if (op.gradient_kind == GradientKind::zero) return "zero by definition: " + std::string(op.gradient_reason);
  if (op.gradient_kind == GradientKind::none) return "none: " + std::string(op.gradient_reason);
  if (order > 1 && !op.gradient_bounds.twice) return "not twice: " + std::string(op.gradient_bounds.reason);
  const bool sampled = std::any_of(op.samples.begin(), op.samples.end(), [](const Sample& s) { return s.gradient; });
  return sampled ? "" : "no sample of its own: its body comes with each node";
}

}  // namespace asg
