#include "edit_places.h"

#include <algorithm>
#include <charconv>

#include "asg/graph/card.h"

namespace asg {
namespace {

std::string place_in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

// Labels for a message: as many as people can read.
std::string labels_of(const Graph& graph) {
  constexpr std::size_t kMostListed = 12;
  std::string text;
  std::size_t listed = 0;
  for (const NodeId id : graph.node_ids()) {
    const Node& node = graph.node(id);
    if (node.op->traits.leaf) continue;
    if (listed++ == kMostListed) return text + ", ...";
    text += (text.empty() ? "" : ", ") + node.path();
  }
  return text.empty() ? "nothing" : text;
}

// The nearest path to all of `path`, or to what it begins with: its end may lead inside. `before` is what a hint puts
// before it.
std::string nearest_path(const Graph& graph, std::string_view path, const std::string& before = "") {
  constexpr int kMostBeginnings = 4;
  std::vector<std::string> paths;
  for (const NodeId id : graph.node_ids()) paths.push_back(graph.node(id).path());
  for (int beginning = 0; beginning < kMostBeginnings && !path.empty(); ++beginning) {
    const std::string nearest = nearest_name(path, paths);
    if (!nearest.empty()) return std::string("did you mean '").append(before).append(nearest).append("'?");
    const std::size_t end = path.rfind('/');
    path = path.substr(0, end == std::string_view::npos ? 0 : end);
  }
  return "";
}

// At least as long as the path of any node.
std::size_t longest_path(const Graph& graph) {
  constexpr std::size_t kSlashAndNumber = 12;  // "/" and "#4294967295"
  std::size_t longest = 0;
  for (const NodeId id : graph.node_ids()) {
    const Node& node = graph.node(id);
    longest = std::max(longest, node.scope.size() + std::max(node.name.size(), node.op->name.size()) + kSlashAndNumber);
  }
  return longest;
}

// The longest beginning of `path` that names a node; its length in `used`.
NodeId find_longest(const Graph& graph, std::string_view path, std::size_t& used) {
  used = path.size();
  if (const NodeId id = find_by_path(graph, path)) return id;
  check_path_length(path);
  for (const std::size_t length : beginnings_of(path, longest_path(graph))) {
    used = length;
    if (const NodeId id = find_by_path(graph, path.substr(0, length))) return id;
  }
  return {};
}

std::string rest_after(std::string_view path, std::size_t used) {
  return used >= path.size() ? "" : std::string(path.substr(used + 1));
}

[[noreturn]] void unknown_path(const Graph& graph, std::string_view path) {
  fail(ErrorCode::unknown_scope, "the path " + place_in_quotes(path),
       "the path of a node of graph " + place_in_quotes(graph.name()), nearest_path(graph, path));
}

}  // namespace

void check_path_length(std::string_view path) {
  if (path.size() <= kLongestPath) return;
  fail(ErrorCode::limit_exceeded, "a path of " + std::to_string(path.size()) + " characters",
       "at most " + std::to_string(kLongestPath) + " characters",
       "give the path of a node, such as 'block_0/attention'");
}

std::vector<std::size_t> beginnings_of(std::string_view path, std::size_t longest) {
  std::vector<std::size_t> lengths;
  for (std::size_t at = 1; at < std::min(path.size(), longest + 1); ++at) {
    if (path[at] == '/') lengths.push_back(at);
  }
  if (!path.empty() && path.size() <= longest) lengths.push_back(path.size());
  std::reverse(lengths.begin(), lengths.end());
  return lengths;
}

NodeId find_by_path(const Graph& graph, std::string_view path) {
  if (const NodeId named = graph.find_node(path)) return named;
  const auto mark = path.rfind('#');
  if (mark == std::string_view::npos) return {};
  NodeId id;
  const char* end = path.data() + path.size();
  const auto [stopped, problem] = std::from_chars(path.data() + mark + 1, end, id.number);
  if (problem != std::errc{} || stopped != end) return {};
  return graph.has(id) && graph.node(id).path() == path ? id : NodeId{};
}

NodeId node_in(const Graph& graph, const NodeRef& ref) {
  if (ref.path.empty()) {
    static_cast<void>(graph.node(ref.id));
    return ref.id;
  }
  if (const NodeId id = find_by_path(graph, ref.path)) return id;
  check_path_length(ref.path);
  unknown_path(graph, ref.path);
}

Value value_in(const Graph& graph, const ValueRef& ref) {
  if (!ref) return {};
  const Value value = {node_in(graph, ref.node), ref.port};
  static_cast<void>(graph.info(value));
  return value;
}

Value given_value_in(const Graph& graph, const ValueRef& ref, std::string_view what) {
  if (!ref) fail(ErrorCode::missing_input, "no value for " + std::string(what), "a value of the graph");
  return value_in(graph, ref);
}

VarId variable_in(const Graph& graph, const VarRef& ref) {
  if (ref.name.empty()) {
    static_cast<void>(graph.variable(ref.id));
    return ref.id;
  }
  if (const VarId id = graph.find_variable(ref.name)) return id;
  std::vector<std::string> names;
  for (const VarId id : graph.variable_ids()) names.push_back(graph.variable(id).name);
  const std::string nearest = nearest_name(ref.name, names);
  fail(ErrorCode::unknown_variable, "variable " + place_in_quotes(ref.name),
       "the name of a variable of graph " + place_in_quotes(graph.name()),
       nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

NodePlace place_in(const Graph& graph, const NodePath& at) {
  NodePlace place;
  if (at.node.path.empty()) {
    place.node = node_in(graph, at.node);
  } else {
    std::size_t used = 0;
    place.node = find_longest(graph, at.node.path, used);
    if (!place.node) unknown_path(graph, at.node.path);
    place.inside = rest_after(at.node.path, used);
  }
  for (const std::string& label : at.inside) place.inside += (place.inside.empty() ? "" : "/") + label;
  return place;
}

std::vector<BodyLevel> levels_of(const Graph& graph, const NodePlace& place, Mode mode) {
  std::vector<BodyLevel> levels;
  std::string outside = graph.node(place.node).path();
  std::string rest = place.inside;
  const Graph* around = &graph;
  NodeId node = place.node;
  while (!rest.empty()) {
    const Node& layer = around->node(node);
    if (!layer.op->composite) {
      fail(ErrorCode::unknown_scope, place_in_quotes(rest) + " inside " + outside,
           "a layer or a block; " + layer.op->name + " is a plain op and holds nothing");
    }
    Body body = make_body(*around, layer, mode);
    std::size_t used = 0;
    node = find_longest(body.graph, rest, used);
    if (!node) {
      fail(ErrorCode::unknown_scope, place_in_quotes(rest) + " inside " + outside, "one of " + labels_of(body.graph),
           nearest_path(body.graph, rest, outside + "/"));
    }
    outside += "/" + rest.substr(0, used);
    rest = rest_after(rest, used);
    levels.push_back({std::move(body), node});
    around = &levels.back().body.graph;
  }
  return levels;
}

}  // namespace asg
