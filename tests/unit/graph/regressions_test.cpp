// Mistakes that others made when they walked graphs. The name of a test says the mistake.
#include <functional>

#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/backend/interpreter.h"
#include "asg/graph/expand.h"
#include "asg/graph/json.h"
#include "asg/graph/model.h"
#include "asg/graph/reinfer.h"
#include "asg/graph/text.h"
#include "asg/graph/validate.h"
#include "asg/graph/walk.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

// ---- "recursion in graph walks"

// A chain so long that a walk with a call for each node would end the stack.
TEST(Regressions, RecursionInGraphWalks) {
  constexpr int kLength = 100'000;
  Graph graph("chain");
  const Tensor x = graph.input("x", {DType::f64, {}});
  Tensor y = x;
  for (int k = 0; k < kLength; ++k) y = -y;
  graph.set_output("y", y);
  const std::size_t count = graph.node_count();
  EXPECT_EQ(topological_order(graph).size(), count);
  EXPECT_EQ(ancestors(graph, std::vector{y.value()}).size(), count);
  EXPECT_EQ(descendants(graph, std::vector{x.node()}).size(), count);
  EXPECT_TRUE(problems_of(graph).empty());
  EXPECT_TRUE(warnings_of(graph).empty());
  EXPECT_TRUE(read_json(to_json(graph)) == graph);
  EXPECT_GT(to_text(graph).size(), count);
  EXPECT_GT(to_graphviz(graph).size(), count);
  EXPECT_EQ(expand(graph, Mode::train).graph.node_count(), count);

  const Differentiated joint = differentiate(graph, y.value(), std::vector<Value>{x.value()}, Mode::train);
  Interpreter interpreter;
  const NamedArrays inputs = {{"x", Array::scalar(DType::f64, 3)}};
  const NamedArrays results =
      interpreter.download_all(interpreter.execute(joint.graph, interpreter.upload_all(inputs)));
  EXPECT_EQ(results.at("y").get(0), 3);
  EXPECT_EQ(results.at("gradient:0").get(0), 1);

  Node wider = graph.node(x.node());
  wider.attrs.set("type", TensorType{DType::f64, {2}});
  graph.put(wider);
  reinfer(graph, std::vector{x.node()});
  EXPECT_EQ(graph.type(y.value()).to_string(), "f64[2]");
}

// ---- "a cycle that hangs"

// x → first → … → last → y; then `first` is fed by `last`.
Graph cyclic(int length) {
  Graph graph("cyclic");
  const Tensor x = graph.input("x", {DType::f64, {}});
  Tensor y = x;
  NodeId first;
  for (int k = 0; k < length; ++k) {
    y = -y;
    if (k == 0) first = y.node();
  }
  graph.set_output("y", y);
  Node node = graph.node(first);
  node.inputs[0] = y.value();
  graph.put(node);
  return graph;
}

// Whatever needs an order refuses a cycle in words; whatever does not comes to an end.
TEST(Regressions, ACycleThatHangs) {
  Interpreter interpreter;
  const NamedArrays inputs = {{"x", Array::scalar(DType::f64, 3)}};
  const std::pair<const char*, std::function<void(const Graph&)>> walks[] = {
      {"order", [](const Graph& graph) { topological_order(graph); }},
      {"validate", [](const Graph& graph) { validate(graph); }},
      {"expand", [](const Graph& graph) { expand(graph, Mode::train); }},
      {"differentiate",
       [](const Graph& graph) {
         differentiate(graph, graph.outputs()[0].value, std::vector<Value>{{graph.inputs()[0], 0}}, Mode::train);
       }},
      {"json", [](const Graph& graph) { read_json(to_json(graph)); }},
      {"execute", [&](const Graph& graph) { interpreter.execute(graph, interpreter.upload_all(inputs)); }},
      {"compile", [&](const Graph& graph) { interpreter.compile(graph)->run(inputs); }},
      {"reinfer",
       [](const Graph& graph) {
         Graph copy = graph;
         reinfer(copy, std::vector{graph.outputs()[0].value.node});
       }},
  };
  for (const int length : {1, 2, 1000}) {
    const Graph graph = cyclic(length);
    for (const auto& [name, walk] : walks) {
      SCOPED_TRACE(std::string(name) + " of a cycle of " + std::to_string(length));
      try {
        walk(graph);
        ADD_FAILURE() << "was not refused";
      } catch (const UserError& error) {
        EXPECT_EQ(name_of(error.code()), name_of(ErrorCode::cycle)) << error.what();
      }
    }
    const auto nodes = static_cast<std::size_t>(length);
    EXPECT_EQ(ancestors(graph, std::vector{graph.outputs()[0].value}).size(), nodes);
    EXPECT_EQ(descendants(graph, std::vector{graph.outputs()[0].value.node}).size(), nodes);
    EXPECT_FALSE(to_text(graph).empty());
    EXPECT_FALSE(to_graphviz(graph).empty());
  }
}

// An edit that would close a cycle is refused, and the model stays as it was.
TEST(Regressions, ACycleThatAnEditCloses) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {}});
  const Tensor a = (-x).named("a");
  graph.set_output("y", (-a).named("b"));
  Model model(graph);
  try {
    model.apply({{edits::Rewire{.user = "a", .input = 0, .value = {"b"}}}, ResizePolicy::fresh});
    ADD_FAILURE() << "was not refused";
  } catch (const UserError& error) {
    EXPECT_EQ(name_of(error.code()), name_of(ErrorCode::cycle)) << error.what();
  }
  EXPECT_TRUE(model.graph() == graph);
}

}  // namespace
}  // namespace asg
