#include "backend/conformance/expect_error.h"

#include <algorithm>

#include "asg/graph/registry.h"

namespace asg::conformance {
namespace {

const TensorType kSquare{DType::f32, {2, 2}};

std::string names_of(const std::vector<ErrorCode>& codes) {
  std::string text;
  for (ErrorCode code : codes) text += (text.empty() ? "" : " or ") + std::string(name_of(code));
  return text;
}

std::string try_mistake(Backend& backend, const Mistake& mistake) {
  try {
    mistake.make(backend);
  } catch (const UserError& error) {
    if (std::find(mistake.codes.begin(), mistake.codes.end(), error.code()) == mistake.codes.end()) {
      return "throws " + std::string(error.what()) + ", not " + names_of(mistake.codes);
    }
    if (mistake.names_node && error.detail().node.empty()) return std::string("names no node: ") + error.what();
    const bool helps = !error.detail().needed.empty() || !error.detail().mend.empty();
    return helps ? "" : std::string("does not say how to mend it: ") + error.what();
  }
  return "nothing is thrown, not " + names_of(mistake.codes);
}

}  // namespace

void check_mistakes(Checks& checks, const std::string& group, const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    checks.check(group, mistake.name, mistake.surface, [&] { return try_mistake(checks.backend, mistake); });
  }
}

Graph OddGraph::make() const {
  Graph graph("odd");
  Node node;
  node.op = &Registry::global().get(op);
  for (std::size_t index = 0; index < present.size(); ++index) {
    node.inputs.push_back(present[index] ? graph.input("x" + std::to_string(index), kSquare).value() : Value{});
  }
  node.id = graph.next_node_id();
  node.attrs = attrs;
  node.outputs.assign(outputs, OutputInfo{kSquare, nullptr});
  const NodeId id = node.id;
  graph.put(std::move(node));
  graph.set_outputs({{"y", {id, 0}}});
  return graph;
}

void execute_odd(Backend& backend, const OddGraph& odd) {
  const Graph graph = odd.make();
  NamedDeviceArrays inputs;
  for (NodeId id : graph.inputs()) inputs[graph.node(id).name] = backend.upload(reals({2, 2}, {1, 2, 3, 4}));
  backend.execute(graph, inputs);
}

}  // namespace asg::conformance
