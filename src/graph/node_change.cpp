#include "node_change.h"

#include <algorithm>
#include <utility>

#include "asg/graph/builder.h"
#include "asg/graph/expand.h"
#include "asg/graph/infer.h"
#include "asg/graph/reinfer.h"

namespace asg {
namespace {

[[noreturn]] void refuse_without_inputs(const Node& node, std::string_view what) {
  fail(ErrorCode::edit_refused,
       std::string(what) + " " + node.path() + " of op '" + node.op->name + "', which has no inputs",
       "a node with inputs", "use 'rewire' to join its users to another value");
}

// Keeps the variables whose slot and type agree, so that nothing learnt is lost; others go before new ones take
// their names.
void keep_fitting_bindings(Graph& graph, Node& node, const std::vector<Variable>& slots) {
  std::vector<Binding> kept;
  std::vector<VarId> lost;
  for (const Binding& binding : node.bindings) {
    const Variable& variable = graph.variable(binding.variable);
    const bool fits = std::any_of(slots.begin(), slots.end(), [&](const Variable& slot) {
      return slot.name == binding.slot && slot.type == variable.type && slot.kind == variable.kind;
    });
    if (fits) {
      kept.push_back(binding);
    } else {
      lost.push_back(binding.variable);
    }
  }
  node.bindings = std::move(kept);
  graph.put(node);
  drop_unused_variables(graph, lost);
}

void check_outputs(const WorkingGraph& graph, const Node& old, const Node& made, bool allow_type_change) {
  const auto ports = static_cast<std::uint32_t>(old.outputs.size());
  for (std::uint32_t port = 0; port < ports; ++port) {
    if (!graph.is_used({old.id, port})) continue;
    if (port >= made.outputs.size()) {
      fail(ErrorCode::edit_refused,
           "op '" + made.op->name + "', which has no output " + std::to_string(port) + ", for " + old.path(),
           "an op with all outputs that are used", "rewire the users of that output first");
    }
    const TensorType& before = old.outputs[port].type;
    const TensorType& after = made.outputs[port].type;
    if (before == after || allow_type_change) continue;
    fail(ErrorCode::output_type_changed,
         "op '" + made.op->name + "' gives " + after.to_string() + " where " + old.path() + " gave " +
             before.to_string(),
         "the same type as before", "allow the change of type, or add a conversion after it");
  }
}

void change(WorkingGraph& working, const Node& old, const Replacement& replacement) {
  if (old.op->traits.leaf) refuse_without_inputs(old, "another op in place of");
  const OpCard& op = *replacement.op;
  if (op.traits.leaf || (op.composite && !op.body)) {
    fail(ErrorCode::edit_refused, "op '" + op.name + "' in place of " + old.path(), "an op with inputs and a meaning",
         "use the commands add_input, rewire or group");
  }
  Graph& graph = working.settled();
  Node node = graph.node(old.id);
  const Node before = node;
  node.op = &op;
  node.attrs = checked_attributes(op, replacement.attrs);
  node.body = nullptr;
  if (node.name.empty() && op.composite) node.name = graph.free_name(node.scope, snake_case(op.name));
  if (!carries_stream(op)) node.stream = 0;
  if (carries_stream(op) && node.stream == 0) node.stream = stream_of_new(node.id);
  Inferred inferred = infer_node(graph, node);
  node.outputs = std::move(inferred.outputs);
  check_outputs(working, before, node, replacement.allow_type_change);
  keep_fitting_bindings(graph, node, inferred.slots);
  working.mark(node.id);
  // The outputs are new already, so that inference finds nothing to tell the users.
  const UseMap users(graph);
  for (const Use& use : users.uses(node.id)) working.mark(use.user);
}

void change(WorkingGraph& working, const Node& old, const Configuration& configuration) {
  if (old.body != nullptr && !configuration.attrs.empty()) {
    fail(ErrorCode::edit_refused, "a new configuration of " + old.path() + ", whose body was edited",
         "a layer with the body of its op '" + old.op->name + "'",
         "change the nodes inside it, or replace the layer by the same op to give it that body again");
  }
  Node node = old;
  for (const auto& [name, value] : configuration.attrs) node.attrs.set(name, value);
  node.attrs = checked_attributes(*node.op, std::move(node.attrs));
  working.put(std::move(node));
}

void change(WorkingGraph& working, const Node& old, const Passthrough& passthrough) {
  if (old.inputs.empty()) refuse_without_inputs(old, "a passage through");
  if (passthrough.keep >= old.inputs.size() || !old.inputs[passthrough.keep]) {
    fail(ErrorCode::bad_index, "input " + std::to_string(passthrough.keep) + " of " + old.path(),
         "one of its inputs that has a value, counted from 0");
  }
  for (std::uint32_t port = 1; port < old.outputs.size(); ++port) {
    if (!working.is_used({old.id, port})) continue;
    fail(ErrorCode::edit_refused,
         "a passage through " + old.path() + ", whose output " + std::to_string(port) + " is used",
         "a node of which only the first output is used", "rewire the users of the other outputs first");
  }
  const NodeId id = old.id;
  working.move_uses({id, 0}, old.inputs[passthrough.keep]);
  working.remove(id);
}

void change(WorkingGraph& working, const Node& old, const NewConstant& constant) {
  if (old.op->name != "Constant" || !old.op->traits.leaf) {
    fail(ErrorCode::edit_refused, "a new constant for " + old.path() + " of op '" + old.op->name + "'",
         "a node of op 'Constant'");
  }
  const TensorType& type = old.outputs.front().type;
  const TensorType given = {constant.value.dtype(), Shape::of(constant.value.sizes())};
  if (given != type) {
    fail(ErrorCode::type_mismatch, given.to_string() + " as the value of " + old.path(), type.to_string(),
         "to change the type as well, set the attribute 'value' with set_config");
  }
  Node node = old;
  node.attrs.set("value", constant.value);
  working.put(std::move(node));
}

void change(WorkingGraph& working, const Node& old, const NewBody& body) {
  Node node = old;
  node.body = body.body;
  working.put(std::move(node));
}

}  // namespace

void change_node(WorkingGraph& graph, NodeId id, const NodeChange& change_of) {
  const NodePtr old = graph.now().node_ptr(id);
  try {
    std::visit([&](const auto& kind) { change(graph, *old, kind); }, change_of);
  } catch (const UserError& error) {
    throw error.with_node(old->path()).with_where(old->where.to_string());
  }
}

}  // namespace asg
