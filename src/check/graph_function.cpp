#include "check/graph_function.h"

#include <algorithm>

#include "asg/graph/card.h"
#include "asg/graph/expand.h"
#include "asg/graph/infer.h"
#include "asg/graph/walk.h"

namespace asg {
namespace {

constexpr auto kAbsent = static_cast<std::size_t>(-1);

bool types_are_known(const Node& node) {
  return std::all_of(node.outputs.begin(), node.outputs.end(),
                     [](const OutputInfo& output) { return output.type.shape.is_known(); });
}

bool has_subgraph(const Node& node) {
  return std::any_of(node.attrs.begin(), node.attrs.end(),
                     [](const Attrs::Entry& entry) { return entry.second.kind() == AttrKind::graph; });
}

}  // namespace

GraphFunction::GraphFunction(const Graph& graph, Mode mode) {
  Expansion expansion = expand(graph, mode, [](const Node& node) { return !node.op->kernel && node.op->body; });
  graph_ = std::move(expansion.graph);
  remap_ = std::move(expansion.remap);
  graph_.set_updates({});
  std::vector<Value> roots;
  for (const Output& output : graph_.outputs()) roots.push_back(output.value);
  const std::vector<NodeId> needed = ancestors(graph_, roots);
  std::vector<bool> is_needed(graph_.next_node_id().number, false);
  for (NodeId id : needed) is_needed[id.number] = true;
  first_slot_.assign(graph_.next_node_id().number, kAbsent);
  for (NodeId id : topological_order(graph_)) {
    if (is_needed[id.number]) add_step(graph_.node(id));
  }
  for (const Step& step : steps_) {
    if (step.constant) compute(step);
  }
}

void GraphFunction::add_step(const Node& node) {
  Step step;
  step.node = graph_.node_ptr(node.id);
  if (node.op->name == "Input") step.given = node.path();
  if (node.op->name == "Variable") step.given = graph_.variable(node.bindings.front().variable).name;
  step.constant = step.given.empty();
  step.direct = node.op->kernel && types_are_known(node) && !has_subgraph(node);
  if (step.direct) step.attrs = checked_attributes(*node.op, node.attrs);
  for (Value input : node.inputs) {
    step.inputs.push_back(input ? first_slot_[input.node.number] + input.port : kAbsent);
    if (input) step.constant = step.constant && constant_[step.inputs.back()];
  }
  step.first_output = values_.size();
  first_slot_[node.id.number] = step.first_output;
  values_.resize(values_.size() + node.outputs.size());
  constant_.resize(values_.size(), step.constant);
  steps_.push_back(std::move(step));
}

NamedArrays GraphFunction::operator()(const NamedArrays& values) {
  for (const Step& step : steps_) {
    if (step.constant) continue;
    if (step.given.empty()) {
      compute(step);
      continue;
    }
    const auto found = values.find(step.given);
    if (found == values.end()) {
      fail(ErrorCode::missing_value, "no value for '" + step.given + "'", "a value for every input and variable");
    }
    values_[step.first_output] = found->second;
  }
  NamedArrays results;
  for (const Output& output : graph_.outputs()) {
    results[output.name] = values_[first_slot_[output.value.node.number] + output.value.port];
  }
  return results;
}

Array GraphFunction::value(Value of_given_graph) const {
  const Value here = remap_(of_given_graph);
  if (!here || first_slot_[here.node.number] == kAbsent) return {};
  return values_[first_slot_[here.node.number] + here.port];
}

void GraphFunction::compute(const Step& step) {
  if (step.direct) {
    compute_by_kernel(step);
  } else {
    compute_by_interpreter(step);
  }
}

void GraphFunction::compute_by_kernel(const Step& step) {
  const OpCard& op = *step.node->op;
  KernelContext context(op, step.attrs);
  context.stream = step.node->stream;
  for (std::size_t slot : step.inputs) {
    const bool present = slot != kAbsent;
    const Array value = present ? values_[slot] : Array();
    context.present.push_back(present);
    context.input_dtypes.push_back(present ? value.dtype() : DType::f32);
    context.inputs.push_back(present ? value.cast(compute_dtype(value.dtype())).dense() : value);
  }
  for (const OutputInfo& output : step.node->outputs) {
    context.output_dtypes.push_back(output.type.dtype);
    context.outputs.emplace_back(compute_dtype(output.type.dtype), output.type.shape.sizes());
  }
  op.kernel(context);
  for (std::size_t port = 0; port < context.outputs.size(); ++port) {
    values_[step.first_output + port] = context.outputs[port].cast(context.output_dtypes[port]);
  }
}

void GraphFunction::compute_by_interpreter(const Step& step) {
  DeviceArrays inputs;
  for (std::size_t slot : step.inputs) {
    inputs.push_back(slot != kAbsent ? interpreter_.upload(values_[slot]) : DeviceArray());
  }
  const DeviceArrays outputs = interpreter_.run_op(*step.node, inputs);
  for (std::size_t port = 0; port < outputs.size(); ++port) {
    values_[step.first_output + port] = interpreter_.download(outputs[port]);
  }
}

}  // namespace asg
