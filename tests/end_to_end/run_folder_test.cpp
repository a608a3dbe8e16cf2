// A folder holds one run, and one program at a time writes there.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "conversation.h"
#include "lab_server/client.h"
#include "program.h"

namespace asg {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kShortRecipe = R"(
name = "short"
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

constexpr const char* kEndless = "--set course.steps=100000000 --set \"course.checkpoints={every=100000000}\" ";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class RunFolder : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("short.toml", kShortRecipe);
  }

  std::string call(const std::string& more = "", const std::string& folder = "run") const {
    return "train " + file("short.toml") + " --folder " + file(folder) + " " + more;
  }
  std::string lab(const std::string& more = "") const { return "lab --no-open --port 0 " + file("run") + " " + more; }

  std::set<std::string> checkpoints(const std::string& folder = "run") const {
    std::set<std::string> names;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(file(folder + "/checkpoints"), none)) {
      if (entry.is_directory()) names.insert(entry.path().filename().string());
    }
    return names;
  }

  // Steps of the records of a tag in a log of the run.
  std::vector<std::int64_t> logged(const std::string& tag) const {
    std::vector<std::int64_t> steps;
    std::ifstream log(file("run/log.jsonl"));
    for (std::string line; std::getline(log, line);) {
      const Json record = Json::parse(line);
      if (record.at("tag") == tag) steps.push_back(record.at("step"));
    }
    return steps;
  }

  std::string last_folder_of_checkpoints() const {
    const auto names = checkpoints();
    return names.empty() ? "" : *names.rbegin();
  }
};

// A client of a Lab that a program serves, whose lines have been heard up to the address.
class LabClient {
 public:
  explicit LabClient(Conversation& program) {
    std::string url;
    while (url.empty()) {
      const auto line = program.hear_line();
      if (!line) return;
      if (contains(*line, "Model Lab")) url = line->substr(line->find("http://"));
    }
    client_ = std::make_unique<lab::Client>(
        static_cast<std::uint16_t>(std::stoi(url.substr(url.find(':', url.find("//")) + 1))));
    EXPECT_EQ(client_->upgrade("/ws" + url.substr(url.find('?'))).status, 101);
  }

  Json ask(Json message) {
    message["ask"] = ++last_;
    client_->send_text(message.dump());
    for (;;) {
      const auto text = client_->text();
      if (!text) return {{"event", "nothing"}};
      Json heard = Json::parse(*text);
      if (heard.value("ask", 0) == last_) return heard;
    }
  }

 private:
  std::unique_ptr<lab::Client> client_;
  int last_ = 0;
};

