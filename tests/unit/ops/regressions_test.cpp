// Mistakes that others made with shapes, broadcasting and sizes. The name of a test says the mistake.
#include <algorithm>

#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/graph/graph.h"
#include "asg/graph/registry.h"
#include "asg/graph/samples.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

// A graph with an input of each type, given to an op in this order.
struct Build {
  const char* op;
  std::vector<const char*> types;
  Attrs attrs = {};
  std::vector<std::int64_t> numbers = {};  // a last input: constant integers
};

Tensor built(Graph& graph, const Build& build) {
  std::vector<Tensor> inputs;
  for (const char* type : build.types) {
    inputs.push_back(graph.input("x" + std::to_string(inputs.size()), TensorType::parse(type)));
  }
  if (!build.numbers.empty()) inputs.push_back(graph.constant(Array::ints(build.numbers)));
  return add_op(build.op, inputs, build.attrs);
}

std::string described(const Build& build) {
  std::string text = build.op;
  for (const char* type : build.types) text += std::string(" ") + type;
  return text;
}

// Axes count from the last, and lengths are equal or 1; a symbol equals only itself.
TEST(Regressions, ShapeInferenceThatAcceptsBadBroadcasts) {
  std::vector<Build> rows = {
      {"Where", {"bool[2]", "f32[2, 3]", "f32[2, 3]"}},
      {"Where", {"bool[2, 3]", "f32[2, 3]", "f32[2]"}},
      {"Sum", {"f32[3]", "f32[2, 3]", "f32[2, 2]"}},
      {"MatMul", {"f32[2, 3, 4]", "f32[5, 4, 6]"}},
      {"MatMul", {"f32[3, 4]", "f32[3, 4]"}},
      {"Gemm", {"f32[2, 3]", "f32[3, 4]", "f32[2]"}},
      {"Expand", {"f32[2, 3]"}, {}, {2, 4}},
      {"PRelu", {"f32[2, 3]", "f32[2]"}},
      {"PRelu", {"f32[3]", "f32[2, 3]"}},
      {"BatchNormalization", {"f32[2, 3]", "f32[2]", "f32[2]", "f32[2]", "f32[2]"}},
      {"Attention", {"f32[2, 1, 3, 4]", "f32[2, 1, 5, 4]", "f32[2, 1, 5, 4]", "bool[2, 5]"}},
      // A column of predictions and a row of targets are no pairs, although they could be broadcast.
      {"loss.MeanSquaredError", {"f32[4, 1]", "f32[4]"}},
      {"loss.MeanSquaredError", {"f32[n, 1]", "f32[n]"}},
  };
  for (const char* op : {"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Mean", "Equal", "Less", "GreaterOrEqual"}) {
    const std::vector<std::vector<const char*>> pairs = {{"f32[2, 3]", "f32[2]"}, {"f32[2, 3]", "f32[3, 2]"},
                                                         {"f32[0]", "f32[2]"},    {"f32[n]", "f32[m]"},
                                                         {"f32[n]", "f32[2]"},    {"f32[n, 1]", "f32[n + 1, 1]"}};
    for (const auto& pair : pairs) rows.push_back({op, pair});
  }
  for (const Build& row : rows) {
    Graph graph;
    EXPECT_THROW(built(graph, row), UserError) << described(row);
  }
}

// -1 is the length that is left, or the last axis, or the last place; never 0, and never a length of an input.
TEST(Regressions, ShapeInferenceThatTurnsMinusOneInto0) {
  const std::pair<Build, const char*> rows[] = {
      {{"Reshape", {"f32[2, 6]"}, {}, {-1}}, "[12]"},
      {{"Reshape", {"f32[2, 6]"}, {}, {4, -1}}, "[4, 3]"},
      {{"Reshape", {"f32[batch, 6]"}, {}, {-1, 3}}, "[2*batch, 3]"},
      {{"Reshape", {"f32[batch, 4, 4]"}, {}, {0, -1}}, "[batch, 16]"},
      {{"Squeeze", {"f32[1, 2, 1]"}, {}, {-1}}, "[1, 2]"},
      {{"Unsqueeze", {"f32[2, 3]"}, {}, {-1}}, "[2, 3, 1]"},
      {{"ReduceSum", {"f32[2, 3]"}, {}, {-1}}, "[2, 1]"},
      {{"ReduceMax", {"f32[2, 3]"}, {{"keepdims", false}}, {-1}}, "[2]"},
      {{"ArgMax", {"f32[2, 3]"}, {{"axis", -1}, {"keepdims", false}}}, "[2]"},
      {{"Concat", {"f32[2, 3]", "f32[2, 4]"}, {{"axis", -1}}}, "[2, 7]"},
      {{"Stack", {"f32[2, 3]", "f32[2, 3]"}, {{"axis", -1}}}, "[2, 3, 2]"},
      {{"Flatten", {"f32[2, 3, 4]"}, {{"axis", -1}}}, "[6, 4]"},
      {{"Gather", {"f32[2, 3]"}, {{"axis", -1}}, {-1, 0}}, "[2, 2]"},
  };
  for (const auto& [build, shape] : rows) {
    Graph graph;
    EXPECT_EQ(built(graph, build).shape(), Shape::parse(shape)) << described(build);
  }
  Graph graph;
  const Tensor x = graph.input("x", TensorType::parse("f32[2, 6]"));
  for (const std::vector<std::int64_t>& bad : {std::vector<std::int64_t>{5, -1}, {-1, -1}, {-2, 6}}) {
    EXPECT_THROW(add_op("Reshape", {x, graph.constant(Array::ints(bad))}), UserError);
  }
  EXPECT_THROW(add_op("Expand", {x, graph.constant(Array::ints({2, -6}))}), UserError);
  EXPECT_THROW(graph.input("y", {DType::f32, {Dim(-1), 3}}), UserError);
  EXPECT_THROW(graph.parameter("w", {DType::f32, {Dim(-1), 3}}, Initializer::zeros()), UserError);
  EXPECT_FALSE(graph.find_variable("w"));
}

