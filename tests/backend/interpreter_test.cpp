// The interpreter runs graphs of plain ops, subgraphs and steps with state.
#include "asg/backend/interpreter.h"

#include <gtest/gtest.h>

#include "asg/ops/ops.h"

namespace asg {
namespace {

Array floats(Sizes sizes, std::vector<float> values) { return Array::of<float>(std::move(sizes), values); }

TEST(Interpreter, RunsAGraph) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 2}});
  const Tensor w = graph.constant(floats({2, 1}, {10, 100}));
  graph.set_output("y", add_op("MatMul", {x, w}) + 0.5);
  Interpreter interp;
  const NamedArrays outputs =
      interp.download_all(interp.execute(graph, interp.upload_all({{"x", floats({3, 2}, {1, 2, 3, 4, 5, 6})}})));
  EXPECT_TRUE(bit_equal(outputs.at("y"), floats({3, 1}, {210.5, 430.5, 650.5})));
}

// x ← x + step, for a counter that starts at 1.
TEST(Interpreter, CommitsUpdatesTogether) {
  Graph graph;
  const VarId a = graph.add_variable({.id = {}, .name = "a", .type = {DType::f32, {}}, .init = {}});
  const VarId b = graph.add_variable({.id = {}, .name = "b", .type = {DType::f32, {}}, .init = {}});
  const Tensor finite = graph.input("fine", {DType::boolean, {}});
  graph.add_update(a, graph.read(b));
  graph.add_update(b, graph.read(a));
  graph.set_output(std::string(kAllFinite), finite);
  Interpreter interp;
  const auto step = interp.compile(graph);
  step->write(a, Array::scalar(DType::f32, 1));
  step->write(b, Array::scalar(DType::f32, 2));
  EXPECT_TRUE(step->run({{"fine", Array::scalar(DType::boolean, 1)}}).committed);
  EXPECT_EQ(step->read(a).get(0), 2);
  EXPECT_EQ(step->read(b).get(0), 1);
  EXPECT_FALSE(step->run({{"fine", Array::scalar(DType::boolean, 0)}}).committed);
  EXPECT_EQ(step->read(a).get(0), 2);
}

}  // namespace
}  // namespace asg
