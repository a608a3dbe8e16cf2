#include "asg/lab/scene.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "asg/check/random_graph.h"
#include "asg/graph/edit.h"
#include "asg/graph/registry.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "asg/zoo/zoo.h"
#include "lab/scene_models.h"
#include "lab/scene_walk.h"
#include "ops/cards.h"

namespace asg::lab {
namespace {

const Item& item_named(const Level& level, std::string_view path) {
  const auto found =
      std::find_if(level.items.begin(), level.items.end(), [&](const Item& item) { return item.path == path; });
  EXPECT_NE(found, level.items.end()) << path;
  return found == level.items.end() ? level.items.front() : *found;
}

const Edge* edge_between(const Level& level, std::string_view from, std::string_view to) {
  for (const Edge& edge : level.edges) {
    if (edge.from == from && edge.to == to) return &edge;
  }
  return nullptr;
}

// ---- Every level against the graph

TEST(Scene, ShowsEveryNodeOfTheZooOnceWithItsEdges) {
  for (const test::SmallModel& model : test::small_models()) {
    SCOPED_TRACE(model.name);
    test::expect_faithful_everywhere(Scene::of_model(model.graph));
    test::expect_faithful_everywhere(Scene::of_expanded(model.graph));
    test::expect_faithful_everywhere(Scene::of_step(model.graph, test::step_of(model.graph)));
  }
}

TEST(Scene, ShowsEveryStepAndEveryBufferOnce) {
  for (const test::SmallModel& model : test::small_models()) {
    SCOPED_TRACE(model.name);
    const auto explanation = test::explained(model.graph);
    ASSERT_NE(explanation, nullptr);
    const Scene program = Scene::of_program(model.graph, explanation);
    test::expect_faithful(test::walk_sheet(program, ""), false);
    const test::SheetWalk plan = test::walk_sheet(Scene::of_plan(model.graph, explanation), "");
    const std::vector<Buffer>& buffers = explanation->program.buffers;
    const auto holds = [](const Buffer& buffer) { return buffer.count > 0; };
    EXPECT_EQ(plan.others.size(), static_cast<std::size_t>(std::count_if(buffers.begin(), buffers.end(), holds)));
    EXPECT_EQ(std::set(plan.paths.begin(), plan.paths.end()).size(), plan.paths.size());
  }
}

TEST(Scene, ShowsRandomGraphsAsTheyAre) {
  const RandomGraphs graphs(asg::test::cards_under_test(), 7);
  for (std::uint64_t number = 0; number < 6; ++number) {
    SCOPED_TRACE(number);
    const Graph graph = graphs.make(number).graph;
    test::expect_faithful_everywhere(Scene::of_model(graph));
    test::expect_faithful_everywhere(Scene::of_expanded(graph));
    test::expect_faithful_everywhere(Scene::of_step(graph, test::step_of(graph)));
  }
}

// The weights of a layer leave it too, to the update; what a box shows is what the layer gives to the next.
TEST(Scene, ShowsOfALayerWhatFlowsOnInEveryView) {
  for (const test::SmallModel& small : test::small_models()) {
    SCOPED_TRACE(small.name);
    const Scene model = Scene::of_model(small.graph);
    const Scene expanded = Scene::of_expanded(small.graph);
    const Scene step = Scene::of_step(small.graph, test::step_of(small.graph));
    int layers = 0;
    for (const Item& layer : model.level("").items) {
      if (!layer.opens || layer.outputs.size() != 1) continue;
      ++layers;
      const Level plain = expanded.level("");
      EXPECT_EQ(item_named(plain, layer.path).outputs.front().type, layer.outputs.front().type) << layer.path;
      const Level level = step.level("forward");
      const Item& forward = item_named(level, "forward/" + layer.path);
      EXPECT_EQ(forward.outputs.front().type, layer.outputs.front().type) << layer.path;
    }
    EXPECT_GT(layers, 0);
  }
}

TEST(Scene, CountsNodesAsOpeningFindsThem) {
  const Scene scene = Scene::of_model(test::small_gpt());
  std::int64_t plain = 0;
  test::expect_faithful_everywhere(scene, [&](const Item& item) { plain += item.opens ? 0 : 1; });
  std::int64_t counted = 0;
  for (const Item& item : scene.level("").items) counted += item.nodes;
  EXPECT_EQ(counted, plain);
  EXPECT_EQ(scene.item("block_0").nodes, scene.item("block_3").nodes);
}

TEST(Scene, CountsParametersOnce) {
  const Graph model = test::small_gpt();
  const std::int64_t all = zoo::figures_of(model).parameters;
  EXPECT_EQ(Scene::of_model(model).item("").parameters, all);  // the table is the head's too
  EXPECT_EQ(Scene::of_expanded(model).item("").parameters, all);
  EXPECT_EQ(Scene::of_step(model, test::step_of(model)).item("forward").parameters, all);
}

// ---- Paths

TEST(Scene, PathsAreThoseThatEditsTake) {
  const Graph model = test::small_gpt();
  const Scene scene = Scene::of_model(model);
  EXPECT_EQ(scene.item("block_0/feed_forward/activation").op, "Gelu");
  const Level level = scene.level("block_0");
  EXPECT_EQ(level.title, "TransformerBlock");
  for (const Item& item : level.items) {
    const edits::ReplaceOp replace{.at = {item.path}, .op = "Identity", .allow_type_change = true};
    for (const UserError& problem : check(model, {{replace}}).report.problems) {
      EXPECT_NE(problem.code(), ErrorCode::unknown_scope) << item.path;
    }
  }
}

TEST(Scene, RefusesUnknownPathsWithTheNearest) {
  const Scene scene = Scene::of_model(test::small_gpt());
  try {
    static_cast<void>(scene.level("block_0/atention"));
    FAIL() << "an unknown path was taken";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown_scope);
    EXPECT_NE(std::string(error.what()).find("block_0/attention"), std::string::npos) << error.what();
  }
  EXPECT_THROW(static_cast<void>(scene.level("block_0/feed_forward/activation")), UserError);
  EXPECT_FALSE(scene.has("block_0/feed_forward/activation/x"));
  EXPECT_FALSE(scene.has("/"));
  EXPECT_TRUE(scene.has(""));
}

TEST(Scene, ShowsTheCheckOfGradientsLayerByLayer) {
  const Graph model = test::small_gpt(2);
  const Scene scene = Scene::of_step(model, test::step_of(model));
  EXPECT_TRUE(scene.has("update/check/block_1/attention/query_projection"));
  for (const Item& item : scene.level("update/check").items) EXPECT_TRUE(item.opens) << item.path;
}

TEST(Scene, ShowsTheUpdatesThatEndMicroBatches) {
  const Graph model = test::small_gpt(2);
  optim::Optimizer optimizer = optim::optimizer_named("adam");
  optimizer.accumulate = 4;
  const Scene scene = Scene::of_step(model, train::make_step(model, "loss", optimizer));
  EXPECT_TRUE(scene.has("forward/block_0"));
  EXPECT_GT(scene.item("apply").nodes, 50);
}

TEST(Scene, TakesNamesAsTheyAre) {
  Graph graph("<b>odd</b>");
  const Graph::ScopeGuard scope(graph, "a <i>scope</i> & more");
  const Tensor x = graph.input("x:0", {DType::f32, {2, 3}});
  const Tensor y = nn::linear(x, 3, {.name = "линейный \"слой\""});
  graph.set_output("out", relu(y).named("<img src=x onerror=alert(1)>"));
  const Scene scene = Scene::of_model(graph);
  test::expect_faithful_everywhere(scene);
  const Level level = scene.level("a <i>scope</i> & more");
  EXPECT_EQ(item_named(level, "a <i>scope</i> & more/<img src=x onerror=alert(1)>").name,
            "<img src=x onerror=alert(1)>");
  EXPECT_TRUE(scene.item("a <i>scope</i> & more/линейный \"слой\"").opens);
}

TEST(Scene, TellsALayerFromAScopeOfTheSameName) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2, 3}});
  Tensor y = nn::linear(x, 3, {.name = "part"});
  {
    const Graph::ScopeGuard scope(graph, "part");
    y = relu(y).named("bend");
  }
  graph.set_output("out", y);
  const Scene scene = Scene::of_model(graph);
  test::expect_faithful_everywhere(scene);
  EXPECT_EQ(scene.level("part").title, "Linear");
  ASSERT_EQ(scene.level("part/").items.size(), 1U);
  EXPECT_EQ(scene.level("part/").items.front().path, "part/bend");
}

