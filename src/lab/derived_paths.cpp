#include "lab/derived_paths.h"

#include "asg/graph/card.h"
#include "asg/graph/walk.h"
#include "lab/sheet.h"

namespace asg::lab {

Origins::Origins(const Graph& model) : model_(model) {
  paths_.resize(model.next_node_id().number);
  computes_loss_.resize(paths_.size());
  for (const NodeId id : model.node_ids()) {
    paths_[id.number] = model.node(id).path();
    computes_loss_[id.number] = model.node(id).op->category == Category::loss;
  }
}

std::string Origins::path(const Node& node) const {
  if (node.origin == nullptr || !model_.has(node.origin->node)) return "";
  return joined_path(paths_[node.origin->node.number], node.origin->path);
}

Role Origins::role(const Node& node) const {
  if (node.origin == nullptr) {
    if (node.scope.starts_with("gradient")) return Role::gradient;
    return node.scope.starts_with("optimizer") || node.scope.starts_with("check") ? Role::update : Role::forward;
  }
  const bool in_loss = model_.has(node.origin->node) && computes_loss_[node.origin->node.number];
  return node.origin->role == Role::forward && in_loss ? Role::loss : node.origin->role;
}

bool Origins::checks(const Node& node) const { return role(node) == Role::update && node.scope.starts_with("check"); }

void Origins::sort_check(const Graph& derived) {
  checked_.assign(derived.next_node_id().number, "");
  for (const NodeId id : topological_order(derived)) {
    const Node& node = derived.node(id);
    if (!checks(node)) continue;
    // Of "all so far and this one" the last input tells; a constant tells nothing and follows its user.
    for (auto input = node.inputs.rbegin(); input != node.inputs.rend() && checked_[id.number].empty(); ++input) {
      if (!*input) continue;
      const Node& maker = derived.node(input->node);
      checked_[id.number] = checks(maker) ? checked_[maker.id.number] : layer_scope(maker);
    }
    for (const Value input : node.inputs) {
      if (!input || !derived.node(input.node).op->traits.leaf || !checks(derived.node(input.node))) continue;
      if (checked_[input.node.number].empty()) checked_[input.node.number] = checked_[id.number];
    }
  }
}

std::string Origins::layer_scope(const Node& node) const {
  if (checks(node)) return node.id.number < checked_.size() ? joined_path("check", checked_[node.id.number]) : "check";
  std::string origin = path(node);
  if (origin.empty()) return "";
  return node.origin->path.empty() ? origin : std::string(parent_path(origin));
}

std::string_view folder_of(Role role) { return role == Role::loss ? name_of(Role::forward) : name_of(role); }

void UniquePaths::gather_scopes() {
  for (const std::string& path : paths_) {
    std::string_view scope = scope_around(path);
    while (!scope.empty() && scopes_.emplace(scope).second) scope = parent_path(scope);
  }
}

std::string UniquePaths::take(std::size_t number, const std::string& label) {
  std::string path = std::move(paths_[number]);
  if (scopes_.contains(path)) path += "/" + label;
  if (!taken_.insert(path).second) {
    path += "#" + std::to_string(number);
    taken_.insert(path);
  }
  return path;
}

}  // namespace asg::lab
