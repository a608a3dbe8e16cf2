#include "asg/check/gradcheck.h"

#include <algorithm>
#include <cmath>

#include "asg/autograd/gradients.h"
#include "asg/backend/interpreter.h"
#include "asg/graph/expand.h"
#include "asg/graph/graph.h"

namespace asg {
namespace {

constexpr std::uint64_t kSeed = 7;

// Fixed weights that turn a tensor into one number without favouring an element.
Array weights_for(const Tensor& tensor, std::uint64_t stream) {
  const RandomStream random(kSeed, stream);
  Array weights(DType::f64, tensor.shape().sizes());
  auto elements = weights.mutable_data<double>();
  for (std::size_t at = 0; at < elements.size(); ++at) elements[at] = 1 + 2 * random.uniform(at);
  return weights;
}

// Σ weights · tensor, over all tensors of floats.
Tensor weighted_sum(Graph& graph, const std::vector<Tensor>& tensors, std::uint64_t stream) {
  Tensor sum = graph.scalar(DType::f64, 0);
  for (const Tensor& tensor : tensors) {
    if (tensor.dtype() != DType::f64) continue;
    const Tensor product = tensor * graph.constant(weights_for(tensor, combine(stream, tensor.node().number)));
    sum = sum + add_op("ReduceSum", {product}, {{"keepdims", false}});
  }
  return sum;
}

// A sample as a graph: inputs, the op, and the weighted sum of its outputs; values for everything it needs.
struct Problem {
  Graph graph{"gradient check"};
  Value loss;
  std::vector<Value> targets;             // of `graph`: what is differentiated by
  std::vector<std::string> target_names;  // under which their values are given
  NamedArrays values;
};

bool is_target(const OpCard& op, std::size_t input, const Array& value) {
  const Port& port = op.inputs[std::min(input, op.inputs.size() - 1)];
  return port.differentiable && value.dtype() == DType::f64 && value.count() > 0;
}

void add_inputs(Problem& problem, const OpCard& op, const Sample& sample, NodeSpec& spec) {
  for (std::size_t index = 0; index < sample.inputs.size(); ++index) {
    if (sample.inputs[index].absent) {
      spec.inputs.emplace_back();
      continue;
    }
    const Array value = sample_value(sample.inputs[index], op.name, sample.name, index);
    // Integers and conditions are constants: shapes and axes must be known while building.
    if (!is_target(op, index, value)) {
      spec.inputs.push_back(problem.graph.constant(value).value());
      continue;
    }
    const std::string name = "input_" + std::to_string(index);
    const Tensor input = problem.graph.input(name, {value.dtype(), Shape::of(value.sizes())});
    spec.inputs.push_back(input.value());
    problem.targets.push_back(input.value());
    problem.target_names.push_back(name);
    problem.values[name] = value;
  }
}

// Values of all variables; parameters are moved off their first values (zeros, ones), which would hide mistakes.
void add_variables(Problem& problem) {
  for (VarId id : problem.graph.variable_ids()) {
    const Variable& variable = problem.graph.variable(id);
    Array value = initial_value(variable, kSeed).copy();
    if (variable.kind == VarKind::parameter && variable.type.dtype == DType::f64) {
      const RandomStream random(kSeed, combine(StreamKey{1}, id.number));
      auto elements = value.mutable_data<double>();
      for (std::size_t at = 0; at < elements.size(); ++at) elements[at] += 0.4 * random.uniform(at) - 0.2;
      problem.targets.push_back(problem.graph.read(id).value());
      problem.target_names.push_back(variable.name);
    }
    problem.values[variable.name] = value;
  }
}

Problem make_problem(const OpCard& op, const Sample& sample) {
  Problem problem;
  NodeSpec spec;
  spec.op = &op;
  spec.attrs = sample.attrs;
  add_inputs(problem, op, sample, spec);
  const std::vector<Tensor> outputs = problem.graph.add_outputs(std::move(spec));
  problem.loss = weighted_sum(problem.graph, outputs, 2).value();
  add_variables(problem);
  problem.graph.set_output("loss", problem.graph.tensor(problem.loss));
  return problem;
}

// The problem one order higher: its loss is a weighted sum of the gradients of the old one.
Problem raise_order(Problem problem) {
  Differentiated joint = differentiate(problem.graph, problem.loss, problem.targets, Mode::train);
  std::vector<Tensor> gradients;
  for (Value gradient : joint.gradients) gradients.push_back(joint.graph.tensor(gradient));
  for (Value& target : problem.targets) target = joint.remap(target);
  problem.graph = std::move(joint.graph);
  for (Tensor& gradient : gradients) gradient = problem.graph.tensor(gradient.value());
  const Tensor loss = weighted_sum(problem.graph, gradients, 3);
  problem.loss = loss.value();
  problem.graph.set_outputs({});
  problem.graph.set_output("loss", loss);
  return problem;
}

class Evaluator {
 public:
  explicit Evaluator(const Graph& graph) : graph_(expand(graph, Mode::train).graph) { graph_.set_updates({}); }

