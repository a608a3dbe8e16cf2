#include "asg/graph/part.h"

#include "asg/graph/reinfer.h"
#include "asg/graph/walk.h"

namespace asg {

Graph part_for(Graph graph, std::vector<Output> outputs) {
  std::vector<Value> roots;
  for (const Output& output : outputs) roots.push_back(output.value);
  std::vector<bool> is_needed(graph.next_node_id().number, false);
  for (const NodeId id : ancestors(graph, roots)) is_needed[id.number] = true;

  std::vector<NodeId> inputs;
  for (const NodeId id : graph.inputs()) {
    if (is_needed[id.number]) inputs.push_back(id);
  }
  graph.set_updates({});
  graph.set_outputs(std::move(outputs));
  graph.set_inputs(std::move(inputs));
  for (const NodeId id : graph.node_ids()) {
    if (!is_needed[id.number]) graph.erase(id);
  }
  drop_unused_variables(graph, graph.variable_ids());
  return graph;
}

}  // namespace asg