// ---- What a level tells beside its items

TEST(Scene, ShowsTheBlocksOfGpt2AsOneRepeatedTwelveTimes) {
  const Scene scene = Scene::of_model(zoo::build("gpt2"));
  int blocks = 0;
  for (const Item& item : scene.level("").items) {
    if (item.op != "nn.TransformerBlock") {
      EXPECT_FALSE(item.repeats) << item.path;
      continue;
    }
    ASSERT_TRUE(item.repeats) << item.path;
    EXPECT_EQ(*item.repeats, (Repeats{"block_0", blocks, 12}));
    ++blocks;
  }
  EXPECT_EQ(blocks, 12);
}

TEST(Scene, FindsTheRepeatsOfDerivedViews) {
  const Graph model = test::small_gpt(5);
  for (const std::string scope : {"forward", "gradient"}) {
    const Scene scene = Scene::of_step(model, test::step_of(model));
    int most = 0;
    for (const Item& item : scene.level(scope).items) most = std::max(most, item.repeats ? item.repeats->count : 0);
    EXPECT_GE(most, 4) << scope;  // the gradient of the first block may differ
  }
  const Level expanded = Scene::of_expanded(model).level("");
  EXPECT_EQ(item_named(expanded, "block_4").repeats, (Repeats{"block_0", 4, 5}));
}

