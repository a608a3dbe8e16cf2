// The graph itself: building, names, variables, walks, bodies and expansion.
#include "asg/graph/graph.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "asg/graph/expand.h"
#include "asg/graph/part.h"
#include "asg/graph/registry.h"
#include "asg/graph/reinfer.h"
#include "asg/graph/validate.h"
#include "asg/graph/walk.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"

namespace asg {
namespace {

const Dim kRows = Dim::symbol("batch");

ErrorCode code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was refused";
  return ErrorCode::bad_command;
}

TEST(Graph, ErrorsNameTheLineThatMadeThem) {
  Graph graph;
  const Tensor a = graph.input("a", {DType::f32, {2, 3}});
  const Tensor b = graph.input("b", {DType::f32, {4}});
  try {
    static_cast<void>(a + b);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::broadcast_mismatch);
    EXPECT_NE(error.detail().where.find("graph_test.cpp:"), std::string::npos);
    EXPECT_EQ(error.detail().node, "Add#3");
  }
}

TEST(Graph, ARefusedCallChangesNothing) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {kRows, 4}});
  const Graph before = graph;
  EXPECT_EQ(code_of([&] { add_op("nn.Linear", {x}, {{"units", 0}}); }), ErrorCode::bad_attribute);
  EXPECT_EQ(code_of([&] { graph.input("x", {DType::f32, {}}); }), ErrorCode::duplicate_name);
  EXPECT_EQ(code_of([&] { add_op("Nonsense", {x}); }), ErrorCode::unknown_op);
  EXPECT_TRUE(graph == before);
  EXPECT_EQ(graph.next_node_id(), before.next_node_id());
}

TEST(Graph, CopiesShareNodesAndAreIndependent) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  Graph copy = graph;
  copy.set_output("y", copy.tensor(x.value()) + 1.0);
  EXPECT_EQ(copy.node_ptr(x.node()), graph.node_ptr(x.node()));
  EXPECT_EQ(graph.node_count(), 1u);
  EXPECT_TRUE(graph.outputs().empty());
}

TEST(Graph, IdsAreNeverUsedTwice) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const NodeId removed = (-x).node();
  graph.erase(removed);
  EXPECT_GT((-x).node(), removed);
}

TEST(Graph, LayersMakeVariablesNamedAfterThem) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {kRows, 5, 8}});
  add_op("nn.TransformerBlock", {x}, {{"heads", 2}, {"hidden", 16}}).named("block");
  EXPECT_TRUE(graph.find_variable("block.attention.query_projection.weight"));
  EXPECT_TRUE(graph.find_variable("block.feed_forward.contract.bias"));
  EXPECT_EQ(graph.variable(graph.find_variable("block.feed_forward.expand.weight")).type.to_string(), "f32[8, 16]");
  EXPECT_TRUE(graph.find_variable(kSeedVariable)) << "dropout inside needs the seed of the graph";
}

TEST(Graph, ScopesPrefixPaths) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2, 3}});
  const Graph::ScopeGuard encoder(graph, "encoder");
  const Graph::ScopeGuard block(graph, "block_1");
  const Tensor y = add_op("nn.Linear", {x}, {{"units", 2}});
  EXPECT_EQ(graph.node(y.node()).path(), "encoder/block_1/linear_1");
  EXPECT_TRUE(graph.find_variable("encoder/block_1/linear_1.weight"));
}

TEST(Graph, SharingIsBindingTwoSlotsToOneVariable) {
  Graph graph;
  const Tensor ids = graph.input("ids", {DType::i64, {kRows}});
  const Tensor x = add_op("nn.Embedding", {ids}, {{"count", 10}, {"width", 4}});
  const VarId table = graph.node(x.node()).bindings.front().variable;
  NodeSpec head;
  head.op = &Registry::global().get("nn.Linear");
  head.inputs = {x.value()};
  head.attrs = {{"units", 10}, {"bias", false}, {"transposed", true}};
  head.bindings = {{"weight", table}};
  const NodeId tied = graph.add(std::move(head));
  EXPECT_EQ(graph.variable_ids().size(), 1u);
  EXPECT_EQ(graph.node(tied).bindings.front().variable, table);
  EXPECT_TRUE(problems_of(graph).empty());

  NodeSpec wrong;
  wrong.op = &Registry::global().get("nn.Linear");
  wrong.inputs = {x.value()};
  wrong.attrs = {{"units", 3}};
  wrong.bindings = {{"weight", table}};
  EXPECT_EQ(code_of([&] { graph.add(wrong); }), ErrorCode::binding_mismatch);
}

TEST(Graph, SymbolicShapesAreFollowedThroughShapeArithmetic) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {kRows, 6, 4}});
  const Tensor shape = add_op("Shape", {x});
  const Tensor first = add_op("Gather", {shape, graph.constant(Array::ints({0}))});
  const Tensor target = add_op("Concat", {first, graph.constant(Array::ints({-1, 8}))}, {{"axis", 0}});
  EXPECT_EQ(add_op("Reshape", {x, target}).type().to_string(), "f32[batch, 3, 8]");
}

// ---- Walks

TEST(Walk, OrderPutsInputsFirstAndBreaksTiesById) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor a = -x;
  const Tensor b = a + 1.0;
  Node moved = graph.node(a.node());  // a now uses a later node
  const Tensor late = x * 3.0;
  moved.inputs[0] = late.value();
  graph.put(moved);
  const std::vector<NodeId> order = topological_order(graph);
  auto place = [&](NodeId id) { return std::find(order.begin(), order.end(), id) - order.begin(); };
  EXPECT_LT(place(late.node()), place(a.node()));
  EXPECT_LT(place(a.node()), place(b.node()));
  EXPECT_EQ(order.size(), graph.node_count());
}

