#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/body.h"
#include "asg/graph/graph.h"
#include "asg/graph/refs.h"

// From the names that commands use to what they name in a graph. All throw UserError with the nearest names.
namespace asg {

// By path: a name with its scope, or "Add#17" for a node without a name. None when there is no such node.
NodeId find_by_path(const Graph& graph, std::string_view path);

NodeId node_in(const Graph& graph, const NodeRef& ref);
Value value_in(const Graph& graph, const ValueRef& ref);  // absent stays absent; throws bad_index
Value given_value_in(const Graph& graph, const ValueRef& ref, std::string_view what);  // must not be absent
VarId variable_in(const Graph& graph, const VarRef& ref);

// A node of the model, and the way from it to one inside: "feed_forward/activation", or "".
struct NodePlace {
  NodeId node;
  std::string inside;
};
NodePlace place_in(const Graph& graph, const NodePath& at);

// One level of a way into layers: a body, and the node of it that the way goes through.
struct BodyLevel {
  Body body;
  NodeId node;
};
// The levels from the outermost body in; the last node is the one that is meant.
std::vector<BodyLevel> levels_of(const Graph& graph, const NodePlace& place, Mode mode = Mode::train);

}  // namespace asg
