// Sheets of graphs as they are: the model, the body of a layer, the branches of control flow.
#include <algorithm>

#include "asg/graph/card.h"
#include "asg/graph/walk.h"
#include "lab/sheet.h"

namespace asg::lab {
namespace {

// Adds the nodes of a graph; `scope` stands before their paths.
class GraphSheet {
 public:
  GraphSheet(SheetBuilder& builder, const Graph& graph, std::string scope, bool with_inlets)
      : builder_(builder), graph_(graph), scope_(std::move(scope)), places_(graph.next_node_id().number) {
    if (!with_inlets) return;
    int inlet = 0;
    for (const NodeId id : graph.inputs()) places_[id.number] = {.inlet = inlet++};
  }

  void add_nodes() {
    for (const NodeId id : topological_order(graph_)) {
      const Node& node = graph_.node(id);
      if (places_[id.number].inlet >= 0) continue;
      Leaf leaf{
          .path = joined_path(scope_, node.path()), .name = shown_name(graph_, node), .graph = &graph_, .node = id};
      leaf.inputs.reserve(node.inputs.size());
      for (const Value input : node.inputs) leaf.inputs.push_back(source(input));
      places_[id.number] = {.leaf = builder_.add(std::move(leaf))};
    }
  }

  Source source(Value value) const {
    if (!value) return {};
    Source result = places_[value.node.number];
    result.port = value.port;
    return result;
  }

 private:
  SheetBuilder& builder_;
  const Graph& graph_;
  std::string scope_;
  std::vector<Source> places_;
};

std::string port_name(const std::vector<Port>& ports, std::size_t index, const std::string& otherwise) {
  if (ports.empty() || (index >= ports.size() && ports.back().kind != PortKind::variadic)) return otherwise;
  return std::string(ports[std::min(index, ports.size() - 1)].name);
}

}  // namespace

std::shared_ptr<Sheet> sheet_of_graph(std::shared_ptr<const Graph> graph, bool is_body, const OpCard* layer) {
  SheetBuilder builder;
  Sheet sheet;
  sheet.title = graph->name();
  sheet.of_layer = is_body;
  GraphSheet nodes(builder, *graph, "", is_body);
  nodes.add_nodes();
  if (is_body) {
    // A body names its inputs by the ports that are given.
    for (const NodeId id : graph->inputs()) {
      sheet.inlets.push_back({graph->node(id).label(), graph->type({id, 0}).to_string()});
    }
  }
  std::size_t port = 0;
  for (const Output& output : graph->outputs()) {
    std::string name = output.name;
    if (is_body && layer != nullptr) name = port_name(layer->outputs, port, output.name);
    sheet.outlets.push_back({std::move(name), nodes.source(output.value)});
    ++port;
  }
  sheet.graphs.push_back(std::move(graph));
  return builder.finish(std::move(sheet));
}

std::shared_ptr<Sheet> sheet_of_subgraphs(const Node& node) {
  SheetBuilder builder;
  Sheet sheet;
  sheet.title = node.op->name;
  for (const auto& [name, attr] : node.attrs) {
    if (attr.kind() != AttrKind::graph || attr.as_graph() == nullptr) continue;
    GraphSheet(builder, *attr.as_graph(), name, false).add_nodes();
    sheet.graphs.push_back(attr.as_graph());
  }
  return builder.finish(std::move(sheet));
}

}  // namespace asg::lab
