#include "checks.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "asg/graph/card.h"
#include "asg/graph/walk.h"

namespace asg {
namespace {

bool has_control_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char letter) { return static_cast<unsigned char>(letter) < 0x20; });
}

std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace

bool is_input(const Node& node) { return node.op->traits.leaf && node.op->name == "Input"; }

GraphChecks::GraphChecks(const Graph& graph, Report report, Accept accept)
    : graph_(graph), report_(std::move(report)), accept_(std::move(accept)) {}

void GraphChecks::visit(NodeId id) {
  const Node& node = graph_.node(id);
  const bool variables_exist = std::all_of(node.bindings.begin(), node.bindings.end(),
                                           [this](const Binding& binding) { return graph_.has(binding.variable); });
  if (!sound_ || !variables_exist || !is_ready(node)) return;
  check_node(node);
  if (sound_) check_type(node);
}

void GraphChecks::run() {
  check_variables();
  typed_.resize(graph_.next_node_id().number, false);
  bool waiting = false;
  for (std::uint32_t number = 1; number < typed_.size(); ++number) {
    if (typed_[number] || !graph_.has(NodeId{number})) continue;
    const Node& node = graph_.node(NodeId{number});
    check_node(node);
    if (sound_ && is_ready(node)) {
      check_type(node);
    } else {
      waiting = true;
    }
  }
  check_inputs();
  check_outputs();
  check_updates();
  if (!sound_) return;
  if (waiting) check_waiting();
  if (sound_) check_result_types();
}

bool GraphChecks::is_ready(const Node& node) const {
  return std::all_of(node.inputs.begin(), node.inputs.end(), [this](Value input) {
    return !input || (input.node.number < typed_.size() && typed_[input.node.number]);
  });
}

void GraphChecks::report(List list, std::uint32_t number, ErrorCode code, std::string given, std::string needed,
                         std::string mend) {
  sound_ = false;
  report_({list, number}, UserError({code, std::move(given), std::move(needed), std::move(mend), "", ""}));
}

void GraphChecks::report(const Node& node, ErrorCode code, std::string given, std::string needed, std::string mend) {
  sound_ = false;
  report_({List::nodes, node.id.number},
          UserError({code, std::move(given), std::move(needed), std::move(mend), node.path(), node.where.to_string()}));
}

void GraphChecks::check_variables() {
  for (const VarId id : graph_.variable_ids()) {
    const Variable& variable = graph_.variable(id);
    if (variable.name.empty() || has_control_characters(variable.name)) {
      report(List::variables, id.number, ErrorCode::bad_name, "a variable named " + in_quotes(variable.name),
             "a name of at least one character, without control characters");
    } else if (graph_.find_variable(variable.name) != id) {
      report(List::variables, id.number, ErrorCode::duplicate_name, "two variables named " + in_quotes(variable.name),
             "a name that no other variable of the graph has");
    }
  }
}

void GraphChecks::check_node(const Node& node) {
  if (has_control_characters(node.name) || has_control_characters(node.scope) ||
      node.name.find('/') != std::string::npos) {
    report(node, ErrorCode::bad_name, "the name " + in_quotes(node.name) + " in scope " + in_quotes(node.scope),
           "names without control characters and without '/'; parts of a scope are divided by '/'");
  } else if (!node.name.empty() && graph_.find_node(node.path()) != node.id) {
    report(node, ErrorCode::duplicate_name, "two nodes named " + in_quotes(node.path()),
           "a name that is free in its scope");
  }
  for (const Value input : node.inputs) {
    if (!input || graph_.has(input.node)) continue;
    report(node, ErrorCode::dangling_value, "an input from node " + std::to_string(input.node.number),
           "the id of a node that the graph holds");
  }
  if (!node.inputs.empty() && !node.inputs.back()) {
    report(node, ErrorCode::missing_input, "an absent input at the end", "no more inputs than are given",
           "leave absent inputs at the end out");
  }
  if (node.op->needs_stream() && node.stream == 0) {
    report(node, ErrorCode::missing_attribute, "op " + in_quotes(node.op->name) + " without a random stream",
           "a stream other than 0, fixed when the node is made");
  }
  if (is_input(node)) ++input_nodes_;
  if (node.op->traits.leaf || !node.bindings.empty()) check_bindings(node);
  if (node.body != nullptr || !node.attrs.empty()) check_inside(node);
}

