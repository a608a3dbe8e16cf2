#include "backend/default_executable.h"

#include <algorithm>

#include "asg/backend/walk.h"
#include "backend/value_checks.h"

namespace asg {
namespace {

bool is_mixed(const Graph& graph, const Capabilities& device) {
  const auto ids = graph.node_ids();
  return std::any_of(ids.begin(), ids.end(), [&](NodeId id) {
    const OpCard& op = *graph.node(id).op;
    return op.name == "Carrier" || !device.supports(op);
  });
}

}  // namespace

DefaultExecutable::DefaultExecutable(Backend& backend, Graph graph)
    : backend_(backend), graph_(std::move(graph)), mixed_(is_mixed(graph_, backend.capabilities())) {
  check_names(graph_);
}

void DefaultExecutable::write(VarId variable, const Array& value) {
  const Variable& slot = graph_.variable(variable);
  const DeviceArray uploaded = backend_.upload(value);
  check_type(slot.type, uploaded, "variable '" + slot.name + "'");
  variables_->insert_or_assign(variable, uploaded);
}

Array DefaultExecutable::read(VarId variable) const {
  const Variable& slot = graph_.variable(variable);
  const auto value = variables_->find(variable);
  if (value == variables_->end()) fail_missing_variable(slot);
  return backend_.download(value->second);
}

bool DefaultExecutable::share_variables(Executable& other) {
  auto* shared = dynamic_cast<DefaultExecutable*>(&other);
  if (shared == nullptr || &shared->backend_ != &backend_) return false;
  for (const VarId id : graph_.variable_ids()) {
    if (!shared->graph_.has(id) || shared->graph_.variable(id).type != graph_.variable(id).type) return false;
  }
  variables_ = shared->variables_;
  return true;
}

NamedDeviceArrays DefaultExecutable::execute(const NamedDeviceArrays& inputs) {
  return mixed_ ? walk_graph(backend_, graph_, inputs) : backend_.execute(graph_, inputs);
}

void DefaultExecutable::commit(NamedDeviceArrays& values) {
  // First everything is looked at, so that all variables change or none.
  for (const Update& update : graph_.updates()) {
    const Variable& slot = graph_.variable(update.variable);
    check_type(slot.type, values.at(update_name(slot)), "the update of variable '" + slot.name + "'");
  }
  for (const Update& update : graph_.updates()) {
    variables_->insert_or_assign(update.variable, std::move(values.at(update_name(graph_.variable(update.variable)))));
  }
}

StepResult DefaultExecutable::run(const NamedArrays& inputs) {
  NamedDeviceArrays values = backend_.upload_all(inputs);
  for (const auto& [variable, value] : *variables_) {
    if (graph_.has(variable)) values[graph_.variable(variable).name] = value;
  }
  values = execute(values);
  check_outputs(backend_, graph_, values);

  StepResult result;
  for (const Output& output : graph_.outputs()) {
    result.outputs[output.name] = backend_.download(values.at(output.name));
  }
  const auto finite = result.outputs.find(kAllFinite);
  result.committed = finite == result.outputs.end() || finite->second.count() == 0 || finite->second.get(0) != 0;
  if (result.committed) commit(values);
  return result;
}

}  // namespace asg
