#include "edit_report.h"

#include <algorithm>

namespace asg {
namespace {

void compare_types(const Node& before, const Node& after, std::vector<TypeChange>& changes) {
  const auto ports = static_cast<std::uint32_t>(std::min(before.outputs.size(), after.outputs.size()));
  for (std::uint32_t port = 0; port < ports; ++port) {
    const TensorType& old_type = before.outputs[port].type;
    const TensorType& new_type = after.outputs[port].type;
    if (old_type != new_type) changes.push_back({{after.id, port}, after.path(), old_type, new_type});
  }
}

void compare_nodes(const Graph& before, const Graph& after, EditReport& report) {
  const std::uint32_t end = std::max(before.next_node_id(), after.next_node_id()).number;
  for (NodeId id{1}; id.number < end; ++id.number) {
    if (!before.has(id)) {
      if (after.has(id)) report.added.push_back(id);
      continue;
    }
    if (!after.has(id)) {
      report.removed.push_back(id);
      continue;
    }
    const NodePtr& old_node = before.node_ptr(id);
    const NodePtr& new_node = after.node_ptr(id);
    if (old_node == new_node || *old_node == *new_node) continue;
    report.changed.push_back(id);
    compare_types(*old_node, *new_node, report.type_changes);
  }
}

VarChange compare_variables(const Graph& before, const Graph& after, VarId id) {
  if (!after.has(id)) {
    const Variable& old = before.variable(id);
    return {id, old.name, VarFate::dropped, old.type, {}};
  }
  const Variable& now = after.variable(id);
  if (!before.has(id)) return {id, now.name, VarFate::added, {}, now.type};
  const TensorType& old_type = before.variable(id).type;
  return {id, now.name, old_type == now.type ? VarFate::kept : VarFate::resized, old_type, now.type};
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string line_of(const VarChange& change) {
  std::string line = "  " + std::string(name_of(change.fate)) + " " + change.name + ": ";
  if (change.fate == VarFate::resized) {
    line += change.before.to_string() + " -> " + change.after.to_string();
    return change.policy ? line + " by " + std::string(name_of(*change.policy)) : line;
  }
  return line + (change.fate == VarFate::dropped ? change.before : change.after).to_string();
}

}  // namespace

std::string_view name_of(ResizePolicy policy) {
  switch (policy) {
    case ResizePolicy::automatic:
      return "auto";
    case ResizePolicy::fresh:
      return "fresh";
    case ResizePolicy::overlap:
      return "overlap";
    case ResizePolicy::preserve:
      return "preserve";
  }
  fail_internal("a resize policy without a name");
}

std::string_view name_of(VarFate fate) {
  switch (fate) {
    case VarFate::kept:
      return "kept";
    case VarFate::resized:
      return "resized";
    case VarFate::added:
      return "new";
    case VarFate::dropped:
      return "dropped";
  }
  fail_internal("a fate of a variable without a name");
}

EditReport report_between(const Graph& before, const Graph& after) {
  EditReport report;
  compare_nodes(before, after, report);
  const std::uint32_t end = std::max(before.next_variable_id(), after.next_variable_id()).number;
  for (VarId id{1}; id.number < end; ++id.number) {
    if (before.has(id) || after.has(id)) report.variables.push_back(compare_variables(before, after, id));
  }
  return report;
}

std::string EditReport::to_text() const {
  std::string text;
  if (!ok()) {
    text = "refused:\n";
    for (const UserError& problem : problems) text += std::string(problem.what()) + "\n";
    return text;
  }
  text = "applies: " + counted(added.size(), "node") + " added, " + std::to_string(removed.size()) + " removed, " +
         std::to_string(changed.size()) + " changed\n";
  for (const TypeChange& change : type_changes) {
    const std::string port = change.value.port == 0 ? "" : ":" + std::to_string(change.value.port);
    text +=
        "  type of " + change.path + port + ": " + change.before.to_string() + " -> " + change.after.to_string() + "\n";
  }
  const auto kept = std::count_if(variables.begin(), variables.end(),
                                  [](const VarChange& change) { return change.fate == VarFate::kept; });
  text += counted(static_cast<std::size_t>(kept), "variable") + " kept\n";
  for (const VarChange& change : variables) {
    if (change.fate != VarFate::kept) text += line_of(change) + "\n";
  }
  if (policy == ResizePolicy::preserve) text += "the outputs stay the same in eval mode\n";
  if (not_preserved) text += "policy overlap, not preserve: " + not_preserved->detail().given + "\n";
  return text;
}

}  // namespace asg
