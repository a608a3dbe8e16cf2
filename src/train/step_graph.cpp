#include "asg/train/step_graph.h"

#include "asg/autograd/gradients.h"
#include "asg/compile/executable.h"
#include "asg/graph/card.h"
#include "train/gather.h"

namespace asg::train {
namespace {

// x − x is 0 for finite numbers and NaN for all others.
Tensor is_finite(const Tensor& x) {
  const Tensor zeros = add_op("ReduceSum", {x - x}, {{"keepdims", false}});
  return add_op("Equal", {zeros, x.graph().scalar(x.dtype(), 0)});
}

Tensor all_finite(Graph& graph, Value loss, const std::vector<Value>& gradients) {
  Tensor result = is_finite(graph.tensor(loss));
  for (Value gradient : gradients) result = add_op("And", {result, is_finite(graph.tensor(gradient))});
  return result;
}

void advance_counter(Graph& graph) {
  const VarId step = graph.find_variable(kStepVariable);
  if (!step) return;
  const Tensor one = graph.constant(Array::scalar(graph.variable(step).type.dtype, 1));
  graph.add_update(step, add_op("Add", {graph.read(step), one}));
}

const Output& output_named(const Graph& model, const std::string& loss) {
  const Output* output = model.find_output(loss);
  if (output != nullptr) return *output;
  std::string names;
  for (const Output& each : model.outputs()) {
    if (!names.empty()) names += ", ";
    names += each.name;
  }
  fail(ErrorCode::missing_output, "'" + loss + "' as the loss", "the name of an output of the model",
       names.empty() ? "the model has no outputs" : "its outputs are: " + names);
}

void check_outputs(const Graph& model, const optim::Optimizer& optimizer) {
  const bool has_norm = optimizer.gradient_norm || optimizer.clip_norm > 0;
  if (!has_norm || model.find_output(optim::kGradientNorm) == nullptr) return;
  fail(ErrorCode::duplicate_name, "the output 'gradient_norm' of the model",
       "a model without it: the step has an output of that name", "rename the output of the model");
}

// The outputs of the model, the flag by which updates are committed, and the counter of random ops.
void add_check(StepGraph& step, const Graph& model, const Output& loss, const std::vector<Value>& gradients) {
  std::vector<Output> outputs;
  for (const Output& each : model.outputs()) outputs.push_back({each.name, step.remap(each.value)});
  step.graph.set_outputs(std::move(outputs));
  const Graph::ScopeGuard scope(step.graph, "check");
  const auto origin = std::make_shared<const Origin>(Origin{loss.value.node, "", Role::update});
  const Graph::OriginGuard guard(step.graph, origin);
  step.graph.set_output(std::string(kAllFinite), all_finite(step.graph, step.remap(loss.value), gradients));
  advance_counter(step.graph);
}

}  // namespace

StepGraph make_step(const Graph& model, const std::string& loss, const optim::Optimizer& optimizer,
                    optim::EmptyGroup empty) {
  optim::check_optimizer(optimizer);
  check_outputs(model, optimizer);
  const Output& output = output_named(model, loss);
  optim::Assignment assignment = optim::assign_groups(model, optimizer.groups, empty);
  Differentiated joint = differentiate(model, output.value, std::span<const VarId>(assignment.trained), Mode::train);
  StepGraph step;
  step.graph = std::move(joint.graph);
  step.remap = std::move(joint.remap);
  step.loss = step.remap(output.value);
  step.warnings = std::move(assignment.warnings);
  step.warnings.insert(step.warnings.end(), joint.warnings.begin(), joint.warnings.end());
  step.parameters = assignment.trained;
  step.micro_batches = optimizer.accumulate;
  if (step.micro_batches == 1) {
    add_check(step, model, output, joint.gradients);
    step.updates = optim::add_updates(step.graph, assignment, joint.gradients, optimizer);
    return step;
  }
  const std::vector<Value> sums = add_sums(step, joint.gradients);
  add_check(step, model, output, sums);
  if (optimizer.gradient_norm || optimizer.clip_norm > 0) add_norm_of_mean(step, sums);
  add_apply(step, assignment, sums, optimizer);
  return step;
}

Expansion make_inference(const Graph& model) { return expand(model, Mode::eval); }

}  // namespace asg::train
