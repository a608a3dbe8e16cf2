// What `asg train` does with the folder of a training, above all when something goes wrong.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "conversation.h"
#include "program.h"

namespace asg {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRunSteps = R"({"do": "run", "steps": 3})";

// An epoch has 23 steps.
constexpr const char* kTinyRecipe = R"(
name = "tiny"
threads = 1
[data]
name = "digits"
batch_size = 64
[course]
steps = 6
validate_every = 3
checkpoints = { every = 3 }
[model]
zoo = "lenet"
padding = 6
)";

constexpr const char* kNoEnd = "--set course.steps=100000000 --set \"course.checkpoints={every=100000000}\" ";
// The shell of a conversation, whose number this is, becomes the program. A name of a file and ")" must follow.
constexpr const char* kTellNumber = "$(echo $$ > ";

void send_signal(const std::string& file) { EXPECT_EQ(::kill(std::stoi(platform::read_file(file)), SIGTERM), 0); }

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class TrainingFolder : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("tiny.toml", kTinyRecipe);
  }

  std::string call(const std::string& more = "", const std::string& folder = "run") const {
    return "train " + file("tiny.toml") + " --folder \"" + file(folder) + "\" " + more;
  }
  std::string kept(const std::string& name) const { return platform::read_file(file("run/" + name)); }

  // Of the steps in a log, in order.
  std::vector<int> losses(const std::string& folder = "run") const {
    std::vector<int> steps;
    std::ifstream log(file(folder + "/log.jsonl"));
    for (std::string line; std::getline(log, line);) {
      const auto record = nlohmann::json::parse(line);
      if (record.at("tag") == "train/loss") steps.push_back(record.at("step"));
    }
    return steps;
  }
  int checkpoints(const std::string& folder = "run") const {
    int count = 0;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(file(folder + "/checkpoints"), none)) {
      count += entry.path().filename().string().starts_with("step-") ? 1 : 0;
    }
    return count;
  }
};

TEST_F(TrainingFolder, StaysAsItIsWhereATrainingCannotBegin) {
  ASSERT_EQ(run(call()).code, 0);
  const std::vector<std::string> files = {"log.csv", "log.jsonl", "recipe.json", "loss.svg"};
  std::vector<std::string> before;
  for (const std::string& each : files) before.push_back(kept(each));
  const std::string lab = "--lab --lab-no-open --lab-port 0 ";
  for (const std::string& more :
       {std::string("--overwrite --set \"schedule={kind='cosine'}\""),
        std::string("--overwrite --set course.evaluate_mean=true"),
        std::string("--resume --set course.evaluate_mean=true"), lab + "--overwrite --set \"schedule={kind='cosine'}\"",
        lab + "--overwrite --set course.evaluate_mean=true", std::string("--overwrite --set data.workers=100000")}) {
    const Outcome refused = run(call(more));
    EXPECT_EQ(refused.code, 1) << more << "\n" << refused.text;
    EXPECT_TRUE(holds(refused.text, "error: ")) << more << "\n" << refused.text;
    EXPECT_FALSE(holds(refused.text, "Done after")) << more << "\n" << refused.text;
    for (std::size_t k = 0; k < files.size(); ++k) EXPECT_EQ(kept(files[k]), before[k]) << more << ": " << files[k];
  }
}

// At a step that is saved, and at a signal.
TEST_F(TrainingFolder, ALabTellsThatASaveFailsAndEnds) {
  fs::create_directories(file("run"));
  write("run/checkpoints", "no folder");
  const std::string lab = call("--lab --lab-no-open --lab-port 0 ");
  const Outcome outcome = run(lab);
  EXPECT_EQ(outcome.code, 1) << outcome.text;
  EXPECT_TRUE(holds(outcome.text, "error: io_error")) << outcome.text;
  EXPECT_TRUE(holds(outcome.text, "Stopped after")) << outcome.text;
  EXPECT_FALSE(holds(outcome.text, "--resume")) << outcome.text;

  Conversation program(lab + kNoEnd + kTellNumber + file("number") + ") 2>&1");
  std::string text;
  bool is_signalled = false;
  while (const auto line = program.hear_line()) {
    text += *line + "\n";
    if (holds(*line, "loss") && !std::exchange(is_signalled, true)) send_signal(file("number"));
  }
  EXPECT_TRUE(holds(text, "error: io_error")) << text;
  EXPECT_TRUE(holds(text, "Stopped after")) << text;
  EXPECT_FALSE(holds(text, "--resume")) << text;
}

