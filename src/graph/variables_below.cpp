#include "variables_below.h"

#include "edit_places.h"

namespace asg {
namespace {

bool stands_in(const Node& node, std::string_view scope) {
  return node.scope == scope || (node.scope.starts_with(scope) && node.scope[scope.size()] == '/');
}

void add_bound(const Node& node, std::set<VarId>& to) {
  for (const Binding& binding : node.bindings) to.insert(binding.variable);
}

// Variables of a body are the slots of the layer that has it, so each level outwards is a look at its bindings.
std::set<VarId> bound_inside(const Graph& model, const NodePlace& place) {
  const std::vector<BodyLevel> levels = levels_of(model, place);
  std::set<VarId> variables;
  const Node& innermost = levels.empty() ? model.node(place.node) : levels.back().body.graph.node(levels.back().node);
  add_bound(innermost, variables);
  for (std::size_t depth = levels.size(); depth > 0; --depth) {
    const Graph& body = levels[depth - 1].body.graph;
    const Node& layer = depth == 1 ? model.node(place.node) : levels[depth - 2].body.graph.node(levels[depth - 2].node);
    std::set<VarId> outside;
    for (const Binding& binding : layer.bindings) {
      const VarId slot = body.find_variable(binding.slot);
      if (slot && variables.contains(slot)) outside.insert(binding.variable);
    }
    variables = std::move(outside);
  }
  return variables;
}

[[noreturn]] void fail_unknown_name(const Graph& model, std::string_view path) {
  std::vector<std::string> names;
  for (const NodeId id : model.node_ids()) {
    names.push_back(model.node(id).path());
    if (!model.node(id).scope.empty()) names.push_back(model.node(id).scope);
  }
  for (const VarId id : model.variable_ids()) names.push_back(model.variable(id).name);
  const std::string near = nearest_name(path, names);
  fail(ErrorCode::unknown_scope, "'" + std::string(path) + "'", "a variable, a layer or a scope of the model",
       near.empty() ? "" : "did you mean '" + near + "'?");
}

}  // namespace

std::set<VarId> variables_below(const Graph& model, std::string_view path) {
  if (const VarId id = model.find_variable(path)) return {id};
  std::set<VarId> variables;
  bool is_scope = false;
  for (const NodeId id : model.node_ids()) {
    if (path.empty() || !stands_in(model.node(id), path)) continue;
    is_scope = true;
    add_bound(model.node(id), variables);
  }
  try {
    variables.merge(bound_inside(model, place_in(model, {NodeRef(std::string(path))})));
  } catch (const UserError& error) {
    if (error.code() != ErrorCode::unknown_scope && !path.empty()) throw;
    if (!is_scope) fail_unknown_name(model, path);
  }
  if (variables.empty()) {
    fail(ErrorCode::unknown_variable, "'" + std::string(path) + "', which holds no variables",
         "a variable, or a layer or scope that holds some");
  }
  return variables;
}

}  // namespace asg
