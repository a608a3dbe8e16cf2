#include "asg/lab/describe.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "asg/graph/edit.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "asg/zoo/zoo.h"
#include "lab/scene_models.h"
#include "lab/scene_walk.h"
#include "support/amount.h"

namespace asg::lab {
namespace {

void expect_words(const Sentence& phrase, const std::string& path) {
  EXPECT_FALSE(phrase.en.empty()) << path;
  EXPECT_FALSE(phrase.ru.empty()) << path;
}

void expect_complete(const Description& description) {
  const std::string& path = description.item.path;
  expect_words(description.title, path);
  expect_words(description.what, path);
  if (description.replacements.empty()) expect_words(description.why_not, path);
  for (const Description::State& state : description.variables) expect_words(state.role, path);
  for (const Description::Attribute& attribute : description.attributes) {
    EXPECT_FALSE(attribute.spec->words.en.empty()) << path << " " << attribute.spec->name;
    EXPECT_FALSE(attribute.spec->words.ru.empty()) << path << " " << attribute.spec->name;
  }
  EXPECT_EQ(description.formula.empty(), description.formula_text.empty());
}

// What a description depends on, beside names and the roles of variables, which roles_test asks for all of the zoo: the
// op with its settings, and the types around it.
std::string kind_of(const Scene& scene, const Item& item) {
  std::string kind = std::string(name_of(scene.view())) + " " + item.op + " " + item.category;
  const auto at = scene.node(item.path);
  if (!at) return kind + " " + item.path;
  const Node& node = at->graph->node(at->node);
  for (const auto& [name, attr] : node.attrs) kind += " " + name + "=" + attr.to_string();
  for (const Value input : node.inputs) kind += " " + (input ? at->graph->type(input).to_string() : "absent");
  for (const Item::Output& output : item.outputs) kind += " → " + output.type;
  return kind;
}

// All items below a scope, each kind once. `opened` leads there.
void describe_below(const Scene& scene, const std::string& scope, std::set<std::string>& kinds,
                    const std::vector<std::string>& opened = {}) {
  for (const Item& item : scene.level(scope).items) {
    if (!kinds.insert(kind_of(scene, item)).second) continue;
    const Description description = describe(scene, item.path);
    expect_complete(description);
    EXPECT_EQ(description.scopes, opened) << item.path;
    if (!item.opens) continue;
    std::vector<std::string> further = opened;
    further.push_back(item.path);
    describe_below(scene, item.path, kinds, further);
  }
}

TEST(Describe, HasWordsForEveryKindOfItemOfTheZoo) {
  std::set<std::string> kinds;
  const auto models = zoo::models();
  for (const zoo::Model& model : models.first(asg::test::kFewCases ? 5 : models.size())) {
    SCOPED_TRACE(model.name);
    describe_below(Scene::of_model(model.build({})), "", kinds);
  }
  EXPECT_GT(std::ssize(kinds), asg::test::amount(300, 60));
}

TEST(Describe, HasWordsForEveryItemOfDerivedViews) {
  const Graph model = test::small_gpt(2);
  const auto explanation = test::explained(model);
  std::set<std::string> kinds;
  describe_below(Scene::of_expanded(model), "", kinds);
  describe_below(Scene::of_step(model, test::step_of(model)), "", kinds);
  describe_below(Scene::of_program(model, explanation), "", kinds);
  describe_below(Scene::of_plan(model, explanation), "", kinds);
  EXPECT_GT(kinds.size(), 300U);
}

TEST(Describe, CountsOfAllSoThatItCanBeRead) {
  Graph graph("wide");
  const Tensor x = graph.input("x", {DType::f32, {2, 1000}});
  graph.set_output("y", nn::linear(x, 1500));
  const Description all = describe(Scene::of_model(graph), "");
  EXPECT_EQ(all.title.en, "wide");
  EXPECT_EQ(all.what.en.substr(0, 11), "All of it: ");
  EXPECT_NE(all.what.en.find(" 1,501,500 parameters."), std::string::npos) << all.what.en;
  EXPECT_NE(all.what.ru.find(" 1\u202F501\u202F500."), std::string::npos) << all.what.ru;
}

TEST(Describe, TellsWhatAnActivationIsAndWhatMayTakeItsPlace) {
  const Graph model = test::small_gpt();
  const Description gelu = describe(Scene::of_model(model), "block_1/feed_forward/activation");
  EXPECT_EQ(gelu.item.op, "Gelu");
  EXPECT_NE(gelu.formula.find("<math"), std::string::npos);
  const auto offers = [&](std::string_view op) {
    return std::any_of(gelu.replacements.begin(), gelu.replacements.end(),
                       [&](const Description::Replacement& each) { return each.op == op; });
  };
  for (const char* op : {"Relu", "Silu", "Sigmoid", "Tanh"}) EXPECT_TRUE(offers(op)) << op;
  EXPECT_FALSE(offers("Gelu"));
  EXPECT_FALSE(offers("Glu"));  // halves the features
  for (const Description::Replacement& each : gelu.replacements) {
    const edits::ReplaceOp replace{.at = {gelu.item.path}, .op = each.op};
    EXPECT_TRUE(check(model, {{replace}}).report.ok()) << each.op;
  }
  ASSERT_EQ(gelu.inputs.size(), 1U);
  EXPECT_TRUE(gelu.inputs.front().from.starts_with("block_1/feed_forward/expand")) << gelu.inputs.front().from;
  ASSERT_EQ(gelu.outputs.size(), 1U);
  EXPECT_EQ(gelu.outputs.front().value, "block_1/feed_forward/activation:0");
  EXPECT_FALSE(gelu.outputs.front().to.empty());
}

TEST(Describe, FollowsValuesThroughTheBordersOfLayers) {
  const Scene scene = Scene::of_model(test::small_gpt());
  const Description norm = describe(scene, "block_1/norm_1");
  ASSERT_EQ(norm.inputs.size(), 1U);
  EXPECT_EQ(norm.inputs.front().value, "block_0:0");
  const Description head = describe(scene, "head");
  EXPECT_EQ(head.outputs.front().output_as, "logits");
  ASSERT_EQ(head.outputs.front().to, std::vector<std::string>{"loss"});
  const Description block = describe(scene, "block_1");
  EXPECT_EQ(block.item.repeats, (Repeats{"block_0", 1, 4}));
}

TEST(Describe, SaysWhichSettingsKeepTheShapes) {
  const Description block = describe(Scene::of_model(test::small_gpt()), "block_1");
  const auto keeps = [&](std::string_view name) {
    for (const Description::Attribute& each : block.attributes) {
      if (each.spec->name == name) return each.keeps_shape;
    }
    ADD_FAILURE() << "no attribute " << name;
    return false;
  };
  EXPECT_TRUE(keeps("activation"));
  EXPECT_TRUE(keeps("epsilon"));
  EXPECT_TRUE(keeps("causal"));
  EXPECT_TRUE(keeps("heads"));
  EXPECT_FALSE(keeps("hidden"));
  EXPECT_FALSE(keeps("bias"));  // there would be other variables
  EXPECT_FALSE(keeps("gated"));
}

TEST(Describe, ShowsLiteralsAndVariables) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2, 3}});
  const Tensor table = graph.constant(Array::of<float>({3}, {1, 0.5F, -2}));
  graph.set_output("y", nn::linear(x, 4, {.name = "fc"}) + 1.0);
  graph.set_output("z", (x * table).named("scaled"));
  const Scene scene = Scene::of_model(graph);
  const Description literal = describe(scene, graph.node(table.node()).path());
  ASSERT_TRUE(literal.literal);
  EXPECT_EQ(literal.literal->type, "f32[3]");
  EXPECT_EQ(literal.literal->values, (std::vector<double>{1, 0.5, -2}));
  EXPECT_FALSE(literal.literal->elided);
  const Description layer = describe(scene, "fc");
  ASSERT_EQ(layer.variables.size(), 2U);
  EXPECT_EQ(layer.variables.front().name, "fc.weight");
  EXPECT_EQ(layer.variables.front().count, 12);
  EXPECT_TRUE(layer.variables.front().trainable);
  EXPECT_EQ(layer.where.find('/'), std::string::npos);
  EXPECT_TRUE(layer.where.starts_with("describe_test.cpp:")) << layer.where;
  const Description product = describe(scene, "scaled");
  EXPECT_FALSE(product.replacements.empty());  // Add, Sub …
}

}  // namespace
}  // namespace asg::lab
