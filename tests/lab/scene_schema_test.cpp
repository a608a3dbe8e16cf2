// Answers about scenes against docs/protocol.schema.json: each keeps to it, and each field of it is used.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/lab/scene_json.h"
#include "lab/scene_models.h"
#include "support/amount.h"
#include "support/protocol.h"

namespace asg::lab {
namespace {

using Json = nlohmann::json;

void add_fields(const Json& value, std::set<std::string>& fields) {
  if (value.is_object()) {
    for (const auto& [name, field] : value.items()) fields.insert(name);
  }
  if (!value.is_structured()) return;
  for (const Json& each : value) add_fields(each, fields);
}

class SceneSchema : public testing::Test {
 protected:
  Json taken(const std::string& text) {
    Json answer = Json::parse(text);
    EXPECT_EQ(asg::test::protocol_breach("event", answer), "");
    add_fields(answer, fields_);
    return answer;
  }

  // Every level below a scope; of each op in it one item is described, which is what takes the time.
  void look_through(const Scene& scene, const std::string& scope) {
    const Level level = scene.level(scope);
    taken(level_json(level, {.ask = 1}));
    for (const Item& item : level.items) {
      const std::string kind = std::string(name_of(scene.view())) + " " + item.op;
      if (described_.insert(kind).second) taken(described_json(describe(scene, item.path), {.ask = 2}));
      if (item.opens && !(item.repeats && item.repeats->index > 0)) look_through(scene, item.path);
    }
  }

  void look_at(const Graph& model) {
    const auto explanation = test::explained(model);
    const std::vector<double> seconds(explanation->program.steps.size(), 0.5);
    const std::vector<Scene> views = {
        Scene::of_model(model), Scene::of_expanded(model), Scene::of_step(model, test::step_of(model)),
        Scene::of_program(model, explanation, seconds), Scene::of_plan(model, explanation)};
    for (const Scene& scene : views) look_through(scene, "");
    const Item first = views.front().level("").items.back();
    taken(located_json(locate(views.front(), first.path, views), {.ask = 3}));
    taken(found_json(views.front().find(first.name, 2), {.ask = 4}));
    taken(plan_json(plan_of(views[3], views[4]), {.ask = 5}));
  }

  // Fields of an answer and of all that it is made of.
  std::set<std::string> fields_of(const std::string& definition) {
    std::set<std::string> fields;
    const Json properties = asg::test::protocol().at("$defs").at(definition).value("properties", Json::object());
    for (const auto& [name, field] : properties.items()) {
      fields.insert(name);
      const Json& inside = field.contains("items") ? field.at("items") : field;
      if (!inside.contains("$ref")) continue;
      const std::string reference = inside.at("$ref");
      fields.merge(fields_of(reference.substr(reference.rfind('/') + 1)));
    }
    return fields;
  }

  std::set<std::string> fields_;
  std::set<std::string> described_;
};

TEST_F(SceneSchema, HoldsForEveryLevelOfEveryView) {
  look_at(test::small_gpt(2));
  for (const test::SmallModel& model : test::small_models()) {
    if (model.name == "lenet" || (model.name == "mobilenet_v2" && !asg::test::kFewCases)) look_at(model.graph);
  }
  Level crowded;
  crowded.left_out = 1;  // of a graph with thousands of edges, see limits_test
  taken(level_json(crowded, {.ask = 6}));
  for (const char* answer : {"level", "described", "found", "located", "plan"}) {
    for (const std::string& field : fields_of(std::string("event.") + answer)) {
      EXPECT_TRUE(fields_.contains(field)) << "no " << answer << " has '" << field << "'";
    }
  }
}

}  // namespace
}  // namespace asg::lab
