// Scan and Loop in whole graphs: any length, forms, random numbers, refusals.
#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/backend/interpreter.h"
#include "asg/graph/expand.h"
#include "asg/graph/json.h"
#include "asg/graph/text.h"
#include "asg/graph/validate.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

NamedArrays run_once(const Graph& graph, const NamedArrays& inputs) {
  Interpreter interpreter;
  return interpreter.download_all(interpreter.execute(graph, interpreter.upload_all(inputs)));
}

Tensor total(const Tensor& x) { return add_op("ReduceSum", {x}, {{"keepdims", false}}); }

GraphPtr finish(Graph graph) { return std::make_shared<const Graph>(std::move(graph)); }

Array reals(Sizes sizes, std::vector<double> values) { return Array::of<double>(std::move(sizes), values); }

// s' = s · w + x, stacked: s'.
GraphPtr linear_step() {
  Graph body("step");
  const Tensor state = body.input("state", {DType::f64, {}});
  const Tensor x = body.input("x", {DType::f64, {}});
  const Tensor w = body.input("w", {DType::f64, {}});
  const Tensor next = state * w + x;
  body.set_output("next", next);
  body.set_output("stacked", next);
  return finish(std::move(body));
}

// A Scan of any length over x, the sum of its stacked output, and its gradients.
Graph recurrence_with_gradients() {
  Graph graph;
  const Tensor state = graph.input("state", {DType::f64, {}});
  const Tensor x = graph.input("x", {DType::f64, {Dim::symbol("length")}});
  const Tensor w = graph.input("w", {DType::f64, {}});
  const std::vector<Tensor> results =
      add_op_outputs("Scan", {state, x, w}, {{"body", linear_step()}, {"num_scan_inputs", 1}, {"num_captures", 1}});
  EXPECT_EQ(results[1].type().to_string(), "f64[length]");
  const auto gradients = add_gradients(total(results[1]), std::vector{state, x, w}).gradients;
  graph.set_output("y", results[1]);
  for (std::size_t index = 0; index < gradients.size(); ++index) {
    graph.set_output("gradient_" + std::to_string(index), gradients[index]);
  }
  return graph;
}

TEST(Loops, OneGraphServesEveryLength) {
  const Graph graph = recurrence_with_gradients();
  const auto at = [&](std::vector<double> x) {
    const Sizes sizes = {static_cast<std::int64_t>(x.size())};
    return run_once(graph, {{"state", Array::scalar(DType::f64, 1)},
                            {"x", reals(sizes, std::move(x))},
                            {"w", Array::scalar(DType::f64, 2)}});
  };
  // s: 1 → 2 + 3 = 5 → 10 + 4 = 14; d/ds = 2 + 4, d/dx = (1 + 2, 1), d/dw = 1 + (2·1 + 5).
  const NamedArrays two = at({3, 4});
  EXPECT_TRUE(bit_equal(two.at("y"), reals({2}, {5, 14})));
  EXPECT_DOUBLE_EQ(two.at("gradient_0").get(0), 6);
  EXPECT_TRUE(bit_equal(two.at("gradient_1"), reals({2}, {3, 1})));
  EXPECT_DOUBLE_EQ(two.at("gradient_2").get(0), 8);
  const NamedArrays none = at({});
  EXPECT_EQ(none.at("y").count(), 0);
  EXPECT_DOUBLE_EQ(none.at("gradient_0").get(0), 0);
  EXPECT_EQ(none.at("gradient_1").count(), 0);
  EXPECT_DOUBLE_EQ(none.at("gradient_2").get(0), 0);
}

TEST(Loops, GradientGraphsValidateAndTravelAsText) {
  const Graph graph = recurrence_with_gradients();
  EXPECT_TRUE(problems_of(graph).empty());
  EXPECT_EQ(read_json(to_json(graph)), graph);
  EXPECT_NE(to_text(graph).find("Scan"), std::string::npos);
  EXPECT_NE(to_text(graph).find("body:"), std::string::npos);
  const Graph expanded = expand(graph, Mode::train).graph;
  EXPECT_EQ(expanded.node_count(), graph.node_count());
}

// state' = state · dropped ones: what an iteration drops shows in its stacked output.
GraphPtr dropping_step() {
  Graph body("step");
  const Tensor state = body.input("state", {DType::f64, {64}});
  const Tensor x = body.input("x", {DType::f64, {}});
  const Tensor seed = body.input("seed", {DType::u64, {}});
  const Tensor step = body.input("step", {DType::u64, {}});
  const Tensor kept = add_op("Dropout", {state * 0.0 + x, seed, step});
  body.set_output("next", state * kept);
  body.set_output("kept", kept);
  return finish(std::move(body));
}

std::vector<Tensor> dropping_scan(Graph& graph, const Tensor& state) {
  const Tensor ones = graph.constant(reals({3}, {1, 1, 1}));
  const Tensor seed = graph.constant(Array::of<std::uint64_t>({}, {7}));
  return add_op_outputs("Scan", {state, ones, seed, graph.constant(Array::of<std::uint64_t>({}, {0}))},
                        {{"body", dropping_step()}, {"num_scan_inputs", 1}, {"num_captures", 2}});
}