TEST(Scene, DoesNotJoinBlocksThatDiffer) {
  const Graph model = test::small_gpt(4);
  const EditOutcome changed = check(model, {{edits::SetConfig{.at = {"block_2"}, .attrs = {{"hidden", 24}}}}});
  ASSERT_TRUE(changed.report.ok());
  for (const Scene& scene : {Scene::of_model(changed.after), Scene::of_expanded(changed.after)}) {
    const Level level = scene.level("");
    EXPECT_EQ(item_named(level, "block_0").repeats, (Repeats{"block_0", 0, 2}));
    EXPECT_EQ(item_named(level, "block_1").repeats, (Repeats{"block_0", 1, 2}));
    EXPECT_FALSE(item_named(level, "block_2").repeats);
    EXPECT_FALSE(item_named(level, "block_3").repeats);
  }
}

TEST(Scene, MarksResidualEdges) {
  const Level block = Scene::of_model(test::small_gpt()).level("block_1");
  std::string sum;
  for (const Item& item : block.items) {
    if (item.op == "Add" && sum.empty()) sum = item.path;
  }
  const auto to_sum = std::find_if(block.edges.begin(), block.edges.end(),
                                   [&](const Edge& edge) { return edge.from == sum && edge.skips; });
  ASSERT_NE(to_sum, block.edges.end());  // from the first sum past the feed-forward part to the second
  const Edge* norm = edge_between(block, sum, "block_1/norm_2");
  ASSERT_NE(norm, nullptr);
  EXPECT_FALSE(norm->skips);
}

TEST(Scene, MakesAPortalOfAMask) {
  Graph graph;
  Tensor x = graph.input("x", {DType::f32, {2, 4, 8}});
  const Tensor mask = graph.input("mask", {DType::boolean, {4, 4}});
  for (int k = 0; k < 10; ++k) {
    x = nn::transformer_block(x, 2, 16, {.mask = mask, .name = "block_" + std::to_string(k)});
  }
  graph.set_output("out", x);
  const Level level = Scene::of_model(graph).level("");
  ASSERT_EQ(level.portals.size(), 1U);
  EXPECT_EQ(level.portals.front().name, "mask");
  EXPECT_EQ(level.portals.front().from, "mask");
  EXPECT_EQ(level.portals.front().value, "mask:0");
  EXPECT_EQ(level.portals.front().to.size(), 10U);
  EXPECT_EQ(edge_between(level, "mask", "block_0"), nullptr);
}

GraphPtr branch_of(const char* op) {
  Graph branch("branch");
  const Tensor x = branch.input("x", {DType::f32, {3}});
  branch.set_output("y", add_op(op, {x}));
  return std::make_shared<const Graph>(std::move(branch));
}

TEST(Scene, OpensTheBranchesOfControlFlow) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {3}});
  const Tensor condition = graph.input("condition", {DType::boolean, {}});
  graph.set_output("y",
                   add_op("If", {condition, x}, {{"then_branch", branch_of("Relu")}, {"else_branch", branch_of("Neg")}})
                       .named("choose"));
  const Scene scene = Scene::of_model(graph);
  EXPECT_TRUE(scene.item("choose").opens);
  EXPECT_EQ(scene.item("choose").nodes, 4);
  ASSERT_EQ(scene.level("choose").items.size(), 2U);
  const Level then_branch = scene.level("choose/then_branch");
  ASSERT_EQ(then_branch.items.size(), 2U);
  EXPECT_EQ(then_branch.items.back().op, "Relu");
  EXPECT_EQ(then_branch.edges.size(), 1U);
  EXPECT_EQ(scene.level("choose/else_branch").items.back().op, "Neg");
  test::expect_faithful_everywhere(scene);
}

TEST(Scene, FlagsWhatIsFrozenGivenAndHandedOut) {
  const Graph model = test::small_gpt();
  Edit freeze;
  for (const VarId id : model.variable_ids()) {
    if (model.variable(id).name.starts_with("block_1.")) freeze.commands.push_back(edits::SetTrainable{id, false});
  }
  const Scene scene = Scene::of_model(check(model, freeze).after);
  const auto flags = [&](std::string_view path) { return scene.item(path).flags; };
  EXPECT_EQ(flags("block_1"), std::vector<std::string>{"frozen"});
  EXPECT_TRUE(flags("block_0").empty());
  EXPECT_EQ(flags("tokens"), std::vector<std::string>{"input"});
  EXPECT_EQ(flags("head"), std::vector<std::string>{"output"});
  const Level linear = scene.level("block_1/attention/query_projection");
  const auto weight =
      std::find_if(linear.items.begin(), linear.items.end(), [](const Item& item) { return item.name == "weight"; });
  ASSERT_NE(weight, linear.items.end());
  EXPECT_EQ(weight->flags, (std::vector<std::string>{"parameter", "frozen"}));
}

}  // namespace
}  // namespace asg::lab
