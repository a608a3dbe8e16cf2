#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/body.h"
#include "asg/graph/graph.h"
#include "asg/graph/refs.h"

// From the names that commands use to what they name in a graph. All throw UserError with the nearest names.
namespace asg {

// Of a path that is looked up. Throws limit_exceeded beyond it.
inline constexpr std::size_t kLongestPath = 4096;
void check_path_length(std::string_view path);

// The lengths of the beginnings of a path ("a/b/c", "a/b", "a") that may be names of at most `longest` characters, the
// longest first. However long the path is, no more of it is looked at.
std::vector<std::size_t> beginnings_of(std::string_view path, std::size_t longest);

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
