#include <algorithm>
#include <array>
#include <utility>

#include "asg/graph/card.h"
#include "asg/graph/text.h"

namespace asg {
namespace {

// A light colour per category, so that black text can be read on all of them.
constexpr std::array<std::string_view, 21> kColours = {
    "#eceff1",  // leaf
    "#bbdefb",  // arithmetic
    "#b3e5fc",  // maths
    "#ffe0b2",  // activation
    "#d7ccc8",  // comparison
    "#cfd8dc",  // logic
    "#b2dfdb",  // reduction
    "#c5cae9",  // linear_algebra
    "#d1c4e9",  // convolution
    "#e1bee7",  // pooling
    "#c8e6c9",  // normalization
    "#f5f5f5",  // shape
    "#f0f4c3",  // indexing
    "#ffccbc",  // random
    "#ffecb3",  // control_flow
    "#ffe082",  // recurrent
    "#f8bbd0",  // attention
    "#dcedc8",  // embedding
    "#ffffff",  // container
    "#ffcdd2",  // loss
    "#fff9c4",  // gradient
};
static_assert(kColours.size() == static_cast<std::size_t>(Category::gradient) + 1);

// A quoted string of the DOT language, in which labels know escapes of their own: backslashes are doubled, and line
// breaks become the escape that centres the line above.
std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else {
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out + '"';
}

std::string number(NodeId id) { return 'n' + std::to_string(id.number); }
std::string number(VarId id) { return 'v' + std::to_string(id.number); }

std::vector<std::string> components(const std::string& scope) {
  std::vector<std::string> result;
  for (std::size_t first = 0; first < scope.size();) {
    const std::size_t end = std::min(scope.find('/', first), scope.size());
    result.push_back(scope.substr(first, end - first));
    first = end + 1;
  }
  return result;
}

std::string attributes_text(const Node& node) {
  std::string text;
  for (const auto& [name, value] : node.attrs) {
    if (value.kind() == AttrKind::type) continue;  // of an input: its output says the same
    text += (text.empty() ? "" : ", ") + name + '=' + value.to_string();
  }
  return text;
}

class Drawing {
 public:
  explicit Drawing(const Graph& graph) : graph_(graph) {}

  std::string draw() {
    out_ = "digraph " + quote(graph_.name()) + " {\n";
    out_ += "  rankdir=TB;\n";
    out_ += "  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=11];\n";
    out_ += "  edge [fontname=\"sans-serif\", fontsize=9];\n";
    draw_nodes();
    draw_variables();
    draw_edges();
    draw_outputs();
    draw_updates();
    return std::move(out_) + "}\n";
  }

 private:
  void line(std::size_t depth, const std::string& text) {
    out_.append(2 * (depth + 1), ' ');
    out_ += text;
    out_ += '\n';
  }

  // Nodes sorted by scope, so that every scope is one run of them and clusters can be opened and closed on the way.
  void draw_nodes() {
    std::vector<std::pair<std::vector<std::string>, NodeId>> entries;
    for (const NodeId id : graph_.node_ids()) entries.emplace_back(components(graph_.node(id).scope), id);
    std::sort(entries.begin(), entries.end());
    std::vector<std::string> open;
    for (const auto& [scope, id] : entries) {
      move_to(open, scope);
      line(open.size(), node_text(graph_.node(id)));
    }
    move_to(open, {});
  }

  // Closes and opens clusters so that those of `scope` are open.
  void move_to(std::vector<std::string>& open, const std::vector<std::string>& scope) {
    const auto shared = std::mismatch(open.begin(), open.end(), scope.begin(), scope.end()).first - open.begin();
    while (open.size() > static_cast<std::size_t>(shared)) {
      open.pop_back();
      line(open.size(), "}");
    }
    while (open.size() < scope.size()) {
      line(open.size(), "subgraph cluster_" + std::to_string(clusters_++) + " {");
      open.push_back(scope[open.size()]);
      line(open.size(), "label=" + quote(open.back()) + "; color=\"#90a4ae\"; style=rounded;");
    }
  }

  static std::string node_text(const Node& node) {
    std::string label = node.name.empty() ? node.op->name : node.name + '\n' + node.op->name;
    const std::string attributes = attributes_text(node);
    if (!attributes.empty()) label += '\n' + attributes;
    for (const OutputInfo& output : node.outputs) label += '\n' + output.type.to_string();
    const auto colour = kColours[static_cast<std::size_t>(node.op->category)];
    return number(node.id) + " [label=" + quote(label) + ", fillcolor=" + quote(colour) + "];";
  }

  void draw_variables() {
    for (const VarId id : graph_.variable_ids()) {
      const Variable& variable = graph_.variable(id);
      const std::string label = variable.name + '\n' + variable.type.to_string() + '\n' + variable.init.to_string();
      const std::string_view border =
          variable.kind == VarKind::parameter && variable.trainable ? "filled" : "filled,dashed";
      line(0, number(id) + " [label=" + quote(label) + ", shape=cylinder, style=" + quote(border) +
                  ", fillcolor=\"#fff8e1\"];");
    }
  }

  void draw_edges() {
    for (const NodeId id : graph_.node_ids()) {
      const Node& node = graph_.node(id);
      for (const Value& input : node.inputs) draw_edge(input, number(id));
      for (const Binding& binding : node.bindings) {
        if (!graph_.has(binding.variable)) continue;
        line(0, number(binding.variable) + " -> " + number(id) + " [style=dashed, label=" + quote(binding.slot) + "];");
      }
    }
  }

  // A later output of a node has its number at the tail of the edge.
  void draw_edge(Value from, const std::string& to, const std::string& more = "") {
    if (!graph_.has(from.node)) return;
    std::string options = from.port == 0 ? "" : "taillabel=" + quote(std::to_string(from.port));
    if (!options.empty() && !more.empty()) options += ", ";
    options += more;
    line(0, number(from.node) + " -> " + to + (options.empty() ? ";" : " [" + options + "];"));
  }

  void draw_outputs() {
    std::size_t index = 0;
    for (const Output& output : graph_.outputs()) {
      const std::string name = 'o' + std::to_string(index++);
      line(0, name + " [label=" + quote(output.name) + ", shape=ellipse, fillcolor=\"#ffffff\"];");
      draw_edge(output.value, name);
    }
  }

  void draw_updates() {
    for (const Update& update : graph_.updates()) {
      if (!graph_.has(update.variable)) continue;
      draw_edge(update.value, number(update.variable), "style=dotted, constraint=false, label=\"update\"");
    }
  }

  const Graph& graph_;
  std::string out_;
  std::size_t clusters_ = 0;
};

}  // namespace

std::string to_graphviz(const Graph& graph) { return Drawing(graph).draw(); }

}  // namespace asg