TEST_F(RunFolder, IsNotMixedWithASecondRun) {
  ASSERT_EQ(run(call()).code, 0);
  const std::string log = platform::read_file(file("run/log.jsonl"));
  for (const std::string& more :
       {std::string(), std::string("--script /dev/null"), std::string("--lab --lab-no-open --lab-port 0")}) {
    const Outcome refused = run(call(more));
    EXPECT_EQ(refused.code, 1) << more;
    EXPECT_TRUE(contains(refused.text, "which holds a run of 6 steps")) << refused.text;
    EXPECT_TRUE(contains(refused.text, "resume it with --resume, begin anew in its place with --overwrite"))
        << refused.text;
  }
  EXPECT_EQ(platform::read_file(file("run/log.jsonl")), log);
  EXPECT_EQ(run(call("--resume --overwrite")).code, 2) << "one or the other";
  const Outcome anew = run(call("--overwrite --set course.steps=4 --set \"course.checkpoints={every=2}\""));
  ASSERT_EQ(anew.code, 0) << anew.text;
  EXPECT_EQ(checkpoints(), (std::set<std::string>{"step-00000002", "step-00000004"})) << "none of the run before";
  const Outcome resumed = run(call("--resume --set course.steps=5"));
  ASSERT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_EQ(logged("train/loss"), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
}

TEST_F(RunFolder, ALabMayNotSaveWhereAnotherTrainingRuns) {
  ASSERT_EQ(run(call()).code, 0);
  Conversation looking(lab());
  LabClient client(looking);
  Conversation training(call(std::string("--resume --script - ") + kEndless));
  training.say(R"({"do": "run", "steps": 2})");
  ASSERT_FALSE(training.hear("paused").is_null());
  const auto before = checkpoints();
  const Json refused = client.ask({{"do", "save"}});
  EXPECT_TRUE(contains(refused.at("error").at("given"), "in which another training runs")) << refused;
  EXPECT_EQ(checkpoints(), before);
  EXPECT_TRUE(training.kill());
  EXPECT_EQ(client.ask({{"do", "save"}}).at("event"), "checkpoint_saved") << "when the other has gone";
  EXPECT_TRUE(contains(run(call("--resume")).text, "in which another training runs")) << "now it is the owner";
}

TEST_F(RunFolder, HasNoLeftoversAfterTheNextStart) {
  ASSERT_EQ(run(call()).code, 0);
  write("run/log.jsonl.tmp-4711-0", "half a lo");
  write("run/recipe.json.tmp-4711-1", "{");
  write("run/checkpoints/best.json.tmp-4711-2", "{");
  fs::create_directories(file("run/checkpoints/.tmp-step-00000009"));
  write("run/mine.tmp-note", "not ours");
  ASSERT_EQ(run(call("--resume")).code, 0);
  std::vector<std::string> left;
  for (const auto& entry : fs::recursive_directory_iterator(file("run"))) {
    const std::string name = entry.path().filename().string();
    if (contains(name, ".tmp-")) left.push_back(name);
  }
  EXPECT_EQ(left, std::vector<std::string>{"mine.tmp-note"});
}

// A kill between a checkpoint and the line that tells of it.
TEST_F(RunFolder, LosesNoLineOfItsLog) {
  ASSERT_EQ(run(call()).code, 0);
  for (const char* name : {"run/log.jsonl", "run/log.csv"}) {
    std::ifstream log(file(name));
    std::string kept;
    for (std::string line; std::getline(log, line);) {
      if (!contains(line, "checkpoint") || !contains(line, "step-00000006")) kept += line + "\n";
    }
    log.close();
    write(name, kept);
  }
  ASSERT_EQ(logged("checkpoint"), std::vector<std::int64_t>{3});
  ASSERT_EQ(run(call("--resume --set course.steps=9")).code, 0);
  EXPECT_EQ(logged("checkpoint"), (std::vector<std::int64_t>{3, 6, 9}));
  EXPECT_TRUE(contains(platform::read_file(file("run/log.csv")), "step-00000006"));
  ASSERT_EQ(run(call("--resume --set course.steps=12")).code, 0);
  EXPECT_EQ(logged("checkpoint"), (std::vector<std::int64_t>{3, 6, 9, 12})) << "each once";
}

// What was done after a checkpoint at the same step is lost with the process, and so is its line.
TEST_F(RunFolder, KeepsNoLineOfWhatIsLost) {
  constexpr const char* kEditNorm =
      R"({"do": "apply", "edit": {"commands": [{"do": "set_config", "at": "norm", "attrs": {"epsilon": 0.01}}]}})";
  const std::string digits = "train --threads 1 --folder " + file("run") + " " + kEndless + "--script - ";
  {
    Conversation killed(digits);
    killed.say(R"({"do": "run", "steps": 2})");
    ASSERT_FALSE(killed.hear("paused").is_null());
    killed.say(R"({"do": "save"})");
    ASSERT_FALSE(killed.hear("checkpoint_saved").is_null());
    killed.say(kEditNorm);
    ASSERT_FALSE(killed.hear("edit_applied").is_null());
    EXPECT_TRUE(killed.kill());
  }
  ASSERT_EQ(logged("edit"), std::vector<std::int64_t>{2});
  Conversation resumed(digits + "--resume");
  ASSERT_FALSE(resumed.hear("graph_ready").is_null());
  EXPECT_EQ(logged("edit"), std::vector<std::int64_t>{});
  EXPECT_EQ(logged("checkpoint"), std::vector<std::int64_t>{2});
}

// The shell of a conversation, whose number is written to a file, becomes the program.
std::string telling_number(const std::string& file) { return " $(echo $$ > " + file + ")"; }
int number_in(const std::string& file) { return std::stoi(platform::read_file(file)); }

TEST_F(RunFolder, EachSignalEndsATrainingWithACheckpoint) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    const std::string folder = "by-" + std::to_string(signal);
    Conversation training(call(std::string(kEndless) + "--script -" + telling_number(file("number")), folder));
    training.say(R"({"do": "run"})");
    ASSERT_FALSE(training.hear("step_done").is_null()) << signal;
    ASSERT_EQ(::kill(number_in(file("number")), signal), 0);
    EXPECT_FALSE(training.hear("checkpoint_saved").is_null()) << signal;
    EXPECT_FALSE(training.hear("stopped").is_null()) << signal;
    EXPECT_EQ(checkpoints(folder).size(), 1U) << signal;
  }
}

TEST_F(RunFolder, ASignalSavesTheWorkOfALab) {
  ASSERT_EQ(run(call()).code, 0);
  {
    Conversation looking(lab(telling_number(file("number"))));
    LabClient client(looking);
    EXPECT_EQ(client.ask({{"do", "history"}}).at("event"), "history");
    ASSERT_EQ(::kill(number_in(file("number")), SIGHUP), 0);
    while (looking.hear_line()) continue;
    EXPECT_EQ(last_folder_of_checkpoints(), "step-00000006") << "nothing was done";
  }
  Conversation training(lab(telling_number(file("number"))));
  LabClient client(training);
  EXPECT_EQ(client.ask({{"do", "run"}, {"steps", 2}}).at("event"), "paused");
  ASSERT_EQ(::kill(number_in(file("number")), SIGTERM), 0);
  while (training.hear_line()) continue;
  EXPECT_EQ(last_folder_of_checkpoints(), "step-00000008");
}

}  // namespace
}  // namespace asg
