// Commands that change what stands at a node: its op, its configuration, its constant, its variables.
#include <algorithm>
#include <set>
#include <utility>

#include "asg/graph/card.h"
#include "asg/graph/registry.h"
#include "edit_commands.h"
#include "edit_places.h"
#include "node_change.h"
#include "variables_below.h"

namespace asg {
namespace {

std::size_t slot_number(const Node& node, const std::string& slot) {
  std::string listed;
  for (std::size_t number = 0; number < node.bindings.size(); ++number) {
    if (node.bindings[number].slot == slot) return number;
    listed += (listed.empty() ? "one of " : ", ") + node.bindings[number].slot;
  }
  fail(ErrorCode::binding_mismatch, "slot '" + slot + "' of " + node.path(),
       listed.empty() ? "a node with parameters; this one has none" : listed);
}

int users_of(const Graph& graph, VarId variable) {
  int users = 0;
  for (const NodeId id : graph.node_ids()) {
    for (const Binding& binding : graph.node(id).bindings) users += binding.variable == variable ? 1 : 0;
  }
  return users;
}

bool of_all_random_ops(const Variable& variable) {
  return variable.kind == VarKind::random || variable.kind == VarKind::counter;
}

void check_sharable(const Variable& own, const Variable& other, const std::string& place) {
  if (own.type == other.type && own.kind == other.kind && !of_all_random_ops(own)) return;
  const std::string kinds = own.kind == other.kind ? "" : ", kind " + std::string(name_of(own.kind));
  fail(ErrorCode::binding_mismatch,
       "variable '" + other.name + "' of type " + other.type.to_string() + ", kind " +
           std::string(name_of(other.kind)) + " for " + place,
       of_all_random_ops(own) ? "no other variable; all random ops of a graph use this one"
                              : "a variable of type " + own.type.to_string() + kinds);
}

}  // namespace

void carry_out(WorkingGraph& graph, const edits::ReplaceOp& command) {
  const OpCard& op = Registry::global().get(command.op);
  change_at(graph, place_in(graph.now(), command.at), Replacement{&op, command.attrs, command.allow_type_change});
}

void carry_out(WorkingGraph& graph, const edits::SetConfig& command) {
  change_at(graph, place_in(graph.now(), command.at), Configuration{command.attrs});
}

void carry_out(WorkingGraph& graph, const edits::SetConstant& command) {
  change_at(graph, place_in(graph.now(), {command.node}), NewConstant{command.value});
}

void carry_out(WorkingGraph& working, const edits::Share& command) {
  Graph& graph = working.settled();
  Node node = graph.node(node_in(graph, command.node));
  Binding& binding = node.bindings[slot_number(node, command.slot)];
  const VarId variable = variable_in(graph, command.variable);
  if (binding.variable == variable) {
    fail(ErrorCode::edit_refused, "sharing slot '" + command.slot + "' of " + node.path() + " with its own variable",
         "another variable");
  }
  check_sharable(graph.variable(binding.variable), graph.variable(variable),
                 "slot '" + command.slot + "' of " + node.path());
  // A variable is read by one node: where there is one already, its users are joined to it.
  if (node.op->traits.leaf && graph.reader_of(variable)) {
    working.move_uses({node.id, 0}, {graph.reader_of(variable), 0});
    working.remove(node.id);
    return;
  }
  binding.variable = variable;
  working.put(std::move(node));
}

void carry_out(WorkingGraph& working, const edits::Unshare& command) {
  Graph& graph = working.settled();
  Node node = graph.node(node_in(graph, command.node));
  Binding& binding = node.bindings[slot_number(node, command.slot)];
  Variable own = graph.variable(binding.variable);
  if (of_all_random_ops(own) || users_of(graph, own.id) < 2) {
    fail(ErrorCode::edit_refused, "unsharing slot '" + command.slot + "' of " + node.path(),
         of_all_random_ops(own) ? "a parameter; all random ops of a graph use the variable '" + own.name + "'"
                                : "a variable that another slot uses too; '" + own.name + "' is its own already");
  }
  const std::string stem = node.op->traits.leaf ? own.name : node.path() + "." + command.slot;
  own.id = {};
  own.name = stem;
  for (int number = 2; graph.find_variable(own.name); ++number) own.name = stem + "_" + std::to_string(number);
  binding.variable = graph.add_variable(std::move(own));
  working.put(std::move(node));
}

namespace {

// A name that is neither a layer's nor a scope's was meant for a variable.
std::set<VarId> variables_of_layer(const Graph& graph, const VarRef& ref) {
  try {
    return variables_below(graph, ref.name);
  } catch (const UserError& error) {
    if (error.code() != ErrorCode::unknown_scope) throw;
    return {variable_in(graph, ref)};
  }
}

}  // namespace

// The parameters that a command means: one by its name, or all below a layer or scope. What else a layer holds, such as
// running means or the seed of random ops, is never trained and stays as it is.
void carry_out(WorkingGraph& graph, const edits::SetTrainable& command) {
  const VarRef& ref = command.variable;
  const bool is_layer = !ref.name.empty() && !graph.now().find_variable(ref.name);
  std::set<VarId> variables = is_layer ? variables_of_layer(graph.now(), ref) : std::set{variable_in(graph.now(), ref)};
  const auto is_other = [&](VarId id) { return graph.now().variable(id).kind != VarKind::parameter; };
  if (std::all_of(variables.begin(), variables.end(), is_other)) {
    const Variable& first = graph.now().variable(*variables.begin());
    const std::string given =
        is_layer ? "training of '" + ref.name + "', which holds no parameters"
                 : "training of variable '" + first.name + "' of kind " + std::string(name_of(first.kind));
    fail(ErrorCode::edit_refused, given, "a variable of kind parameter; others are never trained");
  }
  std::erase_if(variables, is_other);
  for (const VarId id : variables) {
    Variable variable = graph.now().variable(id);
    variable.trainable = command.trainable;
    graph.put(std::move(variable));
  }
}

}  // namespace asg
