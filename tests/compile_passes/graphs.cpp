#include "compile_passes/graphs.h"

#include "asg/graph/card.h"
#include "asg/graph/text.h"

namespace asg::test {

PassResult run_pass(std::string_view name, const Graph& graph) {
  for (const Pass& pass : graph_passes()) {
    if (pass.name != name) continue;
    PassResult result = pass.run(graph);
    check_pass(name, graph, result.graph);
    return result;
  }
  fail_internal("no pass of this name");
}

Graph passed_by(std::string_view name, const Graph& graph) {
  return run_pass("remove_dead", run_pass(name, graph).graph).graph;
}

std::string outline(const Graph& graph) {
  std::string text;
  for (const NodeId id : topological_order(graph)) {
    const Node& node = graph.node(id);
    if (node.op->name == "Input") continue;
    text += to_string(Value{id}) + " = " + node.op->name + '(';
    for (const Value& input : node.inputs) text += (&input != &node.inputs.front() ? ", " : "") + to_string(input);
    text += ')';
    for (const auto& [name, attr] : node.attrs) {
      if (attr.kind() == AttrKind::graph) continue;
      const bool is_tensor = attr.kind() == AttrKind::tensor;
      text += ' ' + (is_tensor ? attr.as_tensor().type_string() + ' ' + attr.as_tensor().to_string()
                               : name + '=' + attr.to_string());
    }
    text += '\n';
  }
  for (const Output& output : graph.outputs()) text += output.name + " = " + to_string(output.value) + '\n';
  return text;
}

}  // namespace asg::test
