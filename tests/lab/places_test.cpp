// The same thing in all five views: what is selected in one is found in the others by its origin.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "asg/lab/plan.h"
#include "asg/lab/scene.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "asg/zoo/zoo.h"
#include "lab/scene_data.h"
#include "lab/scene_models.h"
#include "lab/scene_walk.h"

namespace asg::lab {
namespace {

Graph small_mlp() {
  Graph graph("mlp");
  const Tensor x = graph.input("x", {DType::f32, {4, 8}});
  const Tensor labels = graph.input("labels", {DType::i64, {4}});
  const Tensor hidden = relu(nn::linear(x, 16, {.name = "hidden"})).named("bend");
  const Tensor logits = nn::linear(hidden, 3, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", add_op("loss.CrossEntropy", {logits, labels}).named("loss"));
  return graph;
}

std::vector<test::SmallModel> models_to_place() {
  std::vector<test::SmallModel> models;
  models.push_back({"mlp", small_mlp()});
  for (test::SmallModel& model : test::small_models()) {
    if (model.name == "lenet" || model.name == "gpt2") models.push_back(std::move(model));
  }
  return models;
}

// The five views of a training step, and which paths the plan has.
struct Views {
  explicit Views(const Graph& graph)
      : explanation(test::explained(graph)),
        model(Scene::of_model(graph)),
        expanded(Scene::of_expanded(graph)),
        gradient(Scene::of_step(graph, test::step_of(graph))),
        optimised(Scene::of_program(graph, explanation)),
        plan(Scene::of_plan(graph, explanation)) {
    for (const Plan::Piece& piece : plan_of(optimised, plan).buffers) arena.insert(piece.path);
    for (const std::string& path : test::walk_sheet(plan, "").others) buffers.insert(path);
  }

  std::vector<std::string> in(const Scene& from, std::string_view path, const Scene& to) const {
    return locate(from, path, {to}).front().paths;
  }
  // Whether the device computes anything for an item of the model: some step holds an op that comes from there.
  bool has_kernels(const std::string& model_path) const {
    const Sheet& sheet = *optimised.data().root->sheet;
    return std::any_of(sheet.leaves.begin(), sheet.leaves.end(), [&](const Leaf& leaf) {
      return leaf.step >= 0 && (leaf.origin == model_path || leaf.origin.starts_with(model_path + "/"));
    });
  }

  std::shared_ptr<const Explanation> explanation;
  Scene model, expanded, gradient, optimised, plan;
  std::set<std::string> arena, buffers;
};

bool comes_from(const std::vector<std::string>& origins, const std::string& path) {
  return std::any_of(origins.begin(), origins.end(), [&](const std::string& origin) {
    return origin == path || origin.starts_with(path + "/") || path.starts_with(origin + "/");
  });
}

void expect_way_back(const Views& views, const Scene& view, const std::vector<std::string>& found,
                     const std::string& model_path) {
  for (const std::string& path : found) {
    ASSERT_TRUE(view.has(path)) << path;
    EXPECT_TRUE(comes_from(views.in(view, path, views.model), model_path)) << model_path << " → " << path;
  }
}

TEST(Places, OfEveryItemOfTheModelWithKernelsAreInThePlanAndLeadBack) {
  for (const test::SmallModel& each : models_to_place()) {
    SCOPED_TRACE(each.name);
    const Views views(each.graph);
    int with_kernels = 0;
    test::expect_faithful_everywhere(views.model, [&](const Item& item) {
      const bool runs = views.has_kernels(item.path);
      if (!runs) return;
      ++with_kernels;
      const std::vector<std::string> plan = views.in(views.model, item.path, views.plan);
      EXPECT_FALSE(plan.empty()) << item.path;
      for (const std::string& path : plan) EXPECT_TRUE(views.buffers.contains(path)) << path;
      expect_way_back(views, views.plan, plan, item.path);
      for (const Scene* view : {&views.expanded, &views.gradient, &views.optimised}) {
        const std::vector<std::string> found = views.in(views.model, item.path, *view);
        EXPECT_FALSE(found.empty()) << item.path << " in " << name_of(view->view());
        expect_way_back(views, *view, found, item.path);
      }
    });
    EXPECT_GT(with_kernels, 4);
  }
}

TEST(Places, OfWhatLiesInThePictureOfThePlanAreInAllViews) {
  for (const test::SmallModel& each : models_to_place()) {
    SCOPED_TRACE(each.name);
    const Views views(each.graph);
    ASSERT_FALSE(views.arena.empty());
    for (const std::string& path : views.arena) {
      EXPECT_FALSE(views.in(views.plan, path, views.model).empty()) << path;
      EXPECT_FALSE(views.in(views.plan, path, views.gradient).empty()) << path;
      EXPECT_FALSE(views.in(views.plan, path, views.optimised).empty()) << path;
    }
  }
}

TEST(Places, OfEveryStepAreInThePlan) {
  for (const test::SmallModel& each : models_to_place()) {
    SCOPED_TRACE(each.name);
    const Views views(each.graph);
    for (const Plan::Step& step : plan_of(views.optimised, views.plan).steps) {
      const bool is_copy = step.kind == "copy";  // the work of no op
      EXPECT_TRUE(is_copy || !views.in(views.optimised, step.path, views.plan).empty()) << step.path;
    }
  }
}

TEST(Places, OfParametersAndInputsAreTheirBuffers) {
  const Views views(small_mlp());
  EXPECT_EQ(views.in(views.model, "x", views.plan), std::vector<std::string>{"forward/x"});
  EXPECT_TRUE(views.buffers.contains("forward/hidden/hidden.weight"));
  EXPECT_TRUE(views.plan.origins("forward/hidden/hidden.weight").front().starts_with("hidden/"));
  // A variable is no rectangle of the picture: what lies there comes first.
  EXPECT_TRUE(views.arena.contains(views.in(views.model, "hidden", views.plan).front()));
}

TEST(Places, KeepToTheRoleOfWhatIsSelected) {
  const Views views(test::small_gpt(2));
  for (const Scene* view : {&views.optimised, &views.plan}) {
    for (const std::string folder : {"forward", "gradient"}) {
      const std::vector<std::string> found = views.in(views.gradient, folder + "/block_1/feed_forward", *view);
      ASSERT_FALSE(found.empty()) << folder;
      for (const std::string& path : found) EXPECT_TRUE(path.starts_with(folder + "/")) << path;
    }
  }
}

// ---- What scopes of derived views are

TEST(ScopeKinds, AreThoseOfTheLayersThatTheyComeFrom) {
  const Views views(test::small_gpt(2));
  for (const Scene* view : {&views.gradient, &views.optimised}) {
    for (const std::string folder : {"forward", "gradient"}) {
      const Item attention = view->item(folder + "/block_1/attention");
      EXPECT_EQ(attention.op, "nn.MultiHeadAttention");
      EXPECT_EQ(attention.category, "attention");
      EXPECT_EQ(view->item(folder).op, "");
      EXPECT_EQ(view->item(folder).category, folder);
    }
  }
  EXPECT_EQ(views.expanded.item("block_1").op, "nn.TransformerBlock");
  EXPECT_EQ(views.gradient.item("update").category, "update");
  EXPECT_EQ(views.gradient.item("update/check").category, "update");
  EXPECT_EQ(views.gradient.item("update/check/block_1/norm_1").op, "nn.LayerNorm");
}

TEST(ScopeKinds, LeaveNoBoxOfADerivedViewGrey) {
  for (const test::SmallModel& each : models_to_place()) {
    SCOPED_TRACE(each.name);
    const Views views(each.graph);
    for (const Scene* view : {&views.expanded, &views.gradient, &views.optimised, &views.plan}) {
      for (const Level& level : test::walk_sheet(*view, "").levels) {
        for (const Item& item : level.items) {
          EXPECT_FALSE(item.category.empty()) << name_of(view->view()) << " " << item.path;
        }
      }
    }
  }
}

// ---- The lines of derived views

TEST(Flow, OfTheGradientOfGpt2IsAFewLinesInEveryLevel) {
  const Graph model = zoo::build("gpt2", {{"batch", 1}, {"length", 16}});
  const Scene step = Scene::of_step(model, test::step_of(model));
  const Level root = step.level("");
  ASSERT_EQ(root.items.size(), 3U);  // in the order of the flow
  EXPECT_EQ(root.items[0].path, "forward");
  EXPECT_EQ(root.items[1].path, "gradient");
  EXPECT_EQ(root.items[2].path, "update");
  EXPECT_EQ(root.edges.size(), 3U);
  EXPECT_TRUE(root.portals.empty());

  const Level forward = step.level("forward");
  EXPECT_EQ(forward.edges.size(), 18U);  // a chain, and the targets of the loss
  EXPECT_TRUE(forward.inlets.empty());
  EXPECT_EQ(forward.outlets.size(), 2U);  // those of the model alone
  ASSERT_EQ(forward.portals.size(), 1U);  // the table that the head reads too
  EXPECT_EQ(forward.portals.front().from, "forward/token");
  EXPECT_EQ(forward.portals.front().to, std::vector<std::string>{"forward/head"});

  const Level gradient = step.level("gradient");
  EXPECT_EQ(gradient.edges.size(), 17U);
  EXPECT_TRUE(gradient.inlets.empty() && gradient.outlets.empty());
  EXPECT_EQ(gradient.portals.size(), 17U);  // one for each layer of the forward pass whose values are read
  for (const Portal& portal : gradient.portals) {
    EXPECT_TRUE(portal.name.starts_with("forward: ")) << portal.name;
    EXPECT_FALSE(portal.from) << portal.name;
    EXPECT_LE(portal.to.size(), 2U) << portal.name;
  }
  for (const Level& level : test::walk_sheet(step, "").levels) {
    EXPECT_LE(level.edges.size(), 2 * level.items.size()) << level.scope;
    EXPECT_LE(level.inlets.size(), 4U) << level.scope;
    EXPECT_LE(level.outlets.size(), 4U) << level.scope;
  }
}

}  // namespace
}  // namespace asg::lab
