// Call, Print and random ops in whole graphs.
#include <cmath>

#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/backend/interpreter.h"
#include "asg/core/log.h"
#include "asg/graph/expand.h"
#include "asg/graph/json.h"
#include "asg/graph/validate.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

NamedArrays run(const Graph& graph, const NamedArrays& inputs) {
  Interpreter interpreter;
  return interpreter.download_all(interpreter.execute(graph, interpreter.upload_all(inputs)));
}

Tensor sum_of_all(const Tensor& x) { return add_op("ReduceSum", {x}, {{"keepdims", false}}); }

Tensor number(Graph& graph, std::uint64_t value) { return graph.constant(Array::of<std::uint64_t>({}, {value})); }

// noisy(x, seed, step) = dropout(x · x)
GraphPtr noisy_square() {
  Graph body("noisy_square");
  const Tensor x = body.input("x", {DType::f64, {Dim::symbol("n")}});
  const Tensor seed = body.input("seed", {DType::u64, {}});
  const Tensor step = body.input("step", {DType::u64, {}});
  body.set_output("y", add_op("Dropout", {x * x, seed, step}).named("inputs_0"));
  return std::make_shared<const Graph>(std::move(body));
}

TEST(Functions, OneDefinitionServesManyCalls) {
  const GraphPtr function = noisy_square();
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {64}});
  const Tensor seed = number(graph, 7);
  const Tensor step = number(graph, 0);
  const Tensor one = add_op("Call", {x, seed, step}, {{"body", function}});
  const Tensor two = add_op("Call", {x, seed, step}, {{"body", function}});
  graph.set_output("one", one);
  graph.set_output("two", two);
  EXPECT_EQ(graph.node(one.node()).attrs.find("body")->as_graph(),
            graph.node(two.node()).attrs.find("body")->as_graph());
  EXPECT_TRUE(problems_of(graph).empty());
  EXPECT_EQ(read_json(to_json(graph)), graph);
  Array ones(DType::f64, {64});
  for (double& element : ones.mutable_data<double>()) element = 1;
  const NamedArrays values = run(graph, {{"x", ones}});
  EXPECT_FALSE(bit_equal(values.at("one"), values.at("two"))) << "two calls drew the same numbers";
  // d/dx = 2x · mask: at 1 twice the value, so the gradient saw the mask that the value saw.
  const Differentiated joint = differentiate(
      graph,
      [&] {
        const Tensor loss = sum_of_all(one);
        graph.set_output("loss", loss);
        return loss.value();
      }(),
      std::vector<Value>{x.value()}, Mode::train);
  const NamedArrays results = run(joint.graph, {{"x", ones}});
  for (std::int64_t at = 0; at < 64; ++at) {
    EXPECT_EQ(results.at("gradient:0").get(at), 2 * values.at("one").get(at)) << "element " << at;
  }
}

TEST(Functions, PrintGoesToTheLogAndChangesNothing) {
  std::vector<std::string> lines;
  set_log_sink([&](LogLevel level, std::string_view line) {
    if (level == LogLevel::info) lines.emplace_back(line);
  });
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor seen = add_op("Print", {x}, {{"message", "x is"}});
  graph.set_output("gradient", add_gradients(sum_of_all(seen * seen), std::vector{x}).gradients.front());
  const NamedArrays values = run(graph, {{"x", Array::of<float>({2}, {1.5F, -2})}});
  set_log_sink(nullptr);
  EXPECT_TRUE(bit_equal(values.at("gradient"), Array::of<float>({2}, {3, -4})));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines.front(), "x is: f32[2] [1.5, -2]");
}

struct Distribution {
  const char* op;
  Attrs attrs;
  double mean;
  double deviation;
};

Array drawn(const char* op, const Attrs& attrs, std::uint64_t step) {
  Graph graph;
  const Tensor like = graph.input("like", {DType::f64, {10000}});
  graph.set_output("y", add_op(op, {like, number(graph, 7), number(graph, step)}, attrs));
  Array half(DType::f64, {10000});
  for (double& element : half.mutable_data<double>()) element = 0.5;
  return run(graph, {{"like", half}}).at("y");
}

TEST(RandomOps, HaveTheMomentsOfTheirDistributions) {
  const Distribution rows[] = {
      {"RandomNormalLike", {{"mean", 3.0}, {"scale", 0.5}}, 3, 0.5},
      {"RandomUniformLike", {{"low", -1.0}, {"high", 5.0}}, 2, std::sqrt(3.0)},
      {"Bernoulli", {}, 0.5, 0.5},
  };
  for (const Distribution& row : rows) {
    SCOPED_TRACE(row.op);
    const Array values = drawn(row.op, row.attrs, 0);
    EXPECT_FALSE(bit_equal(values, drawn(row.op, row.attrs, 1))) << "two steps drew the same";
    EXPECT_TRUE(bit_equal(values, drawn(row.op, row.attrs, 0))) << "a step cannot be repeated";
    double total = 0;
    double squares = 0;
    for (const double value : values.data<double>()) {
      total += value;
      squares += value * value;
    }
    const double mean = total / 10000;
    EXPECT_NEAR(mean, row.mean, 0.05 * row.deviation);
    EXPECT_NEAR(std::sqrt(squares / 10000 - mean * mean), row.deviation, 0.03 * row.deviation);
  }
}

}  // namespace
}  // namespace asg
