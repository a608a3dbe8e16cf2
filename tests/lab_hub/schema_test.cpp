// Everything that the Lab says, and everything that can be said to it, against docs/protocol.schema.json. That each
// frame keeps to the schema the room itself sees to.
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "lab_hub/room.h"
#include "support/protocol.h"

namespace asg::test {
namespace {

using nlohmann::json;

constexpr lab::ClientId kClient = 1;

std::set<std::string> all_names(const std::string& kind) {
  std::set<std::string> names = protocol_names(kind);
  names.merge(protocol_names("lab_" + kind));
  return names;
}

// Has epochs, validation, checkpoints, and a third batch that is not finite.
train::TrainingSpec eventful_training(const std::string& folder) {
  train::TrainingSpec spec = small_training();
  spec.options.optimizer.gradient_norm = true;
  spec.batch = [good = spec.batch](std::int64_t step) {
    NamedArrays batch = good(step);
    if (step == 3) batch["features"].set(0, std::numeric_limits<double>::infinity());
    return batch;
  };
  spec.course = {.steps = 12, .steps_per_epoch = 4, .validate = "held_out", .metrics = {"f1"}};
  spec.course.saving.folder = folder;
  return spec;
}

// A client who says things to one training, each of them in the words of the schema.
class Speaker {
 public:
  Speaker(Room& room, json training) : room_(room), training_(std::move(training)) {}

  void say(json message) {
    note(message);
    room_.say(kClient, message);
  }
  json ask(json message) {
    note(message);
    return room_.ask(kClient, std::move(message));
  }
  // Asks, and holds the answer against its name.
  json hear(const std::string& event, json message) {
    json answer = ask(std::move(message));
    EXPECT_EQ(answer.at("event"), event) << answer;
    return answer;
  }
  const std::set<std::string>& said() const { return said_; }

 private:
  void note(json& message) {
    message["training"] = training_;
    EXPECT_EQ(protocol_breach("message", message), "");
    said_.insert(message.at("do"));
  }

  Room& room_;
  json training_;
  std::set<std::string> said_;
};

json edit(json command) { return {{"do", "apply"}, {"edit", {{"commands", json::array({std::move(command)})}}}}; }

// Opens all that opens in a view, and has every item described.
void look_everywhere(Speaker& speaker, const std::string& view) {
  std::vector<std::string> scopes = {""};
  std::size_t items = 0;
  for (std::size_t next = 0; next < scopes.size(); ++next) {
    const json level = speaker.hear("level", {{"do", "level"}, {"view", view}, {"scope", scopes[next]}});
    for (const json& item : level.at("items")) {
      ++items;
      if (item.at("opens")) scopes.push_back(item.at("path"));
      speaker.hear("described", {{"do", "describe"}, {"view", view}, {"path", item.at("path")}});
    }
  }
  EXPECT_GT(items, 3U) << view;
}

void train_and_look(Room& room, Speaker& speaker) {
  speaker.hear("watched", {{"do", "subscribe"}, {"values", {"bend_1:0", "head.bias"}}, {"gradients", true}});
  speaker.hear("paused", {{"do", "run"}, {"steps", 5}});
  speaker.hear("paused", {{"do", "step"}});
  for (const char* view : {"model", "expanded", "gradient", "optimised", "plan"}) look_everywhere(speaker, view);
  speaker.hear("found", {{"do", "find"}, {"view", "model"}, {"text", "bend"}, {"limit", 1}});
  speaker.hear("located", {{"do", "locate"}, {"view", "model"}, {"path", "bend_1"}});
  speaker.hear("plan", {{"do", "plan"}});
  speaker.hear("costs", {{"do", "costs"}});
  for (const bool gradient : {false, true}) {
    speaker.say({{"do", "tensor"}, {"value", "bend_1:0"}, {"gradient", gradient}, {"ask", 1000}});
    EXPECT_EQ(json::parse(room.next_tensor(kClient).header).at("gradient"), gradient);
  }
}

void change(Room& room, Speaker& speaker) {
  speaker.hear("edit_applied", edit({{"do", "replace_op"}, {"at", "bend_1"}, {"op", "Gelu"}}));
  room.next(kClient, "evaluated_cone");
  speaker.hear("edit_refused", edit({{"do", "replace_op"}, {"at", "nowhere"}, {"op", "Gelu"}}));
  speaker.hear("edit_applied", {{"do", "undo"}});
  speaker.hear("edit_applied", {{"do", "redo"}});
  const json snapshot = speaker.hear("snapshot_taken", {{"do", "snapshot"}, {"label", "here"}});
  speaker.hear("value_read", {{"do", "read"}, {"path", "head.weight"}});
  speaker.hear("value_set", {{"do", "set_value"}, {"path", "head.bias"}, {"value", {0.5, 0, -0.5}}});
  speaker.hear("learning_rate_set", {{"do", "set_learning_rate"}, {"rate", 0.001}});
  speaker.hear("schedule_set", {{"do", "set_schedule"}, {"schedule", {{"kind", "cosine"}, {"steps", 40}}}});
  speaker.hear("optimizer_set", {{"do", "set_optimizer"}, {"settings", {{"beta1", 0.8}}}});
  speaker.hear("reset_done", {{"do", "reset"}, {"paths", {"head"}}});
  speaker.hear("journal", {{"do", "journal"}});
  speaker.hear("evaluated", {{"do", "evaluate"}, {"dataset", "held_out"}});
  speaker.hear("checkpoint_saved", {{"do", "save"}});
  speaker.hear("checkpoint_loaded", {{"do", "load"}});
  speaker.hear("returned", {{"do", "return_to"}, {"id", snapshot.at("id")}});
  speaker.hear("branched", {{"do", "branch"}, {"label", "other"}});
  speaker.hear("failed", {{"do", "evaluate"}, {"dataset", "unheard of"}});
}

TEST(LabSchema, EveryMessageIsAnsweredAndEveryEventHeardAsTheSchemaSays) {
  const std::string folder = testing::TempDir() + "/lab_schema";
  std::filesystem::remove_all(folder);
  Room room({.version = "1.2.3",
             .open = [&](std::string_view) { return lab::Opened{"eventful", eventful_training(folder)}; }});
  room.enter(kClient);
  const json opened = room.ask(kClient, protocol_example("open"));
  ASSERT_EQ(opened.at("event"), "opened");
  Speaker speaker(room, opened.at("training"));
  room.next(kClient, "graph_ready");

  train_and_look(room, speaker);
  change(room, speaker);
  speaker.say({{"do", "watch"}, {"paths", {"bend_2"}}});
  speaker.say({{"do", "run"}});
  speaker.hear("paused", {{"do", "pause"}});
  const json history = speaker.hear("history", {{"do", "history"}});
  EXPECT_FALSE(history.at("evaluations").empty());
  EXPECT_FALSE(history.at("marks").empty());
  speaker.hear("stopped", {{"do", "stop"}});

  std::set<std::string> said = speaker.said();
  said.insert("open");
  EXPECT_EQ(said, all_names("message"));
  EXPECT_EQ(room.heard(), all_names("event"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace asg::test