struct Operands {
  Sizes a;
  Sizes b;
  Sizes result;
};

// Rows, columns, axes in the middle and axes that are missing: the result is that of operands that were spread before.
TEST(Regressions, BroadcastingForOneElementOperandsOnly) {
  const Operands shapes[] = {{{2, 3}, {3}, {2, 3}},
                             {{2, 3}, {2, 1}, {2, 3}},
                             {{2, 1}, {1, 3}, {2, 3}},
                             {{2, 1, 4}, {3, 1}, {2, 3, 4}},
                             {{2, 3, 4, 5}, {3, 1, 5}, {2, 3, 4, 5}},
                             {{1, 3, 1}, {2, 1, 4}, {2, 3, 4}},
                             {{2, 3}, {}, {2, 3}}};
  for (const char* name :
       {"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Mean", "Equal", "Less", "GreaterOrEqual"}) {
    const OpCard& op = Registry::global().get(name);
    for (const Operands& shape : shapes) {
      const Array a = sample_value(in(shape.a, 0.5, 2), name, "broadcast", 0);
      const Array b = sample_value(in(shape.b, 0.5, 2), name, "broadcast", 1);
      const Array wide_a = a.broadcast_to(shape.result).copy();
      const Array wide_b = b.broadcast_to(shape.result).copy();
      SCOPED_TRACE(std::string(name) + " " + a.type_string() + " " + b.type_string());
      EXPECT_TRUE(identical(run_op(op, {}, {a, b})[0], run_op(op, {}, {wide_a, wide_b})[0]));
      EXPECT_TRUE(identical(run_op(op, {}, {b, a})[0], run_op(op, {}, {wide_b, wide_a})[0]));
    }
  }
  const Array condition = Array::of<bool>({2, 1}, {true, false});
  const Array row = Array::of<double>({3}, {1, 2, 3});
  const Array chosen = run_op(Registry::global().get("Where"), {}, {condition, row, Array::scalar(DType::f64, 9)})[0];
  EXPECT_TRUE(identical(chosen, Array::of<double>({2, 3}, {1, 2, 3, 9, 9, 9})));
}

// Above 65535 · 64 elements, the end is computed as the beginning is, forward and back.
TEST(Regressions, TensorsCappedAt4MillionElements) {
  constexpr std::int64_t kCount = 65535 * 64 + 67;
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {kCount}});
  const Tensor y = x * x + 1.0;
  graph.set_output("y", y);
  const Tensor sum = add_op("ReduceSum", {y}, {{"keepdims", false}});
  graph.set_output("sum", sum);
  graph.set_output("gradient", add_gradients(sum, std::vector{x}).gradients.front());
  Array ones(DType::f32, {kCount});
  for (float& element : ones.mutable_data<float>()) element = 1;
  ones.set(kCount - 1, 3);
  const auto results = run_graph(graph, std::vector{ones});
  const auto squares = results[0].data<float>();
  const auto gradient = results[2].data<float>();
  ASSERT_EQ(squares.size(), static_cast<std::size_t>(kCount));
  ASSERT_EQ(gradient.size(), static_cast<std::size_t>(kCount));
  EXPECT_EQ(std::count(squares.begin(), squares.end() - 1, 2.0F), kCount - 1);
  EXPECT_EQ(squares.back(), 10);
  EXPECT_EQ(results[1].get(0), 2.0 * (kCount - 1) + 10);
  EXPECT_EQ(std::count(gradient.begin(), gradient.end() - 1, 2.0F), kCount - 1);
  EXPECT_EQ(gradient.back(), 6);
}

}  // namespace
}  // namespace asg::test
