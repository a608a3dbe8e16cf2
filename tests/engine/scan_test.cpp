// Loops on the CPU engine: by a compiled body where that gives the same numbers, and by the reference where not.
#include <algorithm>

#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/autograd/gradients.h"
#include "asg/backend/cpu.h"
#include "asg/backend/interpreter.h"
#include "asg/compile/explain.h"

namespace asg {
namespace {

// How the Scans of a compiled graph are computed.
std::vector<std::string> ways_of_scans(Executable& executable, const SizesByName& sizes) {
  const auto told = executable.explain(sizes);
  std::vector<std::string> ways;
  for (std::size_t k = 0; k < told->program.steps.size(); ++k) {
    const Step& step = told->program.steps[k];
    if (step.kind == Step::Kind::call && step.node->op->name == "Scan") ways.push_back(told->ways[k]);
  }
  return ways;
}

// The last state of a body over x, and what it stacks.
Graph walked(const std::function<Tensor(const Tensor& state, const Tensor& x)>& step, const Dim& length) {
  Graph body("step");
  const Tensor state = body.input("state", {DType::f32, {3}});
  const Tensor x = body.input("x", {DType::f32, {3}});
  const Tensor next = step(state, x);
  body.set_output("next", next);
  body.set_output("stacked", next * 2);
  Graph graph;
  const Tensor first = graph.input("first", {DType::f32, {3}});
  const Tensor sequence = graph.input("sequence", {DType::f32, {length, 3}});
  const auto results = scan({first, sequence}, std::make_shared<const Graph>(std::move(body)), 1);
  graph.set_output("last", results[0]);
  graph.set_output("stacked", results[1]);
  return graph;
}

NamedArrays inputs_of(std::int64_t length) {
  Array sequence(DType::f32, {length, 3});
  for (std::int64_t k = 0; k < sequence.count(); ++k) sequence.set(k, 0.25 * static_cast<double>(k % 7) - 0.5);
  return {{"first", Array::of<float>({3}, {0.5F, -1, 2})}, {"sequence", sequence}};
}

void expect_as_interpreted(Executable& executable, const NamedArrays& inputs) {
  Interpreter interpreter;
  const NamedArrays expected = interpreter.compile(executable.graph(), {})->run(inputs).outputs;
  const NamedArrays given = executable.run(inputs).outputs;
  for (const auto& [name, value] : expected) {
    ASSERT_EQ(given.at(name).sizes(), value.sizes()) << name;
    for (std::int64_t k = 0; k < value.count(); ++k) EXPECT_NEAR(given.at(name).get(k), value.get(k), 1e-5) << name;
  }
}

TEST(CompiledScan, ServesEveryLength) {
  CpuBackend backend(2);
  const Graph graph = walked([](const Tensor& s, const Tensor& x) { return tanh(s * 0.5 + x); }, Dim::symbol("length"));
  const auto executable = backend.compile(graph);
  for (const std::int64_t length : {1, 2, 5, 64, 2}) {
    SCOPED_TRACE(length);
    EXPECT_EQ(ways_of_scans(*executable, {{"sequence", {length, 3}}}), std::vector<std::string>{"compiled body"});
    expect_as_interpreted(*executable, inputs_of(length));
  }
  expect_as_interpreted(*executable, inputs_of(0));
}

TEST(CompiledScan, RunsARecurrentLayerAndItsGradient) {
  Graph graph("reader");
  const Tensor x = graph.input("features", {DType::f32, {Dim::symbol("batch"), 6, 2}});
  const nn::LSTMOutputs states = nn::lstm(x, 5, {.name = "memory"});
  graph.set_output("loss", reduce_mean(square(states.h), {}, {.keepdims = false}));
  train::Trainer trainer(graph, BackendRegistry::global().make("cpu"), {.optimizer = optim::Optimizer::sgd(0.5)});
  train::Trainer slow(graph, BackendRegistry::global().make("interp"), {.optimizer = optim::Optimizer::sgd(0.5)});
  Array features(DType::f32, {4, 6, 2});
  for (std::int64_t k = 0; k < features.count(); ++k) features.set(k, 0.3 * static_cast<double>(k % 5) - 0.4);
  std::vector<double> losses;
  for (int step = 0; step < 20; ++step) {
    losses.push_back(trainer.step({{"features", features}}).loss);
    EXPECT_NEAR(losses.back(), slow.step({{"features", features}}).loss, 1e-5 * losses.back());
  }
  EXPECT_LT(losses.back(), 0.9 * losses.front());
}

// A run of the body that draws has a key of its own, which a compiled body has not.
TEST(CompiledScan, LeavesRandomBodiesToTheReference) {
  CpuBackend backend(1);
  const auto drawing = [](const Tensor& s, const Tensor& x) {
    const Tensor number = x.graph().constant(Array::scalar(DType::u64, 1));
    return s * 0.5 + x * add_op("RandomUniformLike", {x, number, number});
  };
  const auto executable = backend.compile(walked(drawing, 4));
  EXPECT_EQ(ways_of_scans(*executable, {}), std::vector<std::string>{"reference kernel"});
  expect_as_interpreted(*executable, inputs_of(4));
}

TEST(CompiledScan, NamesTheNodeOfAMistake) {
  Graph body("step");
  const Tensor state = body.input("state", {DType::f32, {3}});
  const Tensor place = body.input("place", {DType::i64, {}});
  body.set_output("next", state + add_op("Gather", {state, place}));
  Graph graph;
  const Tensor first = graph.input("first", {DType::f32, {3}});
  const Tensor places = graph.input("places", {DType::i64, {2}});
  graph.set_output("last", scan({first, places}, std::make_shared<const Graph>(std::move(body)), 1)[0].named("walk"));
  CpuBackend backend(1);
  const auto executable = backend.compile(graph);
  try {
    executable->run({{"first", Array::of<float>({3}, {1, 2, 3})}, {"places", Array::of<std::int64_t>({2}, {1, 7})}});
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::computation_error) << error.what();
    EXPECT_EQ(error.detail().node, "walk");
  }
}

}  // namespace
}  // namespace asg