void GraphChecks::check_bindings(const Node& node) {
  for (const Binding& binding : node.bindings) {
    if (graph_.has(binding.variable)) continue;
    report(node, ErrorCode::unknown_variable,
           "variable " + std::to_string(binding.variable.number) + " for slot " + in_quotes(binding.slot),
           "the id of a variable that the graph holds");
  }
  if (!node.op->traits.leaf) return;  // a layer's slots are known only when its types are
  const bool reads = node.op->name == "Variable";
  const bool fits = reads ? node.bindings.size() == 1 && node.bindings.front().slot == "value" : node.bindings.empty();
  if (fits) return;
  report(node, ErrorCode::binding_mismatch,
         std::to_string(node.bindings.size()) + " bindings of op " + in_quotes(node.op->name),
         reads ? "one binding, of slot 'value'" : "no bindings");
}

// What a node holds besides attributes of plain values: a body of its own, subgraphs.
void GraphChecks::check_inside(const Node& node) {
  bool holds = node.body != nullptr;
  if (node.body != nullptr) {
    if (!node.op->composite) {
      report(node, ErrorCode::not_expandable, "a body of its own for op " + in_quotes(node.op->name),
             "a layer or a block; only these have bodies of their own");
    }
    const std::size_t ports = node.op->outputs.size();
    const bool variadic = node.op->outputs.back().kind == PortKind::variadic;
    const std::size_t given = node.body->outputs().size();
    if (variadic ? given + 1 < ports : given != ports) {
      report(node, ErrorCode::wrong_input_count, "a body with " + std::to_string(given) + " outputs",
             (variadic ? "at least " : "") + std::to_string(variadic ? ports - 1 : ports) + " outputs, as op " +
                 in_quotes(node.op->name) + " has");
    }
  }
  for (const auto& [name, attr] : node.attrs) {
    if (attr.kind() != AttrKind::graph) continue;
    holds = true;
    if (attr.as_graph() == nullptr) {
      report(node, ErrorCode::bad_attribute, "no graph in attribute " + in_quotes(name), "a graph");
    } else if (!attr.as_graph()->variable_ids().empty() || !attr.as_graph()->updates().empty()) {
      report(node, ErrorCode::capture_mismatch, "a subgraph " + in_quotes(name) + " with variables of its own",
             "a closed subgraph: what it reads comes in through its inputs", "pass the variable's value as an input");
    }
  }
  if (holds) holders_.push_back(node.id);
}

void GraphChecks::check_inputs() {
  std::unordered_set<std::string_view> names;
  std::vector<bool> listed(graph_.next_node_id().number, false);
  for (std::uint32_t index = 0; index < graph_.inputs().size(); ++index) {
    const NodeId id = graph_.inputs()[index];
    if (!graph_.has(id) || !is_input(graph_.node(id)) || listed[id.number]) {
      report(List::inputs, index, ErrorCode::unknown_node, "node " + std::to_string(id.number) + " as an input",
             "the id of a node of op 'Input', listed once");
      continue;
    }
    listed[id.number] = true;
    const Node& node = graph_.node(id);
    if (node.name.empty()) {
      report(node, ErrorCode::bad_name, "an input without a name", "a name by which values are given");
    } else if (!names.insert(node.name).second) {
      report(node, ErrorCode::duplicate_name, "two inputs named " + in_quotes(node.name), "a name of its own for each");
    }
  }
  if (input_nodes_ == graph_.inputs().size()) return;
  for (std::uint32_t number = 1; number < listed.size(); ++number) {
    if (listed[number] || !graph_.has(NodeId{number})) continue;
    const Node& node = graph_.node(NodeId{number});
    if (!is_input(node)) continue;
    report(node, ErrorCode::missing_input, "a node of op 'Input' that is not among the inputs of the graph",
           "every one of them in the list of inputs");
  }
}

void GraphChecks::check_outputs() {
  std::unordered_set<std::string_view> names;
  for (std::uint32_t index = 0; index < graph_.outputs().size(); ++index) {
    const Output& output = graph_.outputs()[index];
    if (output.name.empty()) {
      report(List::outputs, index, ErrorCode::bad_name, "an output without a name",
             "a name by which the result is found");
    } else if (!names.insert(output.name).second) {
      report(List::outputs, index, ErrorCode::duplicate_name, "two outputs named " + in_quotes(output.name),
             "a name of its own for each");
    }
    if (graph_.has(output.value.node)) continue;
    report(List::outputs, index, ErrorCode::dangling_value,
           "node " + std::to_string(output.value.node.number) + " as output " + in_quotes(output.name),
           "the id of a node that the graph holds");
  }
}

