// How a model becomes a graph: names, dims, parameters, subgraphs, functions.
#include <gtest/gtest.h>

#include "asg/graph/json.h"
#include "asg/graph/registry.h"
#include "asg/graph/validate.h"
#include "asg/io/onnx.h"
#include "io/onnx_text.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

Array floats_of(Sizes sizes, const std::vector<float>& values) { return Array::of<float>(std::move(sizes), values); }

Array run_one(const Graph& graph, const std::vector<Array>& inputs) { return run_graph(graph, inputs).front(); }

std::string two_by_three() { return input("x", 1, {"2", "3"}); }

TEST(OnnxReader, MakesSymbolsOfNamedDims) {
  const Graph graph =
      io::read_onnx(model(13, input("x", 1, {"N", "seq-len", "3"}) + output("y") + node("Relu", {"x"}, {"y"}))).graph;
  EXPECT_EQ(graph.type(graph.find_output("y")->value).to_string(), "f32[N, seq_len, 3]");
}

TEST(OnnxReader, KeepsDimsApartWhoseNamesDifferInLettersThatSymbolsLack) {
  const Graph graph =
      io::read_onnx(model(13, input("a", 1, {"n-1", "n+1"}) + output("y") + node("Relu", {"a"}, {"y"}))).graph;
  EXPECT_EQ(graph.type(graph.find_output("y")->value).to_string(), "f32[n_1, n_1_2]");
}

TEST(OnnxReader, TrainsFloatsOfRankOneAndMoreWhereAGradientReachesThem) {
  const std::string bytes = model(
      13, two_by_three() + output("y") + initializer("weight/w", {3, 2}, {1, 2, 3, 4, 5, 6}) +
              initializer("half", {}, {0.5}) + integers("shape", {2, 1, 2}) + node("MatMul", {"x", "weight/w"}, {"m"}) +
              node("Mul", {"m", "half"}, {"s"}) + node("Reshape", {"s", "shape"}, {"y"}));
  const Graph graph = io::read_onnx(bytes).graph;
  ASSERT_EQ(graph.variable_ids().size(), 1U);
  const Variable& weight = graph.variable(graph.variable_ids().front());
  EXPECT_EQ(weight.name, "weight/w");
  EXPECT_TRUE(weight.trainable);
  EXPECT_TRUE(identical(initial_value(weight, 1), floats_of({3, 2}, {1, 2, 3, 4, 5, 6})));
  EXPECT_TRUE(problems_of(graph).empty());
  EXPECT_EQ(read_json(to_json(graph)), graph);
  EXPECT_TRUE(io::read_onnx(bytes, {.trainable = false}).graph.variable_ids().empty());
}

TEST(OnnxReader, TakesInputsWithInitialisersAsInitialisers) {
  const auto read = io::read_onnx(model(13, two_by_three() + input("w", 1, {"3"}) + initializer("w", {3}, {1, 2, 3}) +
                                                output("y") + node("Mul", {"x", "w"}, {"y"})));
  EXPECT_EQ(read.graph.inputs().size(), 1U);
  EXPECT_EQ(read.inputs, (std::map<std::string, std::string, std::less<>>{{"x", "x"}}));
}

TEST(OnnxReader, NamesNodesByTheirPathsAndInputsWithoutSlashes) {
  std::string relu = node("Relu", {"in/x"}, {"y"});
  relu.insert(relu.rfind('}'), "name: '/encoder/act' ");
  std::string again = node("Relu", {"y"}, {"z"});
  again.insert(again.rfind('}'), "name: 'encoder/act' ");
  const auto read = io::read_onnx(model(13, input("in/x", 1, {"2"}) + output("z") + relu + again));
  EXPECT_TRUE(read.graph.find_node("encoder/act"));
  EXPECT_TRUE(read.graph.find_node("encoder/act_2"));
  EXPECT_EQ(read.inputs.at("in/x"), "in.x");
}

TEST(OnnxReader, ReadsShapesThatAreInputsFromTheValuesGiven) {
  const std::string bytes =
      model(13, two_by_three() + input("shape", 7, {"2"}) + output("y") + node("Reshape", {"x", "shape"}, {"y"}));
  EXPECT_THROW(io::read_onnx(bytes), UserError);
  const auto read = io::read_onnx(bytes, {.given = {{"shape", Array::ints({3, -1})}}});
  EXPECT_EQ(read.graph.type(read.graph.find_output("y")->value).to_string(), "f32[3, 2]");
  EXPECT_FALSE(read.inputs.contains("shape"));
}

TEST(OnnxReader, WritesFloatAttributesAsPeopleWroteThem) {
  const Graph graph =
      io::read_onnx(model(16, two_by_three() + output("y") + node("LeakyRelu", {"x"}, {"y"}, attr_f("alpha", 0.3))))
          .graph;
  EXPECT_EQ(graph.node(graph.find_output("y")->value.node).attrs.find("alpha")->as_real(), 0.3);
}

// if c: x + w else -(x + 1), where w is a value of the graph around and 1 a constant of it.
std::string branches() {
  return two_by_three() + input("c", 9, {"1"}) + output("y") + initializer("one", {}, {1}) + node("Abs", {"x"}, {"w"}) +
         node("If", {"c"}, {"y"},
              attr_graph("then_branch", output("sum") + node("Add", {"x", "w"}, {"sum"})) +
                  attr_graph("else_branch",
                             output("minus") + node("Add", {"x", "one"}, {"more"}) + node("Neg", {"more"}, {"minus"})));
}

