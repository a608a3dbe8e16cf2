// Differentiation of whole graphs: structure, refusals, split and link.
#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/autograd/split.h"
#include "asg/backend/interpreter.h"
#include "asg/graph/registry.h"
#include "asg/graph/validate.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"

namespace asg {
namespace {

const TensorType kVector{DType::f64, {3}};

Tensor sum(const Tensor& x) { return add_op("ReduceSum", {x}, {{"keepdims", false}}); }

double scalar(Graph& graph, const Tensor& value, const NamedArrays& inputs) {
  graph.set_output("asked", value);
  Interpreter interpreter;
  return interpreter.download_all(interpreter.execute(graph, interpreter.upload_all(inputs))).at("asked").get(0);
}

TEST(Differentiate, CubeUpToThirdOrder) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {}});
  const Tensor y = x * x * x;
  const Tensor first = add_gradients(y, std::vector{x}).gradients.front();
  const Tensor second = add_gradients(first, std::vector{x}).gradients.front();
  const Tensor third = add_gradients(second, std::vector{x}).gradients.front();
  const NamedArrays at_two = {{"x", Array::scalar(DType::f64, 2)}};
  EXPECT_DOUBLE_EQ(scalar(graph, first, at_two), 12);
  EXPECT_DOUBLE_EQ(scalar(graph, second, at_two), 12);
  EXPECT_DOUBLE_EQ(scalar(graph, third, at_two), 6);
}

TEST(Differentiate, BroadcastIntermediatesAreSummedWhereTheyArise) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {1, 3}});
  const Tensor y = graph.input("y", {DType::f64, {4, 1}});
  const Tensor doubled = x * 2.0;  // an intermediate that is broadcast below
  const Tensor gradient = add_gradients(sum(doubled + y), std::vector{x}).gradients.front();
  EXPECT_EQ(gradient.type(), x.type());
  const double total =
      scalar(graph, sum(gradient), {{"x", Array(DType::f64, {1, 3})}, {"y", Array(DType::f64, {4, 1})}});
  EXPECT_DOUBLE_EQ(total, 2 * 4 * 3);
}

TEST(Differentiate, WorksWithSymbolicLengths) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {Dim::symbol("batch"), 3}});
  const Tensor bias = graph.parameter("bias", kVector, Initializer::zeros());
  const auto result = add_gradients(sum((x + bias) * (x + bias)), std::vector{x, bias});
  EXPECT_EQ(result.gradients[0].type(), x.type());
  EXPECT_EQ(result.gradients[1].type(), bias.type());
  EXPECT_TRUE(result.warnings.empty());
}

TEST(Differentiate, ATargetThatIsNotReachedGivesZerosAndAWarning) {
  Graph graph;
  const Tensor x = graph.input("x", kVector);
  const Tensor y = graph.input("y", kVector);
  const GradientResult result = add_gradients(sum(x), std::vector{y});
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings[0], "the loss does not depend on y; its gradient is zero");
  EXPECT_EQ(result.gradients[0].type(), kVector);
}

TEST(Differentiate, NothingFlowsThroughOpsThatAreZeroByDefinition) {
  Graph graph;
  const Tensor x = graph.input("x", kVector);
  const GradientResult result = add_gradients(sum(add_op("Floor", {x})), std::vector{x});
  EXPECT_EQ(result.warnings.size(), 1u);
}

TEST(Differentiate, GradientNodesCarryTheirOrigin) {
  Graph model;
  const Tensor x = model.input("x", {DType::f32, {2, 3}});
  const Tensor y = add_op("nn.Linear", {x}, {{"units", 4}});
  model.set_output("loss", sum(y));
  const VarId weight = model.find_variable("linear_1.weight");
  ASSERT_TRUE(weight);
  const Differentiated joint =
      differentiate(model, model.find_output("loss")->value, std::vector<VarId>{weight}, Mode::train);
  int gradient_nodes = 0;
  for (NodeId id : joint.graph.node_ids()) {
    const Node& node = joint.graph.node(id);
    ASSERT_NE(node.origin, nullptr) << node.path();
    EXPECT_TRUE(model.has(node.origin->node)) << node.path();
    if (node.origin->role == Role::gradient) ++gradient_nodes;
  }
  EXPECT_GT(gradient_nodes, 0);
  EXPECT_TRUE(problems_of(joint.graph).empty());
}

