// Removal of what nothing needs.
//   expects:    a graph without cycles
//   guarantees: the same outputs and updates; every node that is left is an input of the graph, or an output or update
//               depends on it. Inputs and variables stay, used or not.
//   example:    y = Exp(x), z = Log(x), output y → y = Exp(x)
#include "asg/graph/card.h"
#include "compile/passes/passes.h"
#include "compile/passes/tally.h"

namespace asg::passes {

PassResult remove_dead(Graph graph) {
  std::vector<Value> roots;
  for (const NodeId id : graph.inputs()) roots.push_back({id, 0});
  for (const Output& output : graph.outputs()) roots.push_back(output.value);
  for (const Update& update : graph.updates()) roots.push_back(update.value);
  std::vector<bool> needed(graph.next_node_id().number, false);
  for (const NodeId id : ancestors(graph, roots)) needed[id.number] = true;

  Tally tally;
  for (const NodeId id : graph.node_ids()) {
    if (needed[id.number]) continue;
    const Node& node = graph.node(id);
    tally.add(node.op->name, node);
    graph.erase(id);
  }
  Remap remap = Remap::identity(graph);
  return {std::move(graph), std::move(remap), tally.lines()};
}

}  // namespace asg::passes
