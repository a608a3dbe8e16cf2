// Messages and events against docs/protocol.schema.json.
#include "support/protocol.h"

#include <filesystem>
#include <limits>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/train/script.h"
#include "train/models.h"

namespace asg::train {
namespace {

using Json = nlohmann::json;
using test::protocol_breach;
using test::protocol_names;

TEST(Protocol, EveryExampleOfAMessageIsRead) {
  for (const std::string& name : protocol_names("message")) {
    Json example = test::protocol_example(name);
    EXPECT_EQ(protocol_breach("message", example), "");
    example["training"] = 3;
    EXPECT_EQ(protocol_breach("message", example), "");
    const AddressedMessage read = message_from_json(example.dump());
    EXPECT_EQ(read.training, TrainingId{3});
    EXPECT_EQ(name_of(read.message), name == "step" ? "run" : name);
  }
}

TEST(Protocol, FieldsThatTheSchemaDoesNotKnowAreRefused) {
  for (const std::string& name : protocol_names("message")) {
    Json example = test::protocol_example(name);
    example["surprise"] = 1;
    EXPECT_NE(protocol_breach("message", example), "") << name;
    EXPECT_THROW(message_from_json(example.dump()), UserError) << name;
  }
}

TrainingSpec spec_in(const std::string& folder) {
  TrainingSpec spec;
  spec.model = test::small_classifier();
  spec.backend = std::make_shared<Interpreter>();
  spec.options.optimizer = optim::Optimizer::adam(1e-2);
  spec.options.optimizer.gradient_norm = true;
  spec.batch = [data = test::small_batch()](std::int64_t step) {
    NamedArrays batch = data;
    if (step == 3) batch["features"] = Array(DType::f32, data.at("features").sizes());
    if (step == 3) batch["features"].set(0, std::numeric_limits<double>::infinity());
    return batch;
  };
  spec.datasets = {{"held_out", test::small_data()}};
  spec.course = {.steps = 12, .steps_per_epoch = 4, .validate = "held_out"};
  spec.course.saving.folder = folder;
  return spec;
}

TEST(Protocol, EveryEventKeepsToTheSchema) {
  const std::string folder = testing::TempDir() + "/protocol_events";
  std::filesystem::remove_all(folder);
  const std::vector<std::string> script = {
      R"({"do": "run", "steps": 5})",
      R"({"do": "apply", "edit": {"policy": "preserve", "commands": [{"do": "set_config", "at": "block", "attrs": {"hidden": 20}}]}})",
      R"({"do": "apply", "edit": {"commands": [{"do": "replace_op", "at": "nowhere", "op": "Relu"}]}})",
      R"({"do": "undo"})",
      R"({"do": "redo"})",
      R"({"do": "snapshot", "label": "here"})",
      R"({"do": "read", "path": "head.weight"})",
      R"({"do": "set_value", "path": "head.bias", "value": [0.5, 0, -0.5]})",
      R"({"do": "read", "path": "head.bias"})",
      R"({"do": "set_learning_rate", "rate": 0.001})",
      R"({"do": "watch", "paths": ["block", "block/attention:0", "head.bias", "labels"], "every": 1, "gradients": true})",
      R"({"do": "set_schedule", "schedule": {"kind": "cosine", "steps": 40}})",
      R"({"do": "set_optimizer", "settings": {"beta1": 0.8}})",
      R"({"do": "reset", "paths": ["head"]})",
      R"({"do": "journal"})",
      R"({"do": "evaluate"})",
      R"({"do": "save"})",
      R"({"do": "branch", "label": "other"})",
      R"({"do": "run", "steps": 1, "training": 2})",
      R"({"do": "run"})",
      R"({"do": "pause"})",
      R"({"do": "load"})",
      R"({"do": "return_to", "id": 2})",
      R"({"do": "fly"})",
      R"({"do": "stop"})"};
  std::vector<Json> events;
  std::size_t next = 0;
  const auto line = [&](std::string& to) {
    if (next == script.size()) return false;
    to = script[next++];
    return true;
  };
  run_script(spec_in(folder),
             {line, [&](TrainingId id, const Event& event) { events.push_back(Json::parse(to_json(id, event))); }});
  std::set<std::string> seen;
  for (const Json& event : events) {
    EXPECT_EQ(protocol_breach("event", event), "");
    seen.insert(event.at("event"));
  }
  EXPECT_EQ(seen, protocol_names("event"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace asg::train
