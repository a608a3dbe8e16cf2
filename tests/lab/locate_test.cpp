#include <algorithm>

#include <gtest/gtest.h>

#include "asg/lab/scene.h"
#include "lab/scene_models.h"
#include "lab/scene_walk.h"

namespace asg::lab {
namespace {

std::vector<Scene> all_views(const Graph& model) {
  const auto explanation = test::explained(model);
  return {Scene::of_model(model), Scene::of_expanded(model), Scene::of_step(model, test::step_of(model)),
          Scene::of_program(model, explanation), Scene::of_plan(model, explanation)};
}

TEST(Locate, LeadsFromEveryPlainOpOfTheModelToItsExpansionAndBack) {
  for (const test::SmallModel& small : test::small_models()) {
    SCOPED_TRACE(small.name);
    const Scene model = Scene::of_model(small.graph);
    const Scene expanded = Scene::of_expanded(small.graph);
    test::expect_faithful_everywhere(model, [&](const Item& item) {
      const bool reads_variable = item.op == "Variable";  // one node for all its readers
      if (item.opens || reads_variable) return;
      EXPECT_EQ(expanded.with_origin(item.path), std::vector<std::string>{item.path});
      EXPECT_EQ(expanded.origins(item.path), std::vector<std::string>{item.path});
    });
  }
}

TEST(Locate, FindsALayerInEveryView) {
  const Graph model = test::small_gpt();
  const std::vector<Scene> views = all_views(model);
  const std::vector<Places> places = locate(views.front(), "block_1/attention", views);
  ASSERT_EQ(places.size(), views.size());
  for (std::size_t k = 0; k < views.size(); ++k) {
    EXPECT_EQ(places[k].view, views[k].view());
    ASSERT_FALSE(places[k].paths.empty()) << name_of(places[k].view);
    for (const std::string& path : places[k].paths) {
      EXPECT_TRUE(views[k].has(path)) << path;
      // Memory may hold the results of several layers, one after the other.
      const std::vector<std::string> origins = views[k].origins(path);
      const auto inside = [](const std::string& origin) { return origin.starts_with("block_1/attention"); };
      EXPECT_TRUE(views[k].view() == View::plan ? std::any_of(origins.begin(), origins.end(), inside)
                                                : std::all_of(origins.begin(), origins.end(), inside))
          << path;
    }
  }
  EXPECT_EQ(places[1].paths, std::vector<std::string>{"block_1/attention"});
  const std::vector<std::string>& gradient = places[2].paths;
  for (const std::string expected : {"forward/block_1/attention", "gradient/block_1/attention"}) {
    EXPECT_NE(std::find(gradient.begin(), gradient.end(), expected), gradient.end()) << expected;
  }
}

TEST(Locate, NamesTheLayerThatAScopeComesFrom) {
  const Graph model = test::small_gpt();
  const Scene step = Scene::of_step(model, test::step_of(model));
  for (const std::string folder : {"forward", "gradient", "update"}) {
    EXPECT_EQ(step.origins(folder + "/block_1/norm_1"), std::vector<std::string>{"block_1/norm_1"});
  }
  const Scene program = Scene::of_program(model, test::explained(model));
  EXPECT_EQ(program.origins("gradient/block_1"), std::vector<std::string>{"block_1"});
  EXPECT_EQ(program.item("gradient/block_1").role, Role::gradient);
}

TEST(Locate, LeadsFromEveryDerivedItemToPlacesOfTheModel) {
  for (const test::SmallModel& small : test::small_models()) {
    SCOPED_TRACE(small.name);
    const std::vector<Scene> views = all_views(small.graph);
    for (std::size_t k = 1; k < views.size(); ++k) {
      for (const std::string& path : test::walk_sheet(views[k], "").paths) {
        for (const Places& places : locate(views[k], path, {views.front()})) {
          for (const std::string& found : places.paths) EXPECT_TRUE(views.front().has(found)) << path << " → " << found;
        }
      }
    }
  }
}

TEST(Find, KnowsPathsOpsAndVariables) {
  const Scene scene = Scene::of_model(test::small_gpt());
  const Found gelu = scene.find("gelu", 50);
  ASSERT_EQ(gelu.entries.size(), 4U);
  EXPECT_EQ(gelu.entries.front().path, "block_0/feed_forward/activation");
  EXPECT_EQ(gelu.entries.front().op, "Gelu");
  EXPECT_EQ(gelu.entries.front().category, "activation");
  EXPECT_EQ(gelu.more, 0);
  const Found blocks = scene.find("block_", 3);
  EXPECT_EQ(blocks.entries.size(), 3U);
  EXPECT_EQ(blocks.entries.front().path, "block_0");
  EXPECT_GT(blocks.more, 100);
  const Found weights = scene.find("block_2.attention.query_projection.weight", 10);
  ASSERT_FALSE(weights.entries.empty());
  EXPECT_TRUE(weights.entries.front().path.starts_with("block_2"));
  EXPECT_TRUE(scene.find("", 10).entries.empty());
  EXPECT_TRUE(scene.find("nothing is called so", 10).entries.empty());
}

TEST(Find, KnowsTheTitlesOfFusedSteps) {
  const Graph model = test::small_gpt();
  const Scene scene = Scene::of_program(model, test::explained(model));
  EXPECT_FALSE(scene.find("MatMul", 10).entries.empty());
}

}  // namespace
}  // namespace asg::lab
