#include "asg/graph/graph.h"

#include <algorithm>
#include <utility>

#include "asg/graph/registry.h"

namespace asg {

Graph::Graph(std::string name, GraphId id) : name_(std::move(name)), id_(id), nodes_(1), variables_(1) {}

// ---- Looking

const NodePtr& Graph::node_ptr(NodeId id) const {
  if (!has(id)) {
    fail(ErrorCode::unknown_node, "node " + std::to_string(id.number) + " of graph '" + name_ + "'",
         "the id of a node that the graph holds");
  }
  return nodes_[id.number];
}

const Node& Graph::node(NodeId id) const { return *node_ptr(id); }

std::vector<NodeId> Graph::node_ids() const {
  std::vector<NodeId> ids;
  ids.reserve(live_);
  for (std::uint32_t number = 1; number < nodes_.size(); ++number) {
    if (nodes_[number] != nullptr) ids.push_back(NodeId{number});
  }
  return ids;
}

const OutputInfo& Graph::info(Value value) const {
  const Node& producer = node(value.node);
  if (value.port >= producer.outputs.size()) {
    fail(ErrorCode::bad_index, "output " + std::to_string(value.port) + " of " + producer.path(),
         "one of its " + std::to_string(producer.outputs.size()) + " outputs, counted from 0");
  }
  return producer.outputs[value.port];
}

NodeId Graph::find_node(std::string_view path) const {
  const auto entry = node_names_.find(std::string(path));
  return entry == node_names_.end() ? NodeId{} : entry->second;
}

const Output* Graph::find_output(std::string_view name) const {
  const auto found = std::find_if(outputs_.begin(), outputs_.end(), [&](const Output& o) { return o.name == name; });
  return found == outputs_.end() ? nullptr : &*found;
}

std::vector<VarId> Graph::variable_ids() const {
  std::vector<VarId> ids;
  for (std::uint32_t number = 1; number < variables_.size(); ++number) {
    if (variables_[number] != nullptr) ids.push_back(VarId{number});
  }
  return ids;
}

const Variable& Graph::variable(VarId id) const {
  if (!has(id)) {
    fail(ErrorCode::unknown_variable, "variable " + std::to_string(id.number) + " of graph '" + name_ + "'",
         "the id of a variable that the graph holds");
  }
  return *variables_[id.number];
}

VarId Graph::find_variable(std::string_view name) const {
  const auto entry = variable_names_.find(std::string(name));
  return entry == variable_names_.end() ? VarId{} : entry->second;
}

NodeId Graph::reader_of(VarId id) const {
  const auto reader = readers_.find(id);
  return reader == readers_.end() ? NodeId{} : reader->second;
}

bool operator==(const Node& a, const Node& b) {
  const bool same_op = a.op == b.op || (a.op && b.op && a.op->name == b.op->name && a.op->version == b.op->version);
  auto same_pointee = [](const auto& x, const auto& y) { return x == y || (x && y && *x == *y); };
  return a.id == b.id && same_op && a.name == b.name && a.scope == b.scope && a.inputs == b.inputs &&
         a.attrs == b.attrs && a.bindings == b.bindings && a.stream == b.stream && a.outputs == b.outputs &&
         same_pointee(a.origin, b.origin) && same_pointee(a.body, b.body);
}

namespace {

template <class Pointer>
bool same_slots(const std::vector<Pointer>& a, const std::vector<Pointer>& b) {
  for (std::size_t slot = 0; slot < std::max(a.size(), b.size()); ++slot) {
    const Pointer& x = slot < a.size() ? a[slot] : nullptr;
    const Pointer& y = slot < b.size() ? b[slot] : nullptr;
    if (x == y) continue;
    if (x == nullptr || y == nullptr || !(*x == *y)) return false;
  }
  return true;
}

}  // namespace

bool operator==(const Graph& a, const Graph& b) {
  return a.name_ == b.name_ && a.id_ == b.id_ && a.inputs_ == b.inputs_ && a.outputs_ == b.outputs_ &&
         a.updates_ == b.updates_ && same_slots(a.nodes_, b.nodes_) && same_slots(a.variables_, b.variables_);
}

// ---- Surgery

NodeId Graph::reserve_node_id() {
  nodes_.emplace_back();
  return last_id();
}

VarId Graph::reserve_variable_id() {
  variables_.emplace_back();
  return VarId{static_cast<std::uint32_t>(variables_.size() - 1)};
}

void Graph::reserve_ids(NodeId next_node, VarId next_variable) {
  if (nodes_.size() < next_node.number) nodes_.resize(next_node.number);
  if (variables_.size() < next_variable.number) variables_.resize(next_variable.number);
}

void Graph::put(Node node) { put(std::make_shared<const Node>(std::move(node))); }

void Graph::put(NodePtr node) {
  internal_check(static_cast<bool>(node->id), "a node without an id");
  if (nodes_.size() <= node->id.number) nodes_.resize(std::size_t{node->id.number} + 1);
  erase(node->id);
  if (!node->name.empty()) node_names_[node->path()] = node->id;
  if (node->op->name == "Variable" && !node->bindings.empty()) readers_[node->bindings.front().variable] = node->id;
  ++live_;
  NodePtr& slot = nodes_[node->id.number];
  slot = std::move(node);
}

void Graph::erase(NodeId id) {
  if (!has(id)) return;
  const Node& old = *nodes_[id.number];
  if (!old.name.empty()) {
    const auto entry = node_names_.find(old.path());
    if (entry != node_names_.end() && entry->second == id) node_names_.erase(entry);
  }
  if (!old.bindings.empty()) {
    const auto reader = readers_.find(old.bindings.front().variable);
    if (reader != readers_.end() && reader->second == id) readers_.erase(reader);
  }
  nodes_[id.number] = nullptr;
  --live_;
}

void Graph::put(Variable variable) {
  internal_check(static_cast<bool>(variable.id), "a variable without an id");
  const VarId id = variable.id;
  if (variables_.size() <= id.number) variables_.resize(std::size_t{id.number} + 1);
  erase(id);
  variable_names_[variable.name] = id;
  variables_[id.number] = std::make_shared<const Variable>(std::move(variable));
}

void Graph::erase(VarId id) {
  if (!has(id)) return;
  const auto entry = variable_names_.find(variables_[id.number]->name);
  if (entry != variable_names_.end() && entry->second == id) variable_names_.erase(entry);
  variables_[id.number] = nullptr;
}

Dim Graph::fresh_symbol() { return Dim::symbol("?" + std::to_string(++fresh_symbols_)); }

// ---- Scopes and origins

Graph::ScopeGuard::ScopeGuard(Graph& graph, std::string_view name) : graph_(graph), outer_(graph.scope_) {
  if (name.empty()) return;
  graph.scope_ = outer_.empty() ? std::string(name) : outer_ + "/" + std::string(name);
}

Graph::ScopeGuard::~ScopeGuard() { graph_.scope_ = outer_; }

Graph::OriginGuard::OriginGuard(Graph& graph, std::shared_ptr<const Origin> origin)
    : graph_(graph), outer_(std::exchange(graph.origin_, std::move(origin))) {}

Graph::OriginGuard::~OriginGuard() { graph_.origin_ = outer_; }

}  // namespace asg