void GraphChecks::check_updates() {
  std::unordered_set<VarId> updated;
  for (std::uint32_t index = 0; index < graph_.updates().size(); ++index) {
    const auto& [variable, value] = graph_.updates()[index];
    const std::string number = std::to_string(variable.number);
    if (!graph_.has(variable)) {
      report(List::updates, index, ErrorCode::unknown_variable, "an update of variable " + number,
             "the id of a variable that the graph holds");
    } else if (!updated.insert(variable).second) {
      report(List::updates, index, ErrorCode::duplicate_name, "two updates of variable " + number,
             "at most one update of each variable");
    }
    if (graph_.has(value.node)) continue;
    report(List::updates, index, ErrorCode::dangling_value,
           "node " + std::to_string(value.node.number) + " as the new value of variable " + number,
           "the id of a node that the graph holds");
  }
}

// The nodes that stand before one of their inputs, and those after them.
void GraphChecks::check_waiting() {
  std::vector<NodeId> order;
  try {
    order = topological_order(graph_);
  } catch (const UserError& error) {
    sound_ = false;
    return report_({}, error);
  }
  for (const NodeId id : order) {
    if (!typed_[id.number]) check_type(graph_.node(id));
  }
}

void GraphChecks::check_type(const Node& node) {
  if (typed_.size() <= node.id.number) typed_.resize(std::size_t{node.id.number} + 1, false);
  typed_[node.id.number] = true;
  infer_type(node);
  sound_ = true;  // a wrong type is no reason not to look at the others
}

void GraphChecks::infer_type(const Node& node) {
  if (!check_ports(node)) return;
  Inferred inferred;
  try {
    inferred = infer_node(graph_, node);
    accept_(node, inferred);
  } catch (const UserError& error) {
    return report_({List::nodes, node.id.number}, error.with_node(node.path()));
  }
  if (!node.op->traits.leaf) check_slots(node, inferred.slots);
}

bool GraphChecks::check_ports(const Node& node) {
  bool good = true;
  for (const Value input : node.inputs) {
    if (!input || input.port < graph_.node(input.node).outputs.size()) continue;
    good = false;
    const Node& producer = graph_.node(input.node);
    report(node, ErrorCode::dangling_value,
           "an input from output " + std::to_string(input.port) + " of " + producer.path(),
           "one of its " + std::to_string(producer.outputs.size()) + " outputs, counted from 0");
  }
  return good;
}

void GraphChecks::check_slots(const Node& node, const std::vector<Variable>& slots) {
  const bool same_names =
      std::equal(slots.begin(), slots.end(), node.bindings.begin(), node.bindings.end(),
                 [](const Variable& slot, const Binding& binding) { return slot.name == binding.slot; });
  if (!same_names) {
    std::string given, needed;
    for (const Binding& binding : node.bindings) given += (given.empty() ? "" : ", ") + binding.slot;
    for (const Variable& slot : slots) needed += (needed.empty() ? "" : ", ") + slot.name;
    return report(node, ErrorCode::binding_mismatch, "bindings of the slots [" + given + "]",
                  "one for each of the slots [" + needed + "], in this order");
  }
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const Variable& variable = graph_.variable(node.bindings[k].variable);
    if (variable.type == slots[k].type) continue;
    report(node, ErrorCode::binding_mismatch,
           "variable " + in_quotes(variable.name) + " of type " + variable.type.to_string() + " for slot " +
               in_quotes(slots[k].name),
           "a variable of type " + slots[k].type.to_string());
  }
}

void GraphChecks::check_result_types() {
  const auto port_exists = [this](Value value) { return value.port < graph_.node(value.node).outputs.size(); };
  for (std::uint32_t index = 0; index < graph_.outputs().size(); ++index) {
    const Output& output = graph_.outputs()[index];
    if (port_exists(output.value)) continue;
    report(List::outputs, index, ErrorCode::dangling_value,
           "output " + std::to_string(output.value.port) + " of " + graph_.node(output.value.node).path() +
               " as output " + in_quotes(output.name),
           "one of the node's outputs, counted from 0");
  }
  for (std::uint32_t index = 0; index < graph_.updates().size(); ++index) {
    const auto& [id, value] = graph_.updates()[index];
    const Variable& variable = graph_.variable(id);
    if (!port_exists(value)) {
      report(List::updates, index, ErrorCode::dangling_value,
             "output " + std::to_string(value.port) + " of " + graph_.node(value.node).path() +
                 " as the new value of variable " + in_quotes(variable.name),
             "one of the node's outputs, counted from 0");
    } else if (graph_.type(value) != variable.type) {
      report(List::updates, index, ErrorCode::type_mismatch,
             "a new value of type " + graph_.type(value).to_string() + " for variable " + in_quotes(variable.name),
             "a value of its type " + variable.type.to_string());
    }
  }
}

}  // namespace asg
