// The pass manager: order, reports, switches, the check between passes, and what compile does with them.
#include <gtest/gtest.h>

#include "asg/backend/interpreter.h"
#include "asg/compile/pass.h"
#include "asg/compile/target.h"
#include "asg/graph/json.h"
#include "asg/ops/ops.h"

namespace asg::test {
namespace {

template <class F>
std::string text_of(F run) {
  try {
    run();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// y = x · exp(0) + x · 1, with something that nobody needs.
Graph example() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  log(x);
  const Graph::ScopeGuard scope(graph, "inner");
  const Tensor one = exp(graph.scalar(DType::f32, 0));
  const Tensor product = (x * one).named("product");
  graph.set_output("y", product + x * graph.scalar(DType::f32, 1));
  return graph;
}

TEST(Passes, ReportWhatTheyDid) {
  std::string text;
  std::vector<std::string> shown;
  const PassOptions options = {.after = [&](std::string_view pass, const Graph& graph) {
    shown.push_back(std::string(pass) + " " + std::to_string(graph.node_count()));
  }};
  const Passed passed = run_passes(example(), options);
  for (const PassReport& report : passed.reports) {
    EXPECT_GE(report.seconds, 0);
    text += report.to_text();
  }
  EXPECT_EQ(text, R"(fold_constants: 8 → 8 nodes
  Exp: 1, at inner/Exp#4
simplify: 8 → 6 nodes
  multiply_by_one: 2, the first at inner/product
merge_common: 6 → 5 nodes
  Constant: 1, at inner/Constant#6
remove_dead: 5 → 2 nodes
  Log: 1, at Log#2
  Constant: 2, the first at inner/Constant#3
)");
  EXPECT_EQ(shown, (std::vector<std::string>{"fold_constants 8", "simplify 6", "merge_common 5", "remove_dead 2"}));
}

TEST(Passes, FollowValues) {
  const Graph graph = example();
  const Passed passed = run_passes(graph);
  EXPECT_EQ(passed.remap({graph.find_node("inner/product"), 0}), (Value{graph.inputs()[0], 0}));
  EXPECT_EQ(passed.remap(graph.find_output("y")->value), passed.graph.find_output("y")->value);
  EXPECT_FALSE(passed.remap({NodeId{2}, 0})) << "a dead node has no counterpart";
}

TEST(Passes, KeepScopesAndOrigins) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const auto origin = std::make_shared<const Origin>(Origin{NodeId{9}, "inside", Role::gradient});
  {
    const Graph::OriginGuard origins(graph, origin);
    const Graph::ScopeGuard scope(graph, "deep");
    graph.set_output("y", pow(x, graph.scalar(DType::f32, 2)).named("square"));
  }
  const Graph after = run_passes(graph).graph;
  const Node& square = after.node(after.find_node("deep/square"));
  EXPECT_EQ(square.op->name, "Mul");
  EXPECT_EQ(square.origin, origin);
}

TEST(Passes, CanBeSwitchedOff) {
  const Graph graph = example();
  PassOptions options = {.off = {"simplify", "remove_dead"}};
  const Passed passed = run_passes(graph, options);
  EXPECT_FALSE(passed.reports[1].ran);
  EXPECT_EQ(passed.reports[1].to_text(), "simplify: off\n");
  EXPECT_NE(passed.graph.find_node("inner/product"), NodeId{});
  for (const Pass& pass : graph_passes()) options.off.emplace_back(pass.name);
  const Passed untouched = run_passes(graph, options);
  EXPECT_TRUE(untouched.graph == graph);
  EXPECT_EQ(untouched.remap({NodeId{2}, 0}), (Value{NodeId{2}, 0}));
}

TEST(Passes, RefuseToSwitchOffWhatDoesNotExist) {
  EXPECT_EQ(
      text_of([] { run_passes(Graph(), {.off = {"simplfy"}}); }),
      "bad_command: a pass named 'simplfy' to be switched off\n"
      "  needed: one of hold_bounds, fold_constants, simplify, merge_common, remove_dead, fuse, recompute, epilogues, "
      "schedule, in_place\n"
      "  to mend: did you mean 'simplify'?");
}

TEST(Passes, TheSameGraphGivesTheSameResult) {
  EXPECT_EQ(to_json(run_passes(example()).graph), to_json(run_passes(example()).graph));
}

TEST(CheckPass, FindsWhatAPassBroke) {
  const Graph before = example();
  const auto told = [&](const Graph& after) { return text_of([&] { check_pass("test", before, after); }); };
  EXPECT_EQ(told(before), "nothing was thrown");

  Graph broken = before;
  broken.erase(before.find_node("inner/product"));
  EXPECT_NE(told(broken).find("the pass 'test' left a graph that does not validate: dangling_value"),
            std::string::npos);

  Graph renamed = before;
  renamed.set_outputs({{"z", before.outputs()[0].value}});
  EXPECT_NE(told(renamed).find("made output 'z' of output 'y'"), std::string::npos);

  Graph retyped = before;
  retyped.set_output("y", cast(retyped.tensor(before.outputs()[0].value), DType::f16));
  EXPECT_NE(told(retyped).find("made f16[2] of output 'y' of type f32[2]"), std::string::npos);

  Graph extended = before;
  extended.parameter("w", {DType::f32, {2}}, Initializer::zeros());
  EXPECT_NE(told(extended).find("made variable 1 'w' of type f32[2] of nothing"), std::string::npos);

  Graph updated = extended;
  updated.add_update(updated.find_variable("w"), updated.tensor(before.outputs()[0].value));
  EXPECT_NE(text_of([&] { check_pass("test", extended, updated); }).find("made update of w of nothing"),
            std::string::npos);
}

// Shows the graph that it is given to run.
class Seen : public Target {
 public:
  explicit Seen(bool wants_passes) { device_.wants_passes = wants_passes; }
  std::string name() const override { return "seen"; }
  Capabilities capabilities() const override { return device_; }
  std::unique_ptr<Executable> make_executable(Graph graph) const override {
    nodes = graph.node_count();
    return nullptr;
  }
  mutable std::size_t nodes = 0;

 private:
  Capabilities device_;
};

TEST(Compile, RunsPassesForDevicesThatWantThem) {
  const Seen wants(true);
  compile(example(), wants);
  EXPECT_EQ(wants.nodes, 2U);
  compile(example(), wants, {.passes = {.off = {"remove_dead"}}});
  EXPECT_EQ(wants.nodes, 5U);
  const Seen as_given(false);
  compile(example(), as_given);
  EXPECT_EQ(as_given.nodes, example().node_count());
  EXPECT_FALSE(Interpreter().capabilities().wants_passes) << "the oracle runs graphs as they are given";
}

}  // namespace
}  // namespace asg::test
