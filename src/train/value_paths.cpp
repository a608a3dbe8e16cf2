#include "train/value_paths.h"

#include <charconv>

#include "asg/graph/card.h"
#include "graph/edit_places.h"
#include "graph/scopes.h"

namespace asg::train {
namespace {

struct NamedPort {
  std::string_view path;
  std::uint32_t port = 0;
};

// "block:1" → "block" and 1. A name may hold a colon itself.
NamedPort port_of(const Graph& model, std::string_view path) {
  const std::size_t colon = path.rfind(':');
  if (colon == std::string_view::npos || find_by_path(model, path)) return {path};
  NamedPort result = {path.substr(0, colon)};
  const char* end = path.data() + path.size();
  const auto [stopped, problem] = std::from_chars(path.data() + colon + 1, end, result.port);
  return problem == std::errc{} && stopped == end ? result : NamedPort{path};
}

// Goes from a node inside layers to what became of it. A layer is no node of the derived graph, so its outputs are
// followed into its body; what a body was given or bound to is followed out of it.
class WayIn {
 public:
  WayIn(const Derived& derived, const NodePlace& place)
      : derived_(derived), outermost_(place.node), levels_(levels_of(derived.model, place, derived.mode)) {}

  Value find(std::uint32_t port) {
    Value value = {node_at(levels_.size()), port};
    while (value && !levels_.empty()) {
      const Node& node = graph_at(levels_.size()).node(value.node);
      if (value.port >= node.outputs.size()) return {};
      if (node.op->name == "Input") {
        value = argument(node.id);
        levels_.pop_back();
      } else if (node.op->name == "Variable") {
        return variable(node.bindings.front().variable);
      } else if (const NodeId found = counterpart(node)) {
        return {found, value.port};
      } else if (has_body(*node.op, node.body)) {
        Body body = make_body(graph_at(levels_.size()), node, derived_.mode);
        value = body.graph.outputs()[value.port].value;
        levels_.back().node = node.id;
        levels_.push_back({std::move(body), value.node});
      } else {
        return {};
      }
    }
    const bool exists = value && value.port < derived_.model.node(value.node).outputs.size();
    return exists ? derived_.remap(value) : Value{};
  }

 private:
  // Depth 0 is the model.
  const Graph& graph_at(std::size_t depth) const { return depth == 0 ? derived_.model : levels_[depth - 1].body.graph; }
  NodeId node_at(std::size_t depth) const { return depth == 0 ? outermost_ : levels_[depth - 1].node; }
  const Node& caller() const { return graph_at(levels_.size() - 1).node(node_at(levels_.size() - 1)); }

  // What the innermost layer is given for an input of its body; absent inputs have none there.
  Value argument(NodeId input) const {
    const auto inputs = graph_at(levels_.size()).inputs();
    auto place = inputs.begin();
    for (const Value value : caller().inputs) {
      if (!value) continue;
      if (*place == input) return value;
      ++place;
    }
    return {};
  }

  Value variable(VarId id) {
    for (; !levels_.empty(); levels_.pop_back()) {
      const std::string slot = graph_at(levels_.size()).variable(id).name;
      for (const Binding& binding : caller().bindings) {
        if (binding.slot == slot) id = binding.variable;
      }
    }
    const NodeId reader = derived_.graph.reader_of(id);
    return reader ? Value{reader, 0} : Value{};
  }

  // The node that an expansion made of a plain op of the innermost body.
  NodeId counterpart(const Node& inner) const {
    std::string path;
    for (std::size_t depth = 1; depth < levels_.size(); ++depth) {
      path = joined_scope(path, graph_at(depth).node(node_at(depth)).path());
    }
    path = joined_scope(path, inner.path());
    for (const NodeId id : derived_.graph.node_ids()) {
      const Node& node = derived_.graph.node(id);
      const bool is_it = node.origin != nullptr && node.origin->node == outermost_ && node.op == inner.op &&
                         node.origin->role == Role::forward && node.origin->path == path;
      if (is_it) return id;
    }
    return {};
  }

  const Derived& derived_;
  NodeId outermost_;
  std::vector<BodyLevel> levels_;
};

}  // namespace

Value find_value(const Derived& derived, std::string_view path) {
  if (path.empty()) return {};
  check_path_length(path);
  if (const VarId id = derived.graph.find_variable(path)) {
    const NodeId reader = derived.graph.reader_of(id);
    return reader ? Value{reader, 0} : Value{};
  }
  const NamedPort named = port_of(derived.model, path);
  try {
    const NodePlace place = place_in(derived.model, {NodeRef(std::string(named.path))});
    if (const Value found = WayIn(derived, place).find(named.port)) return found;
  } catch (const UserError& error) {
    if (error.code() != ErrorCode::unknown_scope) throw;
  }
  const NodeId own = find_by_path(derived.graph, named.path);
  const bool exists = own && named.port < derived.graph.node(own).outputs.size();
  return exists ? Value{own, named.port} : Value{};
}

}  // namespace asg::train