TEST(Walk, ACycleIsAnErrorThatNamesIt) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor a = (-x).named("a");
  const Tensor b = (-a).named("b");
  Node node = graph.node(a.node());
  node.inputs[0] = b.value();
  graph.put(node);
  try {
    static_cast<void>(topological_order(graph));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::cycle);
    EXPECT_EQ(error.detail().given, "a cycle: a <- b <- a");
  }
}

TEST(Walk, UsesAncestorsAndDescendants) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor y = x + x;
  const Tensor z = -x;
  const UseMap uses(graph);
  EXPECT_EQ(uses.uses(graph, x.value()), (std::vector<Use>{{y.node(), 0}, {y.node(), 1}, {z.node(), 0}}));
  EXPECT_EQ(ancestors(graph, std::vector{y.value()}), (std::vector{x.node(), y.node()}));
  EXPECT_EQ(descendants(graph, std::vector{y.node()}), (std::vector{y.node()}));
}

TEST(Part, HoldsWhatItsOutputsNeedAndNothingElse) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor y = graph.input("y", {DType::f32, {2}});
  const Tensor w = graph.parameter("w", {DType::f32, {2}}, Initializer::constant(1));
  const Tensor v = graph.parameter("v", {DType::f32, {2}}, Initializer::constant(1));
  const Tensor product = x * w;
  graph.set_output("product", product);
  graph.set_output("sum", product + y * v);
  graph.add_update(graph.find_variable("v"), v + v);

  const Graph part = part_for(graph, {*graph.find_output("product")});
  validate(part);
  EXPECT_EQ(part.node_ids(), (std::vector{x.node(), w.node(), product.node()}));
  EXPECT_EQ(std::vector(part.inputs().begin(), part.inputs().end()), std::vector{x.node()});
  EXPECT_EQ(part.variable_ids(), std::vector{graph.find_variable("w")});
  EXPECT_EQ(part.outputs().size(), 1U);
  EXPECT_TRUE(part.updates().empty());
}

// ---- Expansion

TEST(Expand, KeepsOnlyPlainOpsAndTheSameVariables) {
  Graph model;
  const Tensor x = model.input("x", {DType::f32, {kRows, 5, 8}});
  model.set_output("y", add_op("nn.TransformerBlock", {x}, {{"heads", 2}, {"hidden", 16}}));
  const Expansion expansion = expand(model, Mode::train);
  for (NodeId id : expansion.graph.node_ids()) {
    const Node& node = expansion.graph.node(id);
    EXPECT_FALSE(node.op->composite) << node.path();
    ASSERT_NE(node.origin, nullptr);
  }
  EXPECT_EQ(expansion.graph.variable_ids(), model.variable_ids());
  EXPECT_EQ(expansion.graph.type(expansion.graph.find_output("y")->value), model.type(model.find_output("y")->value));
  EXPECT_TRUE(problems_of(expansion.graph).empty());
}

TEST(Expand, ModeDecidesAboutDropoutAndUpdates) {
  Graph model;
  const Tensor x = model.input("x", {DType::f32, {kRows, 4}});
  Tensor y = add_op("nn.BatchNorm", {x});
  y = add_op("nn.Dropout", {y}, {{"ratio", 0.5}});
  model.set_output("y", y);
  auto count = [](const Graph& graph, std::string_view op) {
    int found = 0;
    for (NodeId id : graph.node_ids()) found += graph.node(id).op->name == op ? 1 : 0;
    return found;
  };
  const Graph train = expand(model, Mode::train).graph;
  const Graph eval = expand(model, Mode::eval).graph;
  EXPECT_EQ(count(train, "Dropout"), 1);
  EXPECT_EQ(count(eval, "Dropout"), 0);
  EXPECT_EQ(train.updates().size(), 2u) << "running mean and variance";
  EXPECT_TRUE(eval.updates().empty());
  EXPECT_EQ(train.variable_ids(), eval.variable_ids());
}

TEST(Expand, StreamsDependOnTheLayerAndNotOnItsNeighbours) {
  auto stream_of_dropout = [](bool with_neighbour) {
    Graph model;
    const Tensor x = model.input("x", {DType::f32, {2, 4}});
    Tensor y = add_op("nn.Dropout", {x}).named("drop");
    if (with_neighbour) y = add_op("nn.Dropout", {y}).named("other");
    model.set_output("y", y);
    const Graph train = expand(model, Mode::train).graph;
    return train.node(train.find_node("drop/mask")).stream;
  };
  EXPECT_NE(stream_of_dropout(false), 0u);
  EXPECT_EQ(stream_of_dropout(false), stream_of_dropout(true));
}

TEST(Reinfer, AWiderLayerResizesWhatFollows) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {kRows, 4}});
  const Tensor hidden = add_op("nn.Linear", {x}, {{"units", 8}}).named("hidden");
  const Tensor y = add_op("nn.Linear", {add_op("Relu", {hidden})}, {{"units", 2}}).named("out");
  graph.set_output("y", y);
  const VarId before = graph.find_variable("out.weight");
  Node wider = graph.node(hidden.node());
  wider.attrs.set("units", 16);
  graph.put(wider);
  reinfer(graph, std::vector{hidden.node()});
  EXPECT_EQ(graph.find_variable("out.weight"), before);
  EXPECT_EQ(graph.variable(before).type.to_string(), "f32[16, 2]");
  EXPECT_EQ(graph.type(y.value()).to_string(), "f32[batch, 2]");
  EXPECT_TRUE(problems_of(graph).empty());
}

}  // namespace
}  // namespace asg
