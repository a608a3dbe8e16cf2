// The building half of Graph: adding inputs, constants, variables and nodes with everything checked at once.
#include <algorithm>

#include "asg/graph/builder.h"
#include "asg/graph/expand.h"
#include "asg/graph/graph.h"
#include "asg/graph/infer.h"
#include "asg/graph/registry.h"
#include "scopes.h"

namespace asg {
std::string Graph::check_name(std::string_view scope, std::string name) const {
  const bool odd = std::any_of(name.begin(), name.end(),
                               [](char letter) { return letter == '/' || static_cast<unsigned char>(letter) < 0x20; });
  if (odd || name.empty()) {
    fail(ErrorCode::bad_name, "the name '" + name + "'", "a name of at least one character, without '/'",
         "give the scope apart: as the field 'scope' of add_node, or in C++ by Graph::ScopeGuard");
  }
  const std::string path = joined_scope(scope, name);
  if (find_node(path)) {
    fail(ErrorCode::duplicate_name, "a second node named '" + path + "'", "a name that is free in its scope",
         "choose another name, or leave it out");
  }
  return name;
}

std::string Graph::free_name(std::string_view scope, std::string_view stem) const {
  for (int number = 1;; ++number) {
    std::string name = std::string(stem) + "_" + std::to_string(number);
    if (!find_node(joined_scope(scope, name))) return name;
  }
}

Tensor Graph::input(std::string name, TensorType type, SourceLocation where) {
  if (name.empty()) fail(ErrorCode::bad_name, "an input without a name", "a name by which values are given");
  NodeSpec spec;
  spec.op = &Registry::global().get("Input");
  spec.attrs = {{"type", std::move(type)}};
  spec.name = std::move(name);
  spec.where = where;
  return tensor({add(std::move(spec)), 0});
}

Tensor Graph::constant(Array value, SourceLocation where) {
  static const OpCard& op = Registry::global().get("Constant");
  NodeSpec spec;
  spec.op = &op;
  spec.attrs.set("value", std::move(value));
  spec.where = where;
  return tensor({add(std::move(spec)), 0});
}

Tensor Graph::scalar(DType dtype, double value, SourceLocation where) {
  return constant(Array::scalar(dtype, value), where);
}

VarId Graph::add_variable(Variable variable) {
  if (variable.name.empty()) fail(ErrorCode::bad_name, "a variable without a name", "a name by which it is found");
  if (find_variable(variable.name)) {
    fail(ErrorCode::duplicate_name, "a second variable named '" + variable.name + "'",
         "a name that no other variable of the graph has",
         "to use one variable twice, read it again or bind the layer's slot to it");
  }
  check_lengths(variable.type);
  if (!variable.id) variable.id = reserve_variable_id();
  const VarId id = variable.id;
  put(std::move(variable));
  return id;
}

Tensor Graph::parameter(std::string name, TensorType type, Initializer init, SourceLocation where) {
  return read(add_variable({.id = {}, .name = std::move(name), .type = std::move(type), .init = std::move(init)}),
              where);
}

Tensor Graph::read(VarId variable_id, SourceLocation where) {
  static_cast<void>(variable(variable_id));
  if (const NodeId reader = reader_of(variable_id)) return tensor({reader, 0});
  NodeSpec spec;
  spec.op = &Registry::global().get("Variable");
  spec.bindings = {{"value", variable_id}};
  spec.where = where;
  return tensor({add(std::move(spec)), 0});
}

std::vector<Binding> Graph::bind_slots(const std::string& path, const std::vector<Variable>& slots,
                                       const std::vector<Binding>& given) {
  auto find_given = [&](const std::string& slot) {
    return std::find_if(given.begin(), given.end(), [&](const Binding& binding) { return binding.slot == slot; });
  };
  // First everything that may be refused, so that a refusal leaves no trace.
  for (const Binding& binding : given) {
    const bool exists =
        std::any_of(slots.begin(), slots.end(), [&](const Variable& s) { return s.name == binding.slot; });
    if (!exists) {
      fail(ErrorCode::binding_mismatch, "a binding of slot '" + binding.slot + "' of " + path,
           "one of the layer's slots", "`asg inspect` lists the slots of a layer");
    }
  }
  for (const Variable& slot : slots) {
    const auto bound = find_given(slot.name);
    if (bound != given.end() && variable(bound->variable).type != slot.type) {
      const Variable& other = variable(bound->variable);
      fail(ErrorCode::binding_mismatch,
           "variable '" + other.name + "' of type " + other.type.to_string() + " for slot '" + slot.name + "' of " +
               path,
           "a variable of type " + slot.type.to_string());
    }
    const bool shared = slot.kind == VarKind::random || slot.kind == VarKind::counter;
    if (bound == given.end() && !shared && find_variable(path + "." + slot.name)) {
      fail(ErrorCode::duplicate_name, "a second variable named '" + path + "." + slot.name + "'",
           "a name that no other variable of the graph has", "give the layer another name");
    }
  }
  std::vector<Binding> bindings;
  for (const Variable& slot : slots) {
    const auto bound = find_given(slot.name);
    VarId id;
    if (bound != given.end()) {
      id = bound->variable;
    } else {
      const bool shared = slot.kind == VarKind::random || slot.kind == VarKind::counter;
      if (shared) id = find_variable(slot.name);
      if (!id) {
        Variable made = slot;
        made.id = {};
        if (!shared) made.name = path + "." + slot.name;
        id = add_variable(std::move(made));
      }
    }
    bindings.push_back({slot.name, id});
  }
  return bindings;
}

NodeId Graph::add(NodeSpec spec) {
  internal_check(spec.op != nullptr, "a node without an op");
  const OpCard& op = *spec.op;
  Node node;
  node.op = spec.op;
  node.scope = joined_scope(scope_, spec.scope);
  node.where = spec.where;
  node.origin = spec.origin ? std::move(spec.origin) : origin_;
  while (!spec.inputs.empty() && !spec.inputs.back()) spec.inputs.pop_back();
  node.inputs = std::move(spec.inputs);
  node.body = std::move(spec.body);
  node.id = next_node_id();
  Inferred inferred;
  try {
    if (!spec.name.empty()) node.name = check_name(node.scope, std::move(spec.name));
    // Parameters are named after their layer, so a layer always has a name.
    if (node.name.empty() && op.composite) node.name = free_name(node.scope, snake_case(op.name));
    node.attrs = checked_attributes(op, std::move(spec.attrs));
    if (op.traits.leaf) node.bindings = spec.bindings;
    inferred = infer_node(*this, node);
    if (!op.traits.leaf) node.bindings = bind_slots(node.path(), inferred.slots, spec.bindings);
  } catch (const UserError& error) {
    throw error.with_node(node.path()).with_where(node.where.to_string());
  }
  node.outputs = std::move(inferred.outputs);
  node.stream = spec.stream;
  if (node.stream == 0 && carries_stream(op)) node.stream = stream_of_new(node.id);
  const NodeId id = node.id;
  const bool is_input = op.traits.leaf && op.name == "Input";
  put(std::move(node));
  if (is_input) inputs_.push_back(id);
  return id;
}

std::vector<Tensor> Graph::add_outputs(NodeSpec spec) {
  const NodeId id = add(std::move(spec));
  std::vector<Tensor> outputs;
  const auto count = static_cast<std::uint32_t>(node(id).outputs.size());
  for (std::uint32_t port = 0; port < count; ++port) outputs.push_back(tensor({id, port}));
  return outputs;
}

void Graph::set_output(std::string name, const Tensor& value) {
  if (name.empty()) fail(ErrorCode::bad_name, "an output without a name", "a name by which the result is found");
  if (&value.graph() != this) {
    fail(ErrorCode::foreign_tensor, "a tensor of graph '" + value.graph().name() + "' as output '" + name + "'",
         "a tensor of graph '" + name_ + "'");
  }
  static_cast<void>(info(value.value()));
  for (Output& output : outputs_) {
    if (output.name != name) continue;
    output.value = value.value();
    return;
  }
  outputs_.push_back({std::move(name), value.value()});
}

void Graph::add_update(VarId variable_id, const Tensor& value) {
  const Variable& updated = variable(variable_id);
  if (&value.graph() != this) {
    fail(ErrorCode::foreign_tensor,
         "a tensor of graph '" + value.graph().name() + "' as update of '" + updated.name + "'",
         "a tensor of graph '" + name_ + "'");
  }
  if (value.type() != updated.type) {
    fail(ErrorCode::type_mismatch, value.type().to_string() + " as new value of variable '" + updated.name + "'",
         updated.type.to_string(), "cast or reshape the value to the variable's type");
  }
  for (Update& update : updates_) {
    if (update.variable != variable_id) continue;
    update.value = value.value();
    return;
  }
  updates_.push_back({variable_id, value.value()});
}

void Graph::rename(NodeId id, std::string name) {
  Node renamed = node(id);
  if (renamed.name == name) return;
  const std::string old_path = renamed.path();
  renamed.name = name.empty() && !renamed.op->composite ? "" : check_name(renamed.scope, std::move(name));
  const std::string new_path = renamed.path();
  std::vector<Variable> followers;
  for (const Binding& binding : renamed.bindings) {
    Variable owned = variable(binding.variable);
    if (owned.name != old_path + "." + binding.slot) continue;
    owned.name = new_path + "." + binding.slot;
    if (find_variable(owned.name)) {
      fail(ErrorCode::duplicate_name, "a second variable named '" + owned.name + "'",
           "a name that no other variable of the graph has", "choose another name for the layer");
    }
    followers.push_back(std::move(owned));
  }
  for (Variable& follower : followers) put(std::move(follower));
  put(std::move(renamed));
}

}  // namespace asg
