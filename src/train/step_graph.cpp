#include "asg/train/step_graph.h"

#include "asg/autograd/gradients.h"
#include "asg/compile/executable.h"
#include "asg/graph/card.h"

namespace asg::train {
namespace {

std::vector<VarId> trained_parameters(const Graph& model) {
  std::vector<VarId> result;
  for (VarId id : model.variable_ids()) {
    const Variable& variable = model.variable(id);
    if (variable.kind == VarKind::parameter && variable.trainable) result.push_back(id);
  }
  return result;
}

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

}  // namespace

StepGraph make_step(const Graph& model, const std::string& loss, const optim::Optimizer& optimizer) {
  const Output* output = model.find_output(loss);
  if (output == nullptr) {
    std::string names;
    for (const Output& each : model.outputs()) names += (names.empty() ? "" : ", ") + each.name;
    fail(ErrorCode::missing_output, "'" + loss + "' as the loss", "the name of an output of the model",
         names.empty() ? "the model has no outputs" : "its outputs are: " + names);
  }
  StepGraph step;
  step.parameters = trained_parameters(model);
  Differentiated joint = differentiate(model, output->value, std::span<const VarId>(step.parameters), Mode::train);
  step.graph = std::move(joint.graph);
  step.remap = std::move(joint.remap);
  step.warnings = std::move(joint.warnings);

  std::vector<Output> outputs;
  for (const Output& each : model.outputs()) outputs.push_back({each.name, step.remap(each.value)});
  step.graph.set_outputs(std::move(outputs));
  {
    const Graph::ScopeGuard scope(step.graph, "check");
    const auto origin = std::make_shared<const Origin>(Origin{output->value.node, "", Role::update});
    const Graph::OriginGuard guard(step.graph, origin);
    step.graph.set_output(std::string(kAllFinite), all_finite(step.graph, step.remap(output->value), joint.gradients));
    advance_counter(step.graph);
  }
  step.updates = optim::add_updates(step.graph, step.parameters, joint.gradients, optimizer);
  return step;
}

Expansion make_inference(const Graph& model) { return expand(model, Mode::eval); }

}  // namespace asg::train