TEST(Differentiate, TheSameModelGivesTheSameGraph) {
  Graph model;
  const Tensor x = model.input("x", {DType::f32, {Dim::symbol("batch"), 5, 8}});
  const Tensor y = add_op("nn.TransformerBlock", {x}, {{"heads", 2}, {"hidden", 16}, {"dropout", 0.1}});
  model.set_output("loss", sum(y));
  const Value loss = model.find_output("loss")->value;
  const std::vector<Value> targets = {x.value()};
  const Differentiated once = differentiate(model, loss, targets, Mode::train);
  const Differentiated again = differentiate(model, loss, targets, Mode::train);
  EXPECT_TRUE(once.graph == again.graph);
}

// ---- Split and link

struct Joint {
  Graph graph;
  std::vector<Value> gradients;
};

Joint small_joint() {
  Graph graph("small", GraphId{7});
  const Tensor x = graph.input("x", kVector);
  const Tensor w = graph.parameter("w", kVector, Initializer::ones());
  graph.set_output("loss", sum(x * w * w));
  const Differentiated joint =
      differentiate(graph, graph.find_output("loss")->value, std::vector<VarId>{graph.find_variable("w")}, Mode::train);
  return {joint.graph, joint.gradients};
}

TEST(Split, LinkRestoresTheJointGraph) {
  const Joint joint = small_joint();
  const SplitGraphs parts = split(joint.graph);
  EXPECT_EQ(parts.gradient.id().number, 8u);
  EXPECT_LT(parts.forward.node_count(), joint.graph.node_count());
  EXPECT_TRUE(problems_of(parts.forward).empty());
  EXPECT_TRUE(link(parts.forward, parts.gradient) == joint.graph);
}

TEST(Split, ForwardAndThenGradientOverOneCache) {
  const SplitGraphs parts = split(small_joint().graph);
  Interpreter interpreter;
  Cache cache;
  const NodeId x = parts.forward.inputs().front();
  const NodeId w = parts.forward.reader_of(parts.forward.find_variable("w"));
  cache[{parts.forward.id(), {x, 0}}] = interpreter.upload(Array::of<double>({3}, {1, 2, 3}));
  cache[{parts.forward.id(), {w, 0}}] = interpreter.upload(Array::of<double>({3}, {4, 5, 6}));
  CachedRun forward = interpreter.run(parts.forward, std::move(cache));
  EXPECT_DOUBLE_EQ(interpreter.download(forward.outputs.at(0)).get(0), 16 + 50 + 108);
  const CachedRun gradient = interpreter.run(parts.gradient, std::move(forward.cache));
  const Array result = interpreter.download(gradient.outputs.at(0));
  EXPECT_DOUBLE_EQ(result.get(0), 8);  // 2 x w
  EXPECT_DOUBLE_EQ(result.get(1), 20);
  EXPECT_DOUBLE_EQ(result.get(2), 36);
}

TEST(Split, LinkRefusesAnotherForwardGraph) {
  const SplitGraphs parts = split(small_joint().graph);
  Graph other("other", GraphId{9});
  other.set_output("x", other.input("x", kVector));
  try {
    static_cast<void>(link(other, parts.gradient));
    FAIL() << "linked to a graph that it does not belong to";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown_graph);
  }
}

// ---- Refusals

TEST(Differentiate, RefusesALossThatIsNotOneNumber) {
  Graph graph;
  const Tensor x = graph.input("x", kVector);
  try {
    add_gradients(x * 2.0, std::vector{x});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_scalar);
    EXPECT_NE(std::string(error.what()).find("a loss of type f64[3]"), std::string::npos);
  }
}

TEST(Differentiate, RefusesToGoThroughALayerThatIsNotExpanded) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {2, 3}});
  try {
    add_gradients(sum(add_op("nn.Linear", {x}, {{"units", 2}})), std::vector{x});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::no_gradient);
    EXPECT_NE(std::string(error.what()).find("expand the graph first"), std::string::npos);
  }
}

}  // namespace
}  // namespace asg