TEST_F(TrainingFolder, LogsGoOnWhereTheCheckpointIsThatWasTaken) {
  ASSERT_EQ(run(call()).code, 0);
  fs::resize_file(file("run/checkpoints/step-00000006/manifest.json"), 10);
  const Outcome resumed = run(call("--resume --set course.steps=8"));
  ASSERT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_EQ(losses(), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
  // The same of a checkpoint whose damage only its contents show.
  std::string weights = kept("checkpoints/step-00000008/variables.safetensors");
  weights.back() = static_cast<char>(weights.back() ^ 1);
  std::ofstream(file("run/checkpoints/step-00000008/variables.safetensors"), std::ios::binary) << weights;
  const Outcome again = run(call("--resume --set course.steps=9"));
  ASSERT_EQ(again.code, 0) << again.text;
  EXPECT_EQ(losses(), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST_F(TrainingFolder, TakesOneTrainingAtATime) {
  Conversation first(call("--script -"));
  first.say(kRunSteps);
  ASSERT_FALSE(first.hear("paused").is_null());
  const std::string before = kept("log.jsonl");
  const std::string lab = "--lab --lab-no-open --lab-port 0";
  for (const std::string& more : {std::string(), std::string("--resume"), std::string("--script /dev/null"), lab}) {
    const Outcome second = run(call(more));
    EXPECT_EQ(second.code, 1) << more << "\n" << second.text;
    EXPECT_TRUE(holds(second.text, "in which another training runs")) << more << "\n" << second.text;
  }
  EXPECT_EQ(kept("log.jsonl"), before);
  EXPECT_EQ(run("plot " + file("run/log.jsonl") + " -o " + file("plot.svg")).code, 0) << "who reads asks nobody";
  EXPECT_TRUE(first.kill());
  const Outcome after = run(call("--overwrite"));
  EXPECT_EQ(after.code, 0) << after.text;
}

// A Lab that looks at a folder leaves it free; with its first step it takes it.
TEST_F(TrainingFolder, IsTakenByALabThatGoesOnThere) {
  ASSERT_EQ(run(call()).code, 0);
  const std::string lab = "lab --no-open --port 0 " + file("run");
  Conversation looking(lab);
  ASSERT_TRUE(looking.hear_line());
  ASSERT_EQ(run(call("--resume")).code, 0);
  Conversation training(lab + " --run");
  const auto has_trained = [&] {
    const fs::directory_iterator all(file("run/checkpoints"));
    return std::any_of(begin(all), end(all), [](const fs::directory_entry& each) {
      return each.path().filename().string() > "step-00000006";
    });
  };
  for (int k = 0; k < 1000 && !has_trained(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_TRUE(has_trained());
  const Outcome refused = run(call());
  EXPECT_EQ(refused.code, 1) << refused.text;
  EXPECT_TRUE(holds(refused.text, "in which another training runs")) << refused.text;
}

TEST_F(TrainingFolder, APlotThatCannotBeMadeIsAWarning) {
  fs::create_directories(file("run/loss.svg"));
  const Outcome outcome = run(call());
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_TRUE(holds(outcome.text, "Done after 6 steps")) << outcome.text;
  EXPECT_TRUE(holds(outcome.text, "warning: the loss is not plotted")) << outcome.text;
}

TEST_F(TrainingFolder, ALogThatCannotBeBegunIsTold) {
  int number = 0;
  for (const char* more : {"", "--lab --lab-no-open --lab-port 0", "--script /dev/null"}) {
    const std::string folder = "run_" + std::to_string(number++);
    fs::create_directories(file(folder + "/log.jsonl"));
    const Outcome outcome = run(call(more, folder));
    EXPECT_EQ(outcome.code, 1) << more << "\n" << outcome.text;
    EXPECT_TRUE(holds(outcome.text, "error: io_error")) << more << "\n" << outcome.text;
    EXPECT_TRUE(holds(outcome.text, "log.jsonl")) << more << "\n" << outcome.text;
    EXPECT_EQ(outcome.text.find("error: io_error"), outcome.text.rfind("error: io_error")) << "once: " << outcome.text;
    EXPECT_FALSE(holds(outcome.text, "Done after")) << more << "\n" << outcome.text;
    EXPECT_FALSE(fs::exists(file(folder + "/checkpoints"))) << more << ": before the first step";
  }
}

// What a script does is logged as without one.
TEST_F(TrainingFolder, AScriptKeepsTheSameFiles) {
  ASSERT_EQ(run(call()).code, 0);
  write("script.jsonl", std::string(kRunSteps) + "\n" + kRunSteps + "\n");
  const Outcome by_script = run(call("--script " + file("script.jsonl"), "by_script"));
  ASSERT_EQ(by_script.code, 0) << by_script.text;
  for (const char* name : {"recipe.json", "log.csv", "log.jsonl", "loss.svg"}) {
    EXPECT_TRUE(fs::exists(file(std::string("by_script/") + name))) << name;
  }
  const auto figures = [&](const std::string& folder) {
    std::vector<nlohmann::json> records;
    std::ifstream log(file(folder + "/log.jsonl"));
    for (std::string line; std::getline(log, line);) {
      auto record = nlohmann::json::parse(line);
      record.erase("time");
      if (record.contains("value")) records.push_back(std::move(record));
    }
    return records;
  };
  EXPECT_EQ(figures("by_script"), figures("run"));
}

// A signal while a run is carried out, and one while the next line is waited for.
TEST_F(TrainingFolder, ASignalEndsAScriptWithACheckpoint) {
  for (const bool while_it_runs : {true, false}) {
    const std::string folder = while_it_runs ? "running" : "waiting";
    const std::string number = file(folder + ".pid");
    Conversation script(call(kNoEnd + std::string("--script - ") + kTellNumber + number + ")", folder));
    script.say(while_it_runs ? R"({"do": "run", "steps": 100000000})" : kRunSteps);
    ASSERT_FALSE(script.hear(while_it_runs ? "step_done" : "paused").is_null()) << folder;
    send_signal(number);
    const nlohmann::json saved = script.hear("checkpoint_saved");
    ASSERT_FALSE(saved.is_null()) << folder;
    EXPECT_FALSE(script.hear("stopped").is_null()) << folder;
    EXPECT_EQ(script.hear_line(), std::nullopt) << folder << ": and ends";
    EXPECT_EQ(checkpoints(folder), 1) << folder;
    EXPECT_EQ(losses(folder).back(), saved.at("step")) << folder;
    EXPECT_TRUE(fs::exists(file(folder + "/loss.svg"))) << folder;
  }
}

TEST_F(TrainingFolder, StaysAsItIsWhereALogHasNoPlace) {
  ASSERT_EQ(run(call()).code, 0);
  const std::string log = kept("log.jsonl");
  const std::string recipe = kept("recipe.json");
  fs::remove(file("run/log.csv"));
  fs::create_directories(file("run/log.csv"));
  const Outcome refused = run(call("--overwrite --set course.steps=9"));
  EXPECT_EQ(refused.code, 1) << refused.text;
  EXPECT_TRUE(holds(refused.text, "log.csv\", which is no file")) << refused.text;
  EXPECT_EQ(kept("log.jsonl"), log);
  EXPECT_EQ(kept("recipe.json"), recipe);
}

// What was changed by hand after a checkpoint; and `timeout` signals the process and then its group.
TEST_F(TrainingFolder, ASignalThatComesTwiceAtOnceSavesWhatWasChanged) {
  const std::string number = file("twice.pid");
  Conversation script(call(kNoEnd + std::string("--script - ") + kTellNumber + number + ")", "twice"));
  script.say(kRunSteps);
  ASSERT_FALSE(script.hear("paused").is_null());
  script.say(R"({"do": "save"})");
  ASSERT_FALSE(script.hear("checkpoint_saved").is_null());
  script.say(R"({"do": "set_learning_rate", "rate": 0.5})");
  ASSERT_FALSE(script.hear("learning_rate_set").is_null());
  send_signal(number);
  send_signal(number);
  EXPECT_FALSE(script.hear("checkpoint_saved").is_null());
  EXPECT_FALSE(script.hear("stopped").is_null());
  EXPECT_EQ(checkpoints("twice"), 2);
}

TEST_F(TrainingFolder, MayHaveAnyName) {
  for (const std::string& name : {std::string("it's/x"), std::string("with \\\"quotes\\\""), std::string("a=b#c"),
                                  std::string("back\\\\slash"), std::string("ё")}) {
    const Outcome outcome = run(call("", name));
    ASSERT_EQ(outcome.code, 0) << name << "\n" << outcome.text;
  }
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(file(""))) {
    if (entry.is_directory()) folders.insert(entry.path().filename().string());
  }
  EXPECT_EQ(folders, (std::set<std::string>{"it's", "with \"quotes\"", "a=b#c", "back\\slash", "ё"}));
  // And is found again by what was kept there.
  Conversation lab("lab --no-open --port 0 \"" + file("it's/x") + "\"");
  EXPECT_EQ(lab.hear_line(), "x");
}

TEST_F(TrainingFolder, ResumingWithoutACheckpointIsWarnedOf) {
  const Outcome first = run(call("--resume"));
  EXPECT_EQ(first.code, 0) << first.text;
  EXPECT_TRUE(holds(first.text, "warning: there is no checkpoint in")) << first.text;
  const Outcome second = run(call("--resume --set course.steps=7"));
  EXPECT_EQ(second.code, 0) << second.text;
  EXPECT_FALSE(holds(second.text, "warning: there is no checkpoint in")) << second.text;
}

TEST_F(TrainingFolder, AFolderIsNoScript) {
  const Outcome outcome = run(call("--script " + file("")));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(holds(outcome.text, "error: io_error: the script")) << outcome.text;
  EXPECT_FALSE(fs::exists(file("run")));
}

TEST_F(TrainingFolder, KeepsTheTokeniserOfItsCheckpoints) {
  std::string sea;
  for (int k = 0; k < 60; ++k) sea += "call me ishmael. ";
  const std::string text = write("sea.txt", sea);
  const std::string other = write("other.txt", sea + "ÄÖÜ");
  write("tiny.toml",
        "threads = 1\n[model]\nzoo = 'llama_tiny'\nlayers = 1\n[data]\nlength = 16\nbatch_size = 4\n[course]\nsteps = "
        "2\n");
  ASSERT_EQ(run(call("--set data.text=" + text)).code, 0) << run(call("--set data.text=" + text)).text;
  const std::string tokenizer = kept("tokenizer.json");
  const std::string recipe = kept("recipe.json");
  const Outcome refused = run(call("--resume --set course.steps=4 --set data.text=" + other));
  EXPECT_EQ(refused.code, 1) << refused.text;
  EXPECT_TRUE(holds(refused.text, "a text with another tokeniser than")) << refused.text;
  EXPECT_EQ(kept("tokenizer.json"), tokenizer);
  EXPECT_EQ(kept("recipe.json"), recipe);
  // What the error proposes.
  const Outcome mended = run(call("--resume --set course.steps=4 --set data.text=" + text +
                                  " --set data.tokens=" + file("run/tokenizer.json")));
  EXPECT_EQ(mended.code, 0) << mended.text;
  EXPECT_EQ(kept("tokenizer.json"), tokenizer);
}

}  // namespace
}  // namespace asg