TEST(Loops, EveryIterationAndEveryNodeDrawsOtherNumbers) {
  Graph graph;
  const Tensor state = graph.input("state", {DType::f64, {64}});
  graph.set_output("one", dropping_scan(graph, state)[1]);
  graph.set_output("two", dropping_scan(graph, state)[1]);
  const NamedArrays values = run_once(graph, {{"state", Array(DType::f64, {64})}});
  const auto row = [&](const char* name, std::int64_t number) { return values.at(name).sliced(0, number, 1, 1); };
  EXPECT_FALSE(bit_equal(row("one", 0), row("one", 1)));
  EXPECT_FALSE(bit_equal(row("one", 1), row("one", 2)));
  EXPECT_FALSE(bit_equal(row("one", 0), row("two", 0)));
}

// The product of three masks, scaled: the gradient by the state is the same product only if the masks are the same.
TEST(Loops, GradientsDrawTheNumbersOfTheirIterations) {
  Graph graph;
  const Tensor state = graph.input("state", {DType::f64, {64}});
  const Tensor last = dropping_scan(graph, state)[0];
  graph.set_output("last", last);
  graph.set_output("gradient", add_gradients(total(last), std::vector{state}).gradients.front());
  Array ones(DType::f64, {64});
  for (double& element : ones.mutable_data<double>()) element = 1;
  const NamedArrays values = run_once(graph, {{"state", ones}});
  EXPECT_TRUE(bit_equal(values.at("last"), values.at("gradient")));
  EXPECT_NE(values.at("last").to_string(64).find('8'), std::string::npos);
}

// x' = x + x while x' < 20 (or, without the comparison, for ever).
GraphPtr doubling(bool ended_by_data) {
  Graph body("doubling");
  body.input("number", {DType::i64, {}});
  const Tensor condition = body.input("condition", {DType::boolean, {}});
  const Tensor x = body.input("x", {DType::f64, {}});
  const Tensor doubled = x + x;
  body.set_output("condition", ended_by_data ? doubled < 20.0 : condition);
  body.set_output("x", doubled);
  return finish(std::move(body));
}

struct Refusal {
  const char* name;
  bool trip_count;
  const char* text;
};

TEST(Loops, ALoopThatDataEndsSaysWhyItHasNoGradient) {
  for (const Refusal& row : {Refusal{"no_trip_count", false, "a Loop without a trip count"},
                             Refusal{"ended_by_data", true, "a Loop that its body may end"}}) {
    SCOPED_TRACE(row.name);
    Graph graph;
    const Tensor x = graph.input("x", {DType::f64, {}});
    const Tensor trips = row.trip_count ? graph.constant(Array::scalar_i64(9)) : Tensor();
    const Tensor y = add_op("Loop", {trips, Tensor(), x}, {{"body", doubling(true)}});
    try {
      add_gradients(y, std::vector{x});
      ADD_FAILURE() << "was accepted";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::no_gradient);
      EXPECT_NE(std::string(error.what()).find(row.text), std::string::npos) << error.what();
      EXPECT_NE(error.detail().mend.find("must be known when it starts"), std::string::npos);
    }
  }
}

// How often it runs is known only when the graph runs, but before the loop begins.
TEST(Loops, ALoopIsDifferentiableWhenTheTripCountIsComputed) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {}});
  const Tensor trips = graph.input("trips", {DType::i64, {}});
  const Tensor begin = graph.input("begin", {DType::boolean, {}});
  const Tensor y = add_op("Loop", {trips, begin, x}, {{"body", doubling(false)}});
  graph.set_output("gradient", add_gradients(y, std::vector{x}).gradients.front());
  const auto gradient = [&](std::int64_t count, double start) {
    return run_once(graph, {{"x", Array::scalar(DType::f64, 3)},
                            {"trips", Array::scalar_i64(count)},
                            {"begin", Array::scalar(DType::boolean, start)}})
        .at("gradient")
        .get(0);
  };
  EXPECT_DOUBLE_EQ(gradient(3, 1), 8);
  EXPECT_DOUBLE_EQ(gradient(0, 1), 1);
  EXPECT_DOUBLE_EQ(gradient(3, 0), 1);
}

// s' = s + the elements of x from `number` on, up to `number` + `count`.
GraphPtr adding_slices(std::int64_t count) {
  Graph body("slices");
  const Tensor number = body.input("number", {DType::i64, {}});
  const Tensor condition = body.input("condition", {DType::boolean, {}});
  const Tensor state = body.input("state", {DType::f64, {1}});
  const Tensor x = body.input("x", {DType::f64, {4}});
  const Tensor begin = add_op("Reshape", {number, body.constant(Array::ints({1}))});
  const Tensor part = add_op("Slice", {x, begin, begin + body.constant(Array::ints({count}))});
  body.set_output("condition", condition);
  body.set_output("state", state + part);
  return finish(std::move(body));
}

Array added_slices(std::int64_t count) {
  Graph graph;
  const Tensor start = graph.input("start", {DType::f64, {1}});
  const Tensor all = graph.input("all", {DType::f64, {4}});
  const Tensor trips = graph.constant(Array::scalar_i64(4));
  graph.set_output(
      "y", add_op("Loop", {trips, Tensor(), start, all}, {{"body", adding_slices(count)}, {"num_captures", 1}}));
  return run_once(graph, {{"start", reals({1}, {10})}, {"all", reals({4}, {1, 2, 3, 4})}}).at("y");
}

// The length that a slice inside has is known in a run only.
TEST(Loops, AStateWhoseLengthDataDecideIsCheckedInTheRun) {
  EXPECT_TRUE(bit_equal(added_slices(1), reals({1}, {20})));
  try {
    added_slices(2);
    ADD_FAILURE() << "was accepted";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::type_mismatch);
    EXPECT_NE(std::string(error.what()).find("goes into the body as f64[1] and comes out as f64[2]"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace asg
