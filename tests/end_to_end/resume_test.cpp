// A training that is killed and goes on ends with the bytes of one that nobody disturbed.
#include <filesystem>

#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "conversation.h"
#include "program.h"

namespace asg {
namespace {

namespace fs = std::filesystem;

// With running statistics, dropout and a layer that edits can widen.
Graph picture_classifier() {
  Graph graph("resumed");
  const Dim batch = Dim::symbol("batch");
  const Tensor features = graph.input("features", {DType::f32, {batch, 64}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  Tensor x = nn::linear(features, 24, {.name = "hidden"});
  x = nn::batch_norm(x, {.name = "norm"});
  x = nn::dropout(relu(x), {.ratio = 0.25, .name = "dropout"});
  const Tensor logits = nn::linear(x, 10, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

// An epoch has 44 steps and an update 3 micro-batches: after 100 steps both are under way. Checkpoints are written when
// a message or the end asks for one.
constexpr const char* kRecipe = R"(
name = "resumed"
seed = 5
[data]
name = "digits"
transforms = ["standard", "flatten", "noise 0.1"]
batch_size = 32
workers = 2
[optimizer]
kind = "adamw"
learning_rate = 0.01
clip_norm = 1
accumulate = 3
ema = { decay = 0.9, warmup = true }
[schedule]
kind = "cosine"
steps = 60
warmup = 10
[course]
steps = 200
validate_every = 40
checkpoints = { every = 1000000 }
)";

constexpr const char* kEdit =
    R"({"do": "apply", "edit": {"policy": "overlap", "commands": [{"do": "set_config", "at": "hidden", "attrs": {"units": 32}}]}})";

std::string run_steps(int steps) { return R"({"do": "run", "steps": )" + std::to_string(steps) + "}"; }

class KilledTraining : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("model.json", to_json(picture_classifier()));
    write("recipe.toml", kRecipe);
  }

  std::string call(const std::string& folder) const {
    return "train " + file("recipe.toml") + " --model " + file("model.json") + " --folder " + file(folder);
  }

  void expect_same_files(const std::string& a, const std::string& b) const {
    int files = 0;
    for (const auto& entry : fs::directory_iterator(file(a))) {
      const std::string name = entry.path().filename().string();
      ASSERT_TRUE(fs::exists(file(b) + "/" + name)) << name;
      EXPECT_TRUE(platform::read_file(entry.path().string()) == platform::read_file(file(b) + "/" + name)) << name;
      ++files;
    }
    EXPECT_EQ(files, std::distance(fs::directory_iterator(file(b)), fs::directory_iterator()));
    EXPECT_GE(files, 4);  // manifest, model, variables, optimiser
  }
};

TEST_F(KilledTraining, GoesOnToTheBytesOfAnUndisturbedOne) {
  write("script.jsonl", run_steps(60) + "\n" + kEdit + "\n" + run_steps(140) + "\n");
  const Outcome whole = run(call("whole") + " --script " + file("script.jsonl"));
  ASSERT_EQ(whole.code, 0) << whole.text;

  {
    // Another end of its course, so that it runs when it is killed, whenever that is.
    Conversation killed(call("killed") + " --set course.steps=100000000 --script -");
    for (const std::string& line : {run_steps(60), std::string(kEdit), run_steps(40)}) killed.say(line);
    killed.say(R"({"do": "save"})");
    const nlohmann::json saved = killed.hear("checkpoint_saved");
    ASSERT_FALSE(saved.is_null());
    EXPECT_EQ(saved.at("step"), 100);
    killed.say(R"({"do": "run"})");
    const auto is_later = [](const nlohmann::json& event) {
      return event.at("event") == "step_done" && event.at("step") >= 103;
    };
    ASSERT_FALSE(killed.hear(is_later).is_null());
    EXPECT_TRUE(killed.kill());
  }
  EXPECT_FALSE(fs::exists(file("killed/checkpoints/step-00000200")));

  const Outcome resumed = run(call("killed") + " --resume");
  ASSERT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_NE(resumed.text.find("Done after 200 steps"), std::string::npos) << resumed.text;
  expect_same_files("whole/checkpoints/step-00000200", "killed/checkpoints/step-00000200");
}

// Not from the future that it left, whose step is higher.
TEST_F(KilledTraining, GoesOnAsItWasAfterAReturnToAnEarlierStep) {
  {
    Conversation killed(call("returned") + " --script -");
    for (const std::string& line :
         {run_steps(4), std::string(R"({"do": "snapshot"})"), run_steps(20), std::string(R"({"do": "save"})"),
          std::string(R"({"do": "return_to", "id": 1})"), run_steps(3), std::string(R"({"do": "save"})")}) {
      killed.say(line);
    }
    const auto is_saved_again = [](const nlohmann::json& event) {
      return event.at("event") == "checkpoint_saved" && event.at("step") == 7;
    };
    ASSERT_FALSE(killed.hear(is_saved_again).is_null());
    EXPECT_TRUE(killed.kill());
  }
  EXPECT_TRUE(fs::exists(file("returned/checkpoints/step-00000024")));
  Conversation resumed(call("returned") + " --resume --script -");
  const nlohmann::json loaded = resumed.hear("checkpoint_loaded");
  ASSERT_FALSE(loaded.is_null());
  EXPECT_EQ(loaded.at("step"), 7);
}

}  // namespace
}  // namespace asg
