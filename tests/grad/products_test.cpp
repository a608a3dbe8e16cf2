// vjp and jvp as graph-to-graph functions: names, types, symbols, refusals.
#include "asg/autograd/products.h"

#include <gtest/gtest.h>

#include "asg/backend/interpreter.h"
#include "asg/graph/validate.h"
#include "asg/nn/nn.h"

namespace asg {
namespace {

const TensorType kPair{DType::f64, {2}};

NamedArrays run_product(const Graph& graph, const NamedArrays& values) {
  Interpreter interpreter;
  return interpreter.download_all(interpreter.execute(graph, interpreter.upload_all(values)));
}

// y = (x₀², x₀·x₁) has the Jacobian [[2x₀, 0], [x₁, x₀]].
struct Example {
  Graph graph;
  std::vector<Value> x;
  std::vector<Value> y;

  Example() {
    const Tensor input = graph.input("x", kPair);
    const Tensor first = add_op("Gather", {input, graph.constant(Array::ints({0, 0}))});
    const Tensor product = input * first;
    x = {input.value()};
    y = {product.value()};
    graph.set_output("y", product);
  }
};

TEST(Products, VjpIsTheTransposedJacobianTimesAVector) {
  const Example example;
  const JacobianProduct made = vjp(example.graph, example.y, {}, example.x);
  EXPECT_TRUE(problems_of(made.graph).empty());
  EXPECT_TRUE(made.warnings.empty());
  const NamedArrays results = run_product(
      made.graph, {{"x", Array::of<double>({2}, {3, 5})}, {"cotangent:0", Array::of<double>({2}, {1, 10})}});
  EXPECT_DOUBLE_EQ(results.at("vjp:0").get(0), 6 + 50);
  EXPECT_DOUBLE_EQ(results.at("vjp:0").get(1), 30);
  EXPECT_DOUBLE_EQ(results.at("y").get(1), 15);
}

TEST(Products, JvpIsTheJacobianTimesAVector) {
  const Example example;
  const JacobianProduct made = jvp(example.graph, example.y, example.x, {});
  EXPECT_TRUE(problems_of(made.graph).empty());
  const NamedArrays results =
      run_product(made.graph, {{"x", Array::of<double>({2}, {3, 5})}, {"tangent:0", Array::of<double>({2}, {1, 10})}});
  EXPECT_DOUBLE_EQ(results.at("jvp:0").get(0), 6);
  EXPECT_DOUBLE_EQ(results.at("jvp:0").get(1), 5 + 30);
}

TEST(Products, VectorsMayBeValuesOfTheGraph) {
  Example example;
  const std::vector<Value> ones = {example.graph.constant(Array::of<double>({2}, {1, 1})).value()};
  const JacobianProduct made = jvp(example.graph, example.y, example.x, ones);
  EXPECT_EQ(made.graph.inputs().size(), 1u);
  EXPECT_DOUBLE_EQ(run_product(made.graph, {{"x", Array::of<double>({2}, {3, 5})}}).at("jvp:0").get(1), 8);
}

TEST(Products, WorkThroughLayersForAnyLength) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {Dim::symbol("batch"), 3}});
  const Tensor y = add_op("nn.Linear", {x}, {{"units", 2}});
  const JacobianProduct forward = jvp(graph, std::vector{y.value()}, std::vector{x.value()}, {});
  EXPECT_EQ(forward.graph.type(forward.products[0]), y.type());
  const JacobianProduct back = vjp(graph, std::vector{y.value()}, {}, std::vector{x.value()});
  EXPECT_EQ(back.graph.type(back.products[0]), x.type());
}

TEST(Products, WhatDoesNotDependGivesZerosAndAWarning) {
  Graph graph;
  const Tensor x = graph.input("x", kPair);
  const Tensor y = graph.input("y", kPair);
  const Tensor z = y * 2.0;
  const JacobianProduct made = jvp(graph, std::vector{z.value()}, std::vector{x.value()}, {});
  ASSERT_EQ(made.warnings.size(), 1u);
  EXPECT_EQ(made.warnings[0], "1 of 1 outputs do not depend on what is moved; they stay where they are");
  const Array here = Array::of<double>({2}, {3, 5});
  EXPECT_DOUBLE_EQ(run_product(made.graph, {{"x", here}, {"y", here}, {"tangent:0", here}}).at("jvp:0").get(1), 0);
}

TEST(Products, RefuseVectorsThatDoNotFit) {
  Example example;
  const std::vector<Value> scalar = {example.graph.scalar(DType::f64, 1).value()};
  const auto code_of = [](const auto& call) -> std::optional<ErrorCode> {
    try {
      call();
    } catch (const UserError& error) {
      return error.code();
    }
    return std::nullopt;
  };
  EXPECT_EQ(code_of([&] { vjp(example.graph, example.y, scalar, example.x); }), ErrorCode::type_mismatch);
  EXPECT_EQ(code_of([&] { jvp(example.graph, example.y, example.x, scalar); }), ErrorCode::type_mismatch);
  const std::vector<Value> two = {scalar[0], scalar[0]};
  EXPECT_EQ(code_of([&] { jvp(example.graph, example.y, example.x, two); }), ErrorCode::wrong_input_count);
  EXPECT_EQ(code_of([&] { jvp(example.graph, example.y, {}, {}); }), ErrorCode::wrong_input_count);
}

}  // namespace
}  // namespace asg
