// Removal of what nothing needs.
//   expects:    a graph without cycles
//   guarantees: the same outputs and updates; every node that is left is an input of the graph, or an output or update
//               depends on it. Inputs and variables stay, used or not.
//   example:    y = Exp(x), z = Log(x), output y → y = Exp(x)
#include "asg/graph/card.h"
#include "compile/passes/passes.h"
#include "compile/passes/tally.h"

namespace asg::passes {

PassResult remove_dead(const Graph& graph) {
  std::vector<Value> roots;
  for (const NodeId id : graph.inputs()) roots.push_back({id, 0});
  for (const Output& output : graph.outputs()) roots.push_back(output.value);
  for (const Update& update : graph.updates()) roots.push_back(update.value);
  std::vector<bool> needed(graph.next_node_id().number, false);
  for (const NodeId id : ancestors(graph, roots)) needed[id.number] = true;

  PassResult result{graph, {}};
  Tally tally;
  for (const NodeId id : graph.node_ids()) {
    const Node& node = graph.node(id);
    if (!needed[id.number]) {
      tally.add(node.op->name, node);
      result.graph.erase(id);
      continue;
    }
    const auto ports = static_cast<std::uint32_t>(node.outputs.size());
    for (std::uint32_t port = 0; port < ports; ++port) result.remap.set({id, port}, {id, port});
  }
  result.notes = tally.lines();
  return result;
}

}  // namespace asg::passes
