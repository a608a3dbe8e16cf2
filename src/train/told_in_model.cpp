#include "train/told_in_model.h"

#include <algorithm>

#include "asg/graph/walk.h"
#include "asg/train/taps.h"
#include "graph/edit_places.h"

namespace asg::train {
namespace {

// The nodes that commands name, as far as one of the two versions has them.
class NamedNodes {
 public:
  NamedNodes(const Graph& before, const Graph& after) : before_(before), after_(after) {}

  void operator()(const edits::AddInput& /*command*/) { add_new(); }
  void operator()(const edits::AddNode& /*command*/) { add_new(); }
  void operator()(const edits::SetOutput& command) { add(command.value.node); }
  void operator()(const edits::RemoveOutput& /*command*/) {}
  void operator()(const edits::Rename& command) { add(command.node); }
  void operator()(const edits::ReplaceOp& command) { add(command.at.node); }
  void operator()(const edits::InsertBetween& command) {
    add_new();
    add(command.value.node);
  }
  void operator()(const edits::DeletePassthrough& command) { add(command.at.node); }
  void operator()(const edits::DeleteCascade& command) { add(command.node); }
  void operator()(const edits::Rewire& command) { add(command.user); }
  void operator()(const edits::SetConfig& command) { add(command.at.node); }
  void operator()(const edits::SetConstant& command) { add(command.node); }
  void operator()(const edits::Share& command) { add(command.node); }
  void operator()(const edits::Unshare& command) { add(command.node); }
  void operator()(const edits::SetTrainable& /*command*/) {}
  void operator()(const edits::Group& command) {
    for (const NodeRef& node : command.nodes) add(node);
  }
  void operator()(const edits::Ungroup& command) { add(command.node); }

  // The nearest before the node that failed, in the order of the computation; else the first.
  std::string nearest(NodeId failed) const {
    if (nodes_.empty()) return "";
    std::string found = path_of(nodes_.front());
    if (!failed) return found;
    const Value root{failed, 0};
    const std::vector<NodeId> upstream = ancestors(after_, std::span(&root, 1));
    for (const NodeId id : topological_order(after_)) {
      const bool is_named = std::find(nodes_.begin(), nodes_.end(), id) != nodes_.end();
      if (is_named && std::binary_search(upstream.begin(), upstream.end(), id)) found = path_of(id);
    }
    return found;
  }

 private:
  void add(const NodeRef& ref) {
    if (!ref) return;
    for (const Graph* graph : {&after_, &before_}) {
      try {
        nodes_.push_back(place_in(*graph, {ref}).node);
        return;
      } catch (const UserError&) {
        continue;  // the other version may have it
      }
    }
  }
  void add_new() {
    for (const NodeId id : after_.node_ids()) {
      if (!before_.has(id)) nodes_.push_back(id);
    }
  }
  std::string path_of(NodeId id) const { return (after_.has(id) ? after_ : before_).node(id).path(); }

  const Graph& before_;
  const Graph& after_;
  std::vector<NodeId> nodes_;
};

NodeId node_of_model(const Graph& model, const std::string& path) {
  try {
    return path.empty() ? NodeId{} : place_in(model, {NodeRef(path)}).node;
  } catch (const UserError&) {
    return {};
  }
}

}  // namespace

UserError told_in_model(const UserError& error, const Graph& model, const Graph& derived) {
  const NodeId id = error.detail().node.empty() ? NodeId{} : find_by_path(derived, error.detail().node);
  if (!id) return error;
  const Node& node = derived.node(id);
  ErrorDetail detail = error.detail();
  detail.node = place_in_model(model, derived, id).path;
  if (node.origin != nullptr && node.origin->role == Role::gradient) detail.given += ", in the gradient";
  if (node.origin != nullptr && node.origin->role == Role::update) detail.given += ", in the update";
  return UserError(std::move(detail));
}

UserError at_edited_node(const UserError& error, const Edit& edit, const Graph& before, const Graph& after) {
  NamedNodes named(before, after);
  for (const Command& command : edit.commands) std::visit(named, command);
  const std::string edited = named.nearest(node_of_model(after, error.detail().node));
  if (edited.empty() || error.detail().node == edited || error.detail().node.starts_with(edited + "/")) return error;
  ErrorDetail detail = error.detail();
  if (!detail.node.empty()) detail.given += ", at '" + detail.node + "'";
  if (detail.mend.empty()) {
    detail.mend = "leave this change out, or change what does not fit after it in the same edit";
  }
  detail.node = edited;
  return UserError(std::move(detail));
}

}  // namespace asg::train
