#include "asg/graph/text.h"

#include <unordered_set>
#include <utility>

#include "asg/graph/card.h"
#include "asg/graph/walk.h"
#include "printing.h"

namespace asg {
namespace {

// A line of text, or a graph whose lines stand here.
struct Piece {
  std::string text;
  const Graph* graph = nullptr;
  std::size_t indent = 0;
};

// Lines of one graph, without those of the graphs inside it. Reads only what it has checked, so that a graph that
// does not validate can be looked at too.
class Lister {
 public:
  Lister(const Graph& graph, std::size_t indent) : graph_(graph), indent_(indent) {}

  std::vector<Piece> list() {
    list_inputs();
    list_variables();
    list_nodes();
    list_outputs();
    list_updates();
    return std::move(pieces_);
  }

 private:
  void line(std::size_t extra, std::string text) {
    const std::size_t width = 2 * (indent_ + extra);
    pieces_.push_back({std::string(width, ' ') + std::move(text) + '\n', nullptr, 0});
  }

  std::string type_of(Value value) const {
    const bool exists = graph_.has(value.node) && value.port < graph_.node(value.node).outputs.size();
    return exists ? graph_.type(value).to_string() : "missing";
  }

  std::string variable_text(VarId id) const {
    return graph_.has(id) ? as_quoted(graph_.variable(id).name) : "missing $" + std::to_string(id.number);
  }

  void list_inputs() {
    if (graph_.inputs().empty()) return;
    line(0, "inputs");
    for (const NodeId id : graph_.inputs()) {
      const std::string name = graph_.has(id) ? as_quoted(graph_.node(id).name) : "missing";
      line(1, to_string(Value{id}) + ' ' + name + " : " + type_of({id}));
    }
  }

  void list_variables() {
    const std::vector<VarId> ids = graph_.variable_ids();
    if (ids.empty()) return;
    line(0, "variables");
    for (const VarId id : ids) {
      const Variable& variable = graph_.variable(id);
      std::string text = '$' + std::to_string(id.number) + ' ' + as_quoted(variable.name) + " : " +
                         variable.type.to_string() + " = " + variable.init.to_string();
      if (variable.kind != VarKind::parameter) text += "   # " + std::string(name_of(variable.kind));
      if (variable.kind == VarKind::parameter && !variable.trainable) text += "   # frozen";
      line(1, std::move(text));
    }
  }

  void list_nodes() {
    std::vector<NodeId> order;
    std::string heading = "nodes";
    try {
      order = topological_order(graph_);
    } catch (const UserError& error) {
      order = graph_.node_ids();
      heading += " by id, not in order of computation (" + std::string(name_of(error.code())) + ": " +
                 error.detail().given + ')';
    }
    const std::unordered_set<NodeId> listed(graph_.inputs().begin(), graph_.inputs().end());
    for (const NodeId id : order) {
      if (listed.contains(id)) continue;
      if (!heading.empty()) line(0, std::exchange(heading, ""));
      line(1, node_text(graph_.node(id)));
      list_graphs_of(graph_.node(id));
    }
  }

  // "%12 = nn.Linear(%3) {units=32} "fc1" : f32[batch, 32]   # encoder"
  std::string node_text(const Node& node) const {
    std::string text;
    for (std::uint32_t port = 0; port < node.outputs.size(); ++port) {
      text += (port > 0 ? ", " : "") + to_string(Value{node.id, port});
    }
    if (node.outputs.empty()) text = to_string(Value{node.id});
    text += " = " + node.op->name + '(';
    for (const Value& input : node.inputs) text += (&input != &node.inputs.front() ? ", " : "") + to_string(input);
    text += ')' + attributes_text(node) + bindings_text(node);
    if (!node.name.empty()) text += ' ' + as_quoted(node.name);
    for (std::uint32_t port = 0; port < node.outputs.size(); ++port) {
      text += (port > 0 ? ", " : " : ") + node.outputs[port].type.to_string();
    }
    return text + remark(node);
  }

  static std::string attributes_text(const Node& node) {
    std::string text;
    for (const auto& [name, value] : node.attrs) text += (text.empty() ? " {" : ", ") + name + '=' + value.to_string();
    return text.empty() ? text : text + '}';
  }

  // The variables of a layer, where they are not simply those that carry its own path and the slot: shared ones.
  std::string bindings_text(const Node& node) const {
    std::string text;
    for (const Binding& binding : node.bindings) {
      const bool own =
          graph_.has(binding.variable) && graph_.variable(binding.variable).name == node.path() + '.' + binding.slot;
      if (!own) text += (text.empty() ? " [" : ", ") + binding.slot + '=' + variable_text(binding.variable);
    }
    return text.empty() ? text : text + ']';
  }

  static std::string remark(const Node& node) {
    std::string text = node.scope;
    if (node.origin != nullptr) {
      if (!text.empty()) text += "; ";
      text += std::string(name_of(node.origin->role)) + " of " + to_string(Value{node.origin->node});
      if (!node.origin->path.empty()) text += '/' + node.origin->path;
    }
    return text.empty() ? text : "   # " + text;
  }

  void list_graphs_of(const Node& node) {
    for (const auto& [name, value] : node.attrs) {
      if (value.kind() == AttrKind::graph) list_graph(name, value.as_graph());
    }
    list_graph("body", node.body);
  }

  void list_graph(const std::string& name, const GraphPtr& inner) {
    if (inner == nullptr) return;
    line(2, name + ':');
    pieces_.push_back({"", inner.get(), indent_ + 3});
  }

  void list_outputs() {
    if (graph_.outputs().empty()) return;
    line(0, "outputs");
    for (const Output& output : graph_.outputs()) {
      line(1, as_quoted(output.name) + " = " + to_string(output.value) + " : " + type_of(output.value));
    }
  }

  void list_updates() {
    if (graph_.updates().empty()) return;
    line(0, "updates");
    for (const Update& update : graph_.updates()) {
      line(1, variable_text(update.variable) + " <- " + to_string(update.value));
    }
  }

  const Graph& graph_;
  std::size_t indent_;
  std::vector<Piece> pieces_;
};

std::string header(const Graph& graph) {
  const auto counted = [](std::size_t count, const std::string& noun) {
    return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
  };
  return "graph " + as_quoted(graph.name()) + ": " + counted(graph.node_count(), "node") + ", " +
         counted(graph.variable_ids().size(), "variable") + '\n';
}

}  // namespace

// Graphs inside graphs are listed from a stack of what is still to be written, not by recursion.
std::string to_text(const Graph& graph) {
  std::string text = header(graph);
  std::vector<Piece> pending = {{"", &graph, 0}};
  while (!pending.empty()) {
    const Piece piece = std::move(pending.back());
    pending.pop_back();
    text += piece.text;
    if (piece.graph == nullptr) continue;
    std::vector<Piece> inner = Lister(*piece.graph, piece.indent).list();
    pending.insert(pending.end(), std::make_move_iterator(inner.rbegin()), std::make_move_iterator(inner.rend()));
  }
  return text;
}

}  // namespace asg