  NamedArrays operator()(const NamedArrays& values) {
    return interpreter_.download_all(interpreter_.execute(graph_, interpreter_.upload_all(values)));
  }

 private:
  Interpreter interpreter_;
  Graph graph_;
};

// d(loss)/d(value of `name`) by central differences.
std::vector<double> numeric_gradient(Evaluator& evaluate, NamedArrays values, const std::string& name) {
  Array moved = values.at(name).copy();
  values[name] = moved;
  auto elements = moved.mutable_data<double>();
  std::vector<double> gradient(elements.size());
  for (std::size_t at = 0; at < elements.size(); ++at) {
    const double here = elements[at];
    const double step = 1e-5 * std::max(1.0, std::abs(here));
    elements[at] = here + step;
    const double above = evaluate(values).at("loss").get(0);
    elements[at] = here - step;
    const double below = evaluate(values).at("loss").get(0);
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

}  // namespace

bool has_checkable_gradient(const OpCard& op) {
  if (op.gradient_kind != GradientKind::rule && op.gradient_kind != GradientKind::body) return false;
  return std::any_of(op.samples.begin(), op.samples.end(), [](const Sample& sample) { return sample.gradient; });
}

GradientCheck check_gradient(const OpCard& op, const Sample& sample, int order) {
  GradientCheck check;
  check.op = op.name;
  check.sample = sample.name;
  check.order = order;
  check.bound = order == 1 ? op.gradient_bounds.first : op.gradient_bounds.second;
  try {
    Problem problem = make_problem(op, sample);
    for (int raised = 1; raised < order; ++raised) problem = raise_order(std::move(problem));
    const Differentiated joint = differentiate(problem.graph, problem.loss, problem.targets, Mode::train);
    Evaluator evaluate(problem.graph);
    Evaluator evaluate_joint(joint.graph);
    const NamedArrays results = evaluate_joint(problem.values);
    for (std::size_t index = 0; index < problem.targets.size(); ++index) {
      const std::string& name = problem.target_names[index];
      compare(check, name, results.at("gradient:" + std::to_string(index)),
              numeric_gradient(evaluate, problem.values, name));
    }
    const bool says_something = order > 1 || check.largest >= kLeastGradient;
    if (!says_something) check.detail += "all gradients are below 0.1, so that the sample proves nothing";
    check.passed = check.detail.empty();
  } catch (const std::exception& error) {
    check.detail = error.what();
  }
  return check;
}

std::vector<GradientCheck> check_gradients(const OpCard& op, int order) {
  std::vector<GradientCheck> checks;
  for (const Sample& sample : op.samples) {
    if (sample.gradient) checks.push_back(check_gradient(op, sample, order));
  }
  return checks;
}

}  // namespace asg