TEST(OnnxReader, TurnsOuterNamesOfBranchesIntoCaptures) {
  const Graph graph = io::read_onnx(model(16, branches()), {.trainable = false}).graph;
  const Node& node = graph.node(graph.find_output("y")->value.node);
  EXPECT_EQ(node.inputs.size(), 3U);  // the condition, x and w; the constant is in the branch that uses it
  const Array x = floats_of({2, 3}, {1, -2, 3, -4, 5, -6});
  EXPECT_TRUE(identical(run_one(graph, {x, Array::of<bool>({1}, {true})}), floats_of({2, 3}, {2, 0, 6, 0, 10, 0})));
  EXPECT_TRUE(identical(run_one(graph, {x, Array::of<bool>({1}, {false})}), floats_of({2, 3}, {-2, 1, -4, 3, -6, 5})));
}

// Three times s ← s + |x|, where |x| is a value of the graph around.
TEST(OnnxReader, PassesStatesAndCapturesToLoops) {
  const std::string body = input("i", 7, {}) + input("c", 9, {}) + input("s", 1, {"2", "3"}) + output("c") +
                           output("next") + node("Add", {"s", "w"}, {"next"});
  const Graph graph = io::read_onnx(model(16, two_by_three() + output("y") + node("Abs", {"x"}, {"w"}) +
                                                  "initializer { name: 'three' data_type: 7 int64_data: 3 } " +
                                                  node("Loop", {"three", "", "x"}, {"y"}, attr_graph("body", body))))
                          .graph;
  const Array x = floats_of({2, 3}, {1, -2, 3, -4, 5, -6});
  EXPECT_TRUE(identical(run_one(graph, {x}), floats_of({2, 3}, {4, 4, 12, 8, 20, 12})));
}

TEST(OnnxReader, PutsFunctionsInPlaceOfTheirCalls) {
  const std::string function =
      "functions { name: 'Leak' domain: 'mine' input: 'a' output: 'b' attribute: 'slope' opset_import { version: 16 } "
      "node { op_type: 'LeakyRelu' input: 'a' output: 't' attribute { name: 'alpha' ref_attr_name: 'slope' type: FLOAT "
      "} } "
      "node { op_type: 'Neg' input: 't' output: 'b' } } ";
  const std::string call =
      "node { op_type: 'Leak' domain: 'mine' name: 'leak' input: 'x' output: 'y' " + attr_f("slope", 0.5) + "} ";
  const Graph graph =
      io::read_onnx(
          model_bytes("ir_version: 8 opset_import { version: 16 } opset_import { domain: 'mine' version: 1 } " +
                      function + "graph { name: 'g' " + two_by_three() + output("y") + call + "}"))
          .graph;
  EXPECT_TRUE(graph.find_node("leak/LeakyRelu"));
  const Array x = floats_of({2, 3}, {1, -2, 3, -4, 5, -6});
  EXPECT_TRUE(identical(run_one(graph, {x}), floats_of({2, 3}, {-1, 1, -3, 2, -5, 3})));
}

TEST(OnnxReader, EndsSoonWhereEveryNodeHasTheSameName) {
  std::string graph = two_by_three() + output("v5000");
  for (int number = 0; number < 5000; ++number) {
    const std::string before = number == 0 ? "x" : "v" + std::to_string(number);
    std::string relu = node("Relu", {before}, {"v" + std::to_string(number + 1)});
    graph += relu.insert(relu.rfind('}'), "name: 'same' ");
  }
  EXPECT_TRUE(io::read_onnx(model(13, graph)).graph.find_node("same_5000"));
}

TEST(OnnxReader, GivesRandomOpsTheSeedOfTheGraph) {
  const std::string bytes =
      model(13, two_by_three() + output("y") + "initializer { name: 'train' data_type: 9 int32_data: 1 } " +
                    node("Dropout", {"x", "", "train"}, {"y"}));
  const Graph graph = io::read_onnx(bytes).graph;
  EXPECT_TRUE(graph.find_variable(kSeedVariable));
  EXPECT_TRUE(graph.find_variable(kStepVariable));
  EXPECT_TRUE(problems_of(graph).empty());
}

// Five numbers in windows of two, three apart, with one of padding: two windows, as ONNX Runtime has them.
TEST(OnnxReader, AveragesWithCeilModeLeaveOutWindowsInThePadding) {
  const Graph graph = io::read_onnx(model(19, input("x", 1, {"1", "1", "5"}) + output("y") +
                                                  node("AveragePool", {"x"}, {"y"},
                                                       attr_ints("kernel_shape", {2}) + attr_ints("strides", {3}) +
                                                           attr_ints("pads", {1, 1}) + attr_i("ceil_mode", 1))))
                          .graph;
  EXPECT_TRUE(identical(run_one(graph, {floats_of({1, 1, 5}, {1, 2, 3, 4, 5})}), floats_of({1, 1, 2}, {1, 3.5})));
}

}  // namespace
}  // namespace asg::test
