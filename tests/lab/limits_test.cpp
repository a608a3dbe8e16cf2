// Models that nobody would draw: levels, descriptions and searches stay small enough for a page.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/lab/describe.h"
#include "asg/lab/scene.h"
#include "asg/lab/scene_json.h"
#include "asg/ops/ops.h"
#include "lab/sheet.h"
#include "support/amount.h"

namespace asg::lab {
namespace {

constexpr int kVeryMany = asg::test::amount(100'000, 5'000);

Graph long_chain(int nodes) {
  Graph graph("chain");
  Tensor x = graph.input("x", {DType::f32, {2}});
  for (int k = 1; k < nodes; ++k) x = relu(x);
  graph.set_output("y", x);
  return graph;
}

TEST(Limits, DivideAScopeOfVeryManyNodesIntoParts) {
  const Scene scene = Scene::of_model(long_chain(kVeryMany));
  const Level whole = scene.level("");
  ASSERT_GT(whole.items.size(), 10U);
  EXPECT_LE(whole.items.size(), kMostItems);
  std::int64_t nodes = 0;
  for (const Item& item : whole.items) {
    EXPECT_TRUE(item.opens);
    EXPECT_EQ(item.op, "");
    const Level part = scene.level(item.path);
    EXPECT_LE(part.items.size(), kMostItems);
    EXPECT_EQ(static_cast<std::int64_t>(part.items.size()), item.nodes);
    EXPECT_LE(part.inlets.size(), 1U);
    nodes += item.nodes;
  }
  EXPECT_EQ(nodes, kVeryMany);
  EXPECT_EQ(whole.edges.size(), whole.items.size() - 1);  // a chain of parts
  EXPECT_EQ(whole.items.front().name, "1–" + std::to_string(whole.items.front().nodes));
}

TEST(Limits, LeavePathsAsTheyAreInDividedScopes) {
  const Graph graph = long_chain(kVeryMany);
  const Scene scene = Scene::of_model(graph);
  const std::string last = graph.node(graph.outputs().front().value.node).path();
  EXPECT_EQ(scene.item(last).op, "Relu");
  EXPECT_EQ(describe(scene, last).outputs.front().output_as, "y");
  const std::vector<std::string> scopes = describe(scene, last).scopes;
  ASSERT_EQ(scopes.size(), 1U);
  EXPECT_EQ(scopes.front(), scene.level("").items.back().path);
  EXPECT_EQ(scene.level(scopes.front()).items.back().path, last);
  const Found found = scene.find("relu", 20);
  EXPECT_EQ(found.entries.size(), 20U);
  EXPECT_EQ(found.more, kVeryMany - 1 - 20);
}

TEST(Limits, LeaveOutLinesBeyondAllCounting) {
  Graph graph;
  std::vector<Tensor> all;
  for (int k = 0; k < 8; ++k) all.push_back(graph.input("x_" + std::to_string(k), {DType::f32, {2}}));
  for (int k = 0; k < 700; ++k) all.push_back(add_op("Sum", {all.end() - 8, all.end()}));
  graph.set_output("y", all.back());
  const Level level = Scene::of_model(graph).level("");
  EXPECT_EQ(level.edges.size(), 4000U);
  EXPECT_EQ(level.left_out, 700 * 8 - 4000);
  EXPECT_EQ(nlohmann::json::parse(level_json(level, {}))["left_out"], level.left_out);
}

TEST(Limits, JoinTheManyPortsOfAScope) {
  Graph graph;
  std::vector<Tensor> outside;
  for (int k = 0; k < 1200; ++k) outside.push_back(graph.input("x_" + std::to_string(k), {DType::f32, {2}}));
  const Graph::ScopeGuard scope(graph, "part");
  for (auto first = outside.begin(); first != outside.end(); first += 30) {
    graph.set_output("y_" + std::to_string(first - outside.begin()), add_op("Sum", {first, first + 30}));
  }
  const Level level = Scene::of_model(graph).level("part");
  EXPECT_EQ(level.items.size(), 40U);
  ASSERT_EQ(level.inlets.size(), 1000U);
  EXPECT_EQ(level.inlets.back().name, "+201");
  EXPECT_EQ(level.inlets.back().items.size(), 7U);
}

TEST(Limits, ShowLongAndUnprintableNamesAsALineOfText) {
  Graph graph("title\nof two lines");
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const std::string markup = "<img src=x onerror=alert(1)>";
  const std::string long_name = markup + std::string(10'000, 'a');
  graph.set_output("y", relu(relu(x).named(long_name)).named("bend"));
  const Scene scene = Scene::of_model(graph);
  const Level level = scene.level("");
  EXPECT_EQ(level.title, "title\uFFFDof two lines");
  EXPECT_EQ(scene.item(long_name).path, long_name);
  const std::string shown = scene.item(long_name).name;
  EXPECT_TRUE(shown.starts_with(markup) && shown.ends_with("…")) << shown;
  EXPECT_LE(shown.size(), 170U);
  EXPECT_EQ(readable("bell\a and \x1B[31mred"), "bell\uFFFD and \uFFFD[31mred");  // nodes refuse such names
  const nlohmann::json json = nlohmann::json::parse(level_json(level, {}));
  EXPECT_EQ(json["items"][1]["path"], long_name);
  EXPECT_EQ(scene.find(long_name, 5).entries.size(), 1U);
  EXPECT_EQ(describe(scene, "bend").inputs.front().from, long_name);
}

TEST(Limits, DoNotCutLettersOfOtherAlphabets) {
  std::string name;
  for (int k = 0; k < 200; ++k) name += "ж";
  const std::string shown = readable("x" + name);
  EXPECT_TRUE(shown.ends_with("ж…")) << shown;
}

TEST(Limits, StopWhereScopesLieTooDeepInEachOther) {
  std::string scopes;
  for (int k = 0; k < 3000; ++k) scopes += k == 0 ? "s" : "/s";
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Graph::ScopeGuard scope(graph, scopes);
  graph.set_output("y", relu(x).named("bend"));
  const Scene scene = Scene::of_model(graph);
  EXPECT_EQ(describe(scene, scopes + "/bend").item.op, "Relu");
  std::string open;
  std::size_t depth = 0;
  for (; depth < 100; ++depth) {
    const Item last = scene.level(open).items.back();
    if (!last.opens) break;
    open = last.path;
  }
  EXPECT_EQ(depth, kDeepestScope);
  EXPECT_EQ(scene.level(open).items.back().path, scopes + "/bend");
}

TEST(Limits, AnEmptyGraphIsAnEmptyLevel) {
  const Scene scene = Scene::of_model(Graph());
  const Level level = scene.level("");
  EXPECT_TRUE(level.items.empty() && level.edges.empty() && level.inlets.empty() && level.outlets.empty());
  EXPECT_TRUE(scene.find("x", 10).entries.empty());
  EXPECT_FALSE(describe(scene, "").what.en.empty());
  EXPECT_TRUE(Scene::of_expanded(Graph()).level("").items.empty());
  EXPECT_THROW(static_cast<void>(describe(scene, "x")), UserError);
}

}  // namespace
}  // namespace asg::lab
