#include "asg/nn/containers.h"

#include <gtest/gtest.h>

#include "asg/graph/graph.h"
#include "asg/graph/validate.h"
#include "asg/nn/nn.h"
#include "nn/run_layer.h"
#include "support/compare.h"

namespace asg::test {
namespace {

const TensorType kRows{DType::f64, {Dim::symbol("batch"), 3}};

Tensor thinker(const Tensor& x) {
  return nn::sequential(x, {[](const Tensor& t) { return nn::linear(t, 4); }, [](const Tensor& t) { return relu(t); },
                            [](const Tensor& t) { return nn::linear(t, 3); }});
}

TEST(Containers, SequentialAppliesInOrder) {
  Graph graph;
  graph.set_output("y", thinker(graph.input("x", kRows)));
  EXPECT_TRUE(graph.find_variable("linear_1.weight"));
  EXPECT_TRUE(graph.find_variable("linear_2.weight"));
  EXPECT_EQ(graph.type(graph.find_output("y")->value).to_string(), "f64[batch, 3]");
}

TEST(Containers, ResidualAddsTheInput) {
  Graph graph;
  const Tensor x = graph.input("x", kRows);
  graph.set_output("y", nn::residual(x, [](const Tensor& t) { return t * 2.0; }));
  const Array y = run_layer(graph, Mode::eval, {{"x", Array::of<double>({1, 3}, {1, 2, 3})}}).outputs.front();
  EXPECT_TRUE(near(y, Array::of<double>({1, 3}, {3, 6, 9}), 1e-15));
}

TEST(Containers, ABlockIsOneNodeThatComputesWhatItHolds) {
  Graph graph;
  const Tensor x = graph.input("x", kRows);
  const Tensor y = nn::block("think", x, thinker);
  graph.set_output("y", y);
  EXPECT_EQ(graph.node(y.node()).op->name, "Block");
  EXPECT_EQ(graph.node_count(), 2u);
  ASSERT_TRUE(graph.find_variable("think.linear_1.weight"));
  EXPECT_TRUE(problems_of(graph).empty());
  Graph flat;
  flat.set_output("y", thinker(flat.input("x", kRows)));
  const Array rows = Array::of<double>({2, 3}, {1, -2, 3, 0.5, 0.25, -1});
  const LayerRun one = run_layer(graph, Mode::eval, {{"x", rows}});
  NamedArrays same = {{"x", rows}};
  for (const auto& [name, value] : one.variables) same[name.substr(std::string_view("think.").size())] = value;
  EXPECT_TRUE(identical(one.outputs.front(), run_layer(flat, Mode::eval, same).outputs.front()));
}

// Bodies count their nodes from 1, so without care equal blocks would drop the same elements.
TEST(Containers, BlocksDrawRandomNumbersOfTheirOwn) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {8, 8}});
  const auto drop = [](const Tensor& t) { return nn::dropout(t); };
  graph.set_output("first", nn::block("first", x, drop));
  graph.set_output("second", nn::block("second", x, drop));
  Array ones(DType::f64, {8, 8});
  for (std::int64_t at = 0; at < 64; ++at) ones.set(at, 1);
  const LayerRun run = run_layer(graph, Mode::train, {{"x", ones}});
  EXPECT_FALSE(bit_equal(run.outputs[0], run.outputs[1]));
}

TEST(Containers, ABlockUsesOnlyWhatIsPassedIn) {
  Graph graph;
  const Tensor x = graph.input("x", kRows);
  try {
    nn::block("leaky", x, [&](const Tensor& t) { return t + x; });
    ADD_FAILURE() << "was accepted";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::foreign_tensor) << error.what();
  }
}

}  // namespace
}  // namespace asg::test
