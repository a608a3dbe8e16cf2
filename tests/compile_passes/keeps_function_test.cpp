// The passes over every card's samples, expanded and differentiated, and over random graphs: the interpreter computes
// the same before and after.
#include <map>

#include "asg/autograd/gradients.h"
#include "asg/backend/interpreter.h"
#include "asg/check/random_graph.h"
#include "asg/compile/pass.h"
#include "asg/graph/json.h"
#include "check/problem.h"
#include "ops/cards.h"
#include "support/amount.h"
#include "support/compare.h"

namespace asg::test {
namespace {

NamedArrays run(const Graph& graph, const NamedArrays& values) {
  Interpreter interpreter;
  return interpreter.download_all(interpreter.execute(graph, interpreter.upload_all(values)));
}

// What comes out of `simplify` may be off by this much; all other passes keep every bit.
struct Room {
  Tolerance tolerance;
  double least = 0;  // even where the card allows none: a gradient is made of many ops

  double of(DType dtype) const { return std::max(least, tolerance_for(tolerance, dtype)); }
};

void expect_same(const NamedArrays& actual, const NamedArrays& expected, bool exactly, const Room& room) {
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [name, value] : expected) {
    SCOPED_TRACE(name);
    if (exactly) {
      EXPECT_TRUE(identical(actual.at(name), value));
    } else {
      EXPECT_TRUE(near(actual.at(name), value, room.of(value.dtype())));
    }
  }
}

// All passes one after the other, the function compared after each of them.
void expect_kept(const Graph& graph, const NamedArrays& values, const Room& room) {
  NamedArrays last = run(graph, values);
  PassOptions options;
  options.verify = true;
  options.after = [&](std::string_view pass, const Graph& after) {
    SCOPED_TRACE("after " + std::string(pass));
    const NamedArrays results = run(after, values);
    expect_same(results, last, pass != "simplify", room);
    last = results;
  };
  const Passed passed = run_passes(graph, options);
  for (const Output& output : graph.outputs()) {
    EXPECT_EQ(passed.remap(output.value), passed.graph.find_output(output.name)->value) << output.name;
  }
}

void expect_kept_with_each_off(const Graph& graph, const NamedArrays& values, const Room& room) {
  const NamedArrays expected = run(graph, values);
  for (const Pass& pass : graph_passes()) {
    SCOPED_TRACE("without " + std::string(pass.name));
    const Passed passed = run_passes(graph, {.off = {std::string(pass.name)}, .verify = true});
    expect_same(run(passed.graph, values), expected, pass.name == "simplify", room);
  }
}

Graph expanded(Problem& problem, const Sample&) {
  const std::vector<OutputInfo> outputs = problem.graph.node(problem.node).outputs;
  for (std::uint32_t port = 0; port < outputs.size(); ++port) {
    problem.graph.set_output("out_" + std::to_string(port), problem.graph.tensor({problem.node, port}));
  }
  return expand(problem.graph, Mode::train, [](const Node& node) { return static_cast<bool>(node.op->body); }).graph;
}

Graph differentiated(Problem& problem) {
  constexpr std::uint64_t kWeights = 5;
  const Tensor loss = weighted_sum(problem.graph, problem.outputs, kWeights);
  problem.graph.set_output("loss", loss);
  return differentiate(problem.graph, loss.value(), problem.targets, Mode::train).graph;
}

class KeptFunction : public OpTest {};

TEST_P(KeptFunction, OfAllSamples) {
  if (op().traits.leaf) return;
  constexpr double kGradientRoom = 1e-11;
  const bool each_off = !kFewCases || !op().composite;
  bool first = true;
  for (const Sample& sample : op().samples) {
    SCOPED_TRACE("sample " + sample.name);
    Problem forward = make_problem(op(), sample);
    const Graph plain = expanded(forward, sample);
    const Room room{op().tolerance, op().composite ? kGradientRoom : 0};
    expect_kept(plain, forward.values, room);
    if (first && each_off) expect_kept_with_each_off(plain, forward.values, room);
    if (!sample.gradient || op().gradient_kind == GradientKind::none || op().gradient_kind == GradientKind::zero) {
      continue;
    }
    Problem problem = make_problem(op(), sample);
    if (problem.outputs.empty() || problem.targets.empty()) continue;
    const Graph joint = differentiated(problem);
    expect_kept(joint, problem.values, {op().tolerance, kGradientRoom});
    if (first && each_off) expect_kept_with_each_off(joint, problem.values, {op().tolerance, kGradientRoom});
    first = false;
  }
}

ASG_FOR_ALL_OPS(KeptFunction);

TEST(RandomGraphs, KeepTheirFunctionAndGradients) {
  constexpr std::uint64_t kGraphs = amount(40, 5);
  constexpr double kRoom = 1e-9;
  const RandomGraphs graphs(cards_under_test(), 1);
  for (std::uint64_t number = 0; number < kGraphs; ++number) {
    SCOPED_TRACE("graph " + std::to_string(number));
    const GraphCase made = graphs.make(number);
    std::vector<Value> targets;
    for (const NodeId id : made.graph.inputs()) {
      if (made.graph.type({id, 0}).dtype == DType::f64) targets.push_back({id, 0});
    }
    const Graph joint = differentiate(made.graph, made.graph.find_output("loss")->value, targets, Mode::train).graph;
    expect_kept(joint, made.values, {{}, kRoom});
    expect_kept_with_each_off(joint, made.values, {{}, kRoom});
  }
}

TEST(RandomGraphs, GiveTheSameResultEachTime) {
  const RandomGraphs graphs(cards_under_test(), 2);
  for (std::uint64_t number = 0; number < 5; ++number) {
    const Graph plain = expand(graphs.make(number).graph, Mode::train).graph;
    EXPECT_EQ(to_json(run_passes(plain).graph), to_json(run_passes(plain).graph));
    const Graph read = read_json(to_json(plain));
    EXPECT_EQ(to_json(run_passes(plain).graph), to_json(run_passes(read).graph));
  }
}

}  // namespace
}  // namespace asg::test
