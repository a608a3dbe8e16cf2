#include "asg/compile/specialise.h"

#include <gtest/gtest.h>

#include "asg/graph/expand.h"
#include "asg/graph/text.h"
#include "asg/graph/validate.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"

namespace asg::test {
namespace {

template <class F>
std::string message_of(F run) {
  try {
    run();
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

Dim symbol(const char* name) { return Dim::symbol(name); }

Graph open_example() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {symbol("batch"), 4}});
  const Tensor y = graph.input("y", {DType::f32, {symbol("batch"), symbol("width")}});
  const Tensor joined = concat({x, y}, 1);
  graph.set_output("z", reshape(joined, shape(concat({y, x}, 1))));
  return graph;
}

TEST(Specialise, MakesAllLengthsIntegers) {
  const Graph graph = open_example();
  const Specialised made = specialise(graph, {{"batch", 3}, {"width", 2}});
  EXPECT_TRUE(problems_of(made.graph).empty());
  EXPECT_EQ(to_text(made.graph), R"(graph "model": 6 nodes, 0 variables
inputs
  %1 "x" : f32[3, 4]
  %2 "y" : f32[3, 2]
nodes
  %3 = Concat(%1, %2) {axis=1} : f32[3, 6]
  %4 = Concat(%2, %1) {axis=1} : f32[3, 6]
  %5 = Shape(%4) : i64[2]
  %6 = Reshape(%3, %5) : f32[3, 6]
outputs
  "z" = %6 : f32[3, 6]
)");
  EXPECT_EQ(made.remap({NodeId{5}, 0}), (Value{NodeId{5}, 0}));
}

TEST(Specialise, KeepsVariablesAndLayers) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {symbol("batch"), 4}});
  graph.set_output("y", nn::linear(x, 5));
  const Graph whole = specialise(graph, {{"batch", 3}}).graph;
  EXPECT_TRUE(problems_of(whole).empty());
  EXPECT_EQ(whole.variable_ids(), graph.variable_ids());
  EXPECT_EQ(whole.type(whole.outputs()[0].value).to_string(), "f32[3, 5]");
  const Graph plain = specialise(expand(graph, Mode::train).graph, {{"batch", 3}}).graph;
  EXPECT_TRUE(problems_of(plain).empty());
  EXPECT_EQ(plain.type(plain.outputs()[0].value).to_string(), "f32[3, 5]");
}

TEST(Specialise, ReadsLengthsOffSizes) {
  EXPECT_EQ(symbol_lengths(open_example(), {{"x", {3, 4}}, {"y", {3, 2}}}),
            (SymbolLengthsByName{{"batch", 3}, {"width", 2}}));
}

TEST(Specialise, NamesTheInputThatDoesNotFit) {
  const Graph graph = open_example();
  EXPECT_EQ(message_of([&] { symbol_lengths(graph, {{"x", {3, 4}}, {"y", {5, 2}}}); }),
            "bad_shape: sizes [5, 2] for input 'y' of type f32[batch, width]\n"
            "  needed: a length of 3, which batch has elsewhere on axis 0\n"
            "  to mend: give sizes that fit the graph, or change the graph");
  EXPECT_EQ(message_of([&] { symbol_lengths(graph, {{"x", {3, 5}}, {"y", {3, 2}}}); }),
            "bad_shape: sizes [3, 5] for input 'x' of type f32[batch, 4]\n"
            "  needed: a length of 4 on axis 1\n"
            "  to mend: give sizes that fit the graph, or change the graph");
  EXPECT_EQ(message_of([&] { symbol_lengths(graph, {{"x", {3}}, {"y", {3, 2}}}); }),
            "bad_shape: sizes [3] for input 'x' of type f32[batch, 4]\n"
            "  needed: rank 2\n"
            "  to mend: give sizes that fit the graph, or change the graph");
  EXPECT_EQ(message_of([&] { symbol_lengths(graph, {{"x", {3, 4}}}); }),
            "missing_value: no sizes for input 'y'\n"
            "  needed: sizes that fit f32[batch, width]\n"
            "  to mend: give the sizes of every input that has symbols");
  EXPECT_EQ(message_of([&] { symbol_lengths(graph, {{"X", {3, 4}}}); }),
            "unknown_node: sizes for input 'X' of graph 'model'\n"
            "  needed: the name of an input of the graph\n"
            "  to mend: did you mean 'x'?");
  EXPECT_EQ(message_of([&] { specialise(graph, {{"batch", 3}}); }),
            "missing_value: no length for 'width' of input 'y' of type f32[batch, width]\n"
            "  needed: a length for every symbol\n"
            "  to mend: give its length, or sizes of an input in which it stands alone");
}

TEST(Specialise, ChecksBoundsAndExpressions) {
  Graph graph;
  graph.input("x", {DType::f32, {Dim::symbol("seq", 8)}});
  graph.input("y", {DType::f32, {Dim(2) * Dim::symbol("seq", 8)}});
  EXPECT_EQ(message_of([&] { symbol_lengths(graph, {{"x", {9}}, {"y", {18}}}); }),
            "bad_shape: sizes [9] for input 'x' of type f32[seq<=8]\n"
            "  needed: a length of at most 8 on axis 0\n"
            "  to mend: give sizes that fit the graph, or change the graph");
  EXPECT_EQ(message_of([&] { symbol_lengths(graph, {{"x", {3}}, {"y", {7}}}); }),
            "bad_shape: sizes [7] for input 'y' of type f32[2*seq<=8]\n"
            "  needed: a length of 6, which is 2*seq<=8 on axis 0\n"
            "  to mend: give sizes that fit the graph, or change the graph");
  EXPECT_NE(
      message_of([&] { specialise(graph, {{"seq", 9}}); }).find("a length of 9 for input 'x' of type f32[seq<=8]"),
      std::string::npos);
  EXPECT_EQ(specialise(graph, {{"seq", 8}}).graph.type({NodeId{2}, 0}).to_string(), "f32[16]");
}

// What only holds for some lengths is found when they are known.
TEST(Specialise, SaysWhereLengthsDoNotFit) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {symbol("n")}});
  graph.set_output("y", reshape(x, {2, -1}).named("halves"));
  const std::string text = message_of([&] { specialise(graph, {{"n", 3}}); });
  EXPECT_NE(text.find("bad_shape"), std::string::npos);
  EXPECT_NE(text.find("halves"), std::string::npos);
}

}  // namespace
}  // namespace asg::test
