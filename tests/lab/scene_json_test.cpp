#include "asg/lab/scene_json.h"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "lab/scene_models.h"

namespace asg::lab {
namespace {

using Json = nlohmann::json;

TEST(SceneJson, WritesALevel) {
  const Graph model = test::small_gpt();
  const Json json =
      Json::parse(level_json(Scene::of_model(model).level("block_0"), {.training = 2, .version = 3, .ask = 7}));
  EXPECT_EQ(json["event"], "level");
  EXPECT_EQ(json["ask"], 7);
  EXPECT_EQ(json["training"], 2);
  EXPECT_EQ(json["version"], 3);
  EXPECT_EQ(json["view"], "model");
  EXPECT_EQ(json["scope"], "block_0");
  EXPECT_EQ(json["title"], "TransformerBlock");
  bool seen = false;
  for (const Json& item : json["items"]) {
    EXPECT_FALSE(item.contains("origins"));
    if (item["path"] != "block_0/attention") continue;
    seen = true;
    EXPECT_EQ(item["name"], "attention");
    EXPECT_EQ(item["op"], "nn.MultiHeadAttention");
    EXPECT_EQ(item["category"], "attention");
    EXPECT_EQ(item["opens"], true);
    EXPECT_EQ(item["outputs"], Json::parse(R"([{"name":"y","type":"f32[2, 8, 16]"}])"));
    EXPECT_EQ(item["role"], "forward");
  }
  EXPECT_TRUE(seen);
  ASSERT_EQ(json["inlets"].size(), 1U);
  EXPECT_EQ(json["inlets"][0]["name"], "x");
  EXPECT_EQ(json["inlets"][0]["value"], "position:0");
  ASSERT_EQ(json["outlets"].size(), 1U);
  EXPECT_EQ(json["outlets"][0]["name"], "y");
}

TEST(SceneJson, WritesADescription) {
  const Scene scene = Scene::of_model(test::small_gpt());
  const Json json = Json::parse(described_json(describe(scene, "block_0"), {}));
  EXPECT_EQ(json["event"], "described");
  EXPECT_FALSE(json.contains("ask"));
  for (const char* words : {"title", "what", "why", "why_not"}) {
    EXPECT_TRUE(json[words]["en"].is_string()) << words;
    EXPECT_TRUE(json[words]["ru"].is_string()) << words;
  }
  EXPECT_EQ(json["repeats"]["count"], 4);
  const auto attribute = std::find_if(json["attributes"].begin(), json["attributes"].end(),
                                      [](const Json& each) { return each["name"] == "activation"; });
  ASSERT_NE(attribute, json["attributes"].end());
  EXPECT_EQ((*attribute)["kind"], "text");
  EXPECT_EQ((*attribute)["value"], "Gelu");
  EXPECT_TRUE((*attribute)["choices"].is_array());
  EXPECT_EQ(json["variables"][0]["kind"], "parameter");
  EXPECT_FALSE(json["variables"][0]["role"]["ru"].get<std::string>().empty());
}

TEST(SceneJson, WritesWhatWasFoundAndLocated) {
  const Graph model = test::small_gpt();
  const Scene scene = Scene::of_model(model);
  const Json found = Json::parse(found_json(scene.find("gelu", 1), {.ask = 1}));
  EXPECT_EQ(found["event"], "found");
  EXPECT_EQ(found["items"][0], Json::parse(R"({"view":"model","path":"block_0/feed_forward/activation","op":"Gelu",
                                               "name":"activation","category":"activation"})"));
  EXPECT_EQ(found["more"], 3);
  const std::vector<Scene> views = {scene, Scene::of_expanded(model)};
  const Json located = Json::parse(located_json(locate(scene, "block_0", views), {}));
  EXPECT_EQ(located["places"], Json::parse(R"({"model":["block_0"],"expanded":["block_0"]})"));
}

TEST(SceneJson, WritesThePlanOfMemory) {
  const Graph model = test::small_gpt(2);
  const auto explanation = test::explained(model);
  const std::vector<double> seconds(explanation->program.steps.size(), 0.25);
  const Scene optimised = Scene::of_program(model, explanation, seconds);
  const Scene buffers = Scene::of_plan(model, explanation);
  const Json json = Json::parse(plan_json(plan_of(optimised, buffers), {.version = 5}));
  EXPECT_EQ(json["version"], 5);
  EXPECT_EQ(json["arena"], explanation->plan.arena_bytes);
  EXPECT_EQ(json["lower_bound"], explanation->plan.live_bytes);
  ASSERT_EQ(json["steps"].size(), explanation->program.steps.size());
  ASSERT_EQ(json["alive"].size(), explanation->program.steps.size());
  for (const Json& step : json["steps"]) {
    EXPECT_TRUE(optimised.has(step["path"].get<std::string>())) << step;
    EXPECT_EQ(step["seconds"], 0.25);
  }
  ASSERT_EQ(json["buffers"].size(), explanation->plan.lifetimes.size());
  for (const Json& buffer : json["buffers"]) {
    EXPECT_TRUE(buffers.has(buffer["path"].get<std::string>())) << buffer;
    EXPECT_LE(buffer["offset"].get<std::int64_t>() + buffer["size"].get<std::int64_t>(),
              json["arena"].get<std::int64_t>());
  }
  EXPECT_THROW(static_cast<void>(plan_of(buffers, optimised)), UserError);
}

TEST(SceneJson, WritesOddNamesAndNumbersAsText) {
  Graph graph("broken \xff bytes");
  const Tensor x = graph.input("<img src=x onerror=\"alert(1)\">", {DType::f32, {2}});
  const Tensor limit = graph.constant(Array::scalar(DType::f32, std::numeric_limits<double>::infinity()));
  graph.set_output("y", (x * limit).named("\xc3\x28"));
  const Scene scene = Scene::of_model(graph);
  const Json level = Json::parse(level_json(scene.level(""), {}));
  EXPECT_EQ(level["items"][0]["name"], "<img src=x onerror=\"alert(1)\">");
  EXPECT_NE(level["title"].get<std::string>().find("\xef\xbf\xbd"), std::string::npos);
  const Json literal = Json::parse(described_json(describe(scene, graph.node(limit.node()).path()), {}));
  EXPECT_TRUE(literal["literal"]["values"][0].is_null());
}

}  // namespace
}  // namespace asg::lab
