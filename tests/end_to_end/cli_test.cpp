#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "asg/version.h"
#include "program.h"

namespace asg {
namespace {

namespace fs = std::filesystem;

class Commands : public ProgramTest {
 protected:
  std::string model_file() const {
    Graph graph("tiny");
    const Tensor x = graph.input("features", {DType::f32, {Dim::symbol("batch"), 8, 8}});
    graph.set_output("y", nn::linear(x, 3, {.name = "fc"}));
    return write("tiny.json", to_json(graph));
  }
};

TEST_F(Commands, TellsItsVersionAndItsHelp) {
  for (const char* asked : {"version", "--version"}) {
    const Outcome told = run(asked);
    EXPECT_EQ(told.code, 0) << asked;
    EXPECT_EQ(told.text, std::string("asg ") + kVersion + "\n") << asked;
  }
  const Outcome help = run("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"demo", "train", "run", "generate", "plot", "ops", "inspect", "explain", "convert",
                              "check", "gradcheck", "zoo", "data", "tokens", "devices", "version"}) {
    EXPECT_NE(help.text.find(command), std::string::npos) << command;
    EXPECT_EQ(run(std::string(command) + " --help").code, 0) << command;
  }
  EXPECT_NE(run("devices").text.find("interp"), std::string::npos);
  EXPECT_NE(run("lab --help").text.find("--hosts NAME,..."), std::string::npos);
  EXPECT_NE(run("train --help").text.find("--lab-hosts NAME,..."), std::string::npos);
}

struct BadCall {
  const char* arguments;
  int code;
  const char* contains;
};

TEST_F(Commands, RefusesBadCallsWithWords) {
  const std::vector<BadCall> rows = {{"", 2, "subcommand"},
                                     {"fly", 2, "fly"},
                                     {"ops --lang xx", 2, "lang"},
                                     {"ops Sofmax", 1, "Softmax"},
                                     {"inspect /nowhere.json", 1, "io_error"},
                                     {"convert a.json b.xyz", 1, ".dot"},
                                     {"train --script /nowhere.jsonl", 1, "io_error"},
                                     {"check backend moon", 1, "no_such_device"},
                                     {"gradcheck --op Sofmax", 1, "Softmax"},
                                     {"gradcheck --order 3", 2, "order"},
                                     {"gradcheck --seed 3", 2, "random"},
                                     {"demo --steps 0", 2, "steps"},
                                     {"lab gpt2_char_small --data digits", 1, "--data moby-dick"},
                                     {"lab lenet --data moby-dick", 1, "--data digits"},
                                     {"lab lenett", 1, "lenet"},
                                     {"lab --threads -1", 1, "at least 0"},
                                     {"lab --device moon", 1, "no_such_device"},
                                     {"train --threads -1", 1, "at least 0"},
                                     {"run m.json --threads -1", 2, "--threads"},
                                     {"explain m.json --threads -1", 2, "--threads"},
                                     {"demo --threads -1", 2, "--threads"},
                                     {"lab --hosts http://example.org", 2, "http://example.org"}};
  for (const BadCall& row : rows) {
    const Outcome outcome = run(row.arguments);
    EXPECT_EQ(outcome.code, row.code) << row.arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find(row.contains), std::string::npos) << row.arguments << "\n" << outcome.text;
  }
}

TEST_F(Commands, KnowsItsOps) {
  const std::string all = run("ops").text;
  for (const OpCard* op : Registry::global().all()) {
    EXPECT_NE(all.find(op->name), std::string::npos) << op->name;
  }
  EXPECT_NE(run("ops Softmax").text.find("Softmax"), std::string::npos);
  EXPECT_NE(run("ops Softmax").text, run("ops Softmax --lang ru").text);
  const auto json = nlohmann::json::parse(run("ops nn.Linear --json").text);
  EXPECT_NE(json.dump().find("nn.Linear"), std::string::npos);
}

TEST_F(Commands, ChecksGradients) {
  const Outcome table = run("gradcheck --op Softmax");
  EXPECT_EQ(table.code, 0) << table.text;
  EXPECT_NE(table.text.find("1 passed, 0 failed"), std::string::npos) << table.text;
  const auto json = nlohmann::json::parse(run("gradcheck --op Softmax --order 2 --json").text);
  EXPECT_EQ(json.at("passed"), 1);
  EXPECT_EQ(json.at("failed"), 0);
  const auto& row = json.at("ops").at(0);
  EXPECT_EQ(row.at("name"), "Softmax");
  EXPECT_EQ(row.at("order"), 2);
  EXPECT_GT(row.at("samples"), 0);
  EXPECT_LE(row.at("max_error"), row.at("bound"));
  EXPECT_TRUE(row.at("passed"));
  const std::string floor = run("gradcheck --op Floor").text;
  EXPECT_NE(floor.find("zero by definition"), std::string::npos) << floor;
  const auto graphs = nlohmann::json::parse(run("gradcheck --random 3 --seed 5 --json").text);
  EXPECT_EQ(graphs.at("failed"), 0);
  EXPECT_EQ(graphs.at("passed").get<int>() + graphs.at("dropped").get<int>(), 3);
}

TEST_F(Commands, ConvertsThereAndBack) {
  const std::string model = model_file();
  ASSERT_EQ(run("convert " + model + " " + file("copy.json")).code, 0);
  EXPECT_EQ(platform::read_file(file("copy.json")), platform::read_file(model));
  ASSERT_EQ(run("convert " + model + " " + file("model.txt")).code, 0);
  EXPECT_EQ(platform::read_file(file("model.txt")), to_text(read_json(platform::read_file(model))));
  EXPECT_NE(run("convert " + model + " - --to graphviz").text.find("digraph"), std::string::npos);
}

TEST_F(Commands, InspectsAModel) {
  const Outcome text = run("inspect " + model_file());
  EXPECT_NE(text.text.find("27 parameters"), std::string::npos) << text.text;
  const auto json = nlohmann::json::parse(run("inspect --json " + model_file()).text);
  EXPECT_EQ(json.at("parameters"), 27);
  EXPECT_EQ(json.at("layers").at(0).at("op"), "nn.Linear");
  EXPECT_EQ(run("inspect " + write("broken.json", "{\"asg\": ")).code, 1);
}

std::vector<nlohmann::json> events_of(const std::string& text) {
  std::vector<nlohmann::json> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result.push_back(nlohmann::json::parse(line));
  return result;
}

TEST_F(Commands, ReadsOnnxModels) {
  const std::string model = "/usr/share/libonnx-testdata/data/simple/test_sign_model/model.onnx";
  if (!fs::exists(model)) FAIL() << "no " << model << "; the Debian package libonnx-testdata is missing";
  EXPECT_NE(run("inspect " + model).text.find("output  y : f32[7]"), std::string::npos);
  EXPECT_EQ(run("convert " + model + " " + file("sign.json")).code, 0);
  EXPECT_NE(run("convert " + file("sign.json") + " - --to text").text.find("Sign"), std::string::npos);
  const Outcome refused = run("inspect " + write("broken.onnx", "no model"));
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.text.find("bytes that are not a model"), std::string::npos) << refused.text;
}

TEST_F(Commands, ChecksDataOfOnnx) {
  const std::string folder = "/usr/share/libonnx-testdata/data/simple";
  const Outcome plain = run("check onnx " + folder + " --only sign_model");
  EXPECT_EQ(plain.code, 0);
  EXPECT_EQ(plain.text, "1 passed, 0 failed, 0 skipped\n");
  const auto report = nlohmann::json::parse(run("check onnx " + folder + " --only sign_model --json").text);
  EXPECT_EQ(report, nlohmann::json::parse(R"({"passed":1,"failed":0,"skipped":0,
      "cases":[{"name":"test_sign_model","status":"passed","reason":""}]})"));
  // A model with the data of another one.
  fs::create_directories(file("data/wrong"));
  fs::copy(folder + "/test_sign_model/model.onnx", file("data/wrong/model.onnx"));
  fs::copy(folder + "/test_single_relu_model/test_data_set_0", file("data/wrong/test_data_set_0"));
  const Outcome wrong = run("check onnx " + file("data"));
  EXPECT_EQ(wrong.code, 1);
  EXPECT_TRUE(wrong.text.ends_with("0 passed, 1 failed, 0 skipped\n")) << wrong.text;
  EXPECT_EQ(run("check onnx " + file("nowhere")).code, 1);
}

TEST_F(Commands, TrainsByTheExampleScript) {
  const Outcome outcome = run(std::string("train --set course.validate=false --script ") + ASG_SOURCE_DIR +
                              "/examples/scripts/widen.jsonl");
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  std::vector<double> losses;
  std::vector<std::string> names;
  for (const auto& event : events_of(outcome.text)) {
    names.push_back(event.at("event"));
    if (event.at("event") == "evaluated") losses.push_back(event.at("loss"));
  }
  EXPECT_EQ(names.front(), "graph_ready");
  EXPECT_EQ(names.back(), "stopped");
  ASSERT_EQ(losses.size(), 4U);
  EXPECT_NE(losses[0], losses[1]);                               // another activation
  EXPECT_LE(std::abs(losses[2] - losses[1]), 1e-5 * losses[1]);  // wider, the same function
  EXPECT_EQ(losses[3], losses[0]);                               // back at the snapshot
}

TEST_F(Commands, TrainsByARecipeAndGoesOn) {
  const std::string recipe = std::string(ASG_SOURCE_DIR) + "/examples/recipes/digits.toml --folder " + file("run") +
                             " --set data.workers=2 --set course.steps=";
  const Outcome first = run("train " + recipe + "30");
  ASSERT_EQ(first.code, 0) << first.text;
  EXPECT_NE(first.text.find("Done after 30 steps"), std::string::npos) << first.text;
  EXPECT_TRUE(fs::exists(file("run/checkpoints/step-00000030/manifest.json")));
  EXPECT_TRUE(fs::exists(file("run/loss.svg")));
  const Outcome second = run("train " + recipe + "60 --resume");
  ASSERT_EQ(second.code, 0) << second.text;
  EXPECT_NE(second.text.find("Done after 60 steps"), std::string::npos) << second.text;
  EXPECT_NE(second.text.find("held-out accuracy: "), std::string::npos) << second.text;
  std::ifstream log(file("run/log.csv"));
  int losses = 0;
  for (std::string line; std::getline(log, line);) losses += line.find("train/loss") != std::string::npos ? 1 : 0;
  EXPECT_EQ(losses, 60);
  EXPECT_EQ(run("train " + recipe + "x").code, 1);
}

TEST_F(Commands, ReadsAScriptFromItsInput) {
  const std::string script = R"({"do": "run", "steps": 2}
{"do": "fly"})";
  const Outcome outcome = run("train --script - --data synthetic --batch-size 8 --optimizer sgd --seed 3", script);
  EXPECT_EQ(outcome.code, 1);
  const auto events = events_of(outcome.text);
  ASSERT_EQ(events.size(), 6U) << outcome.text;
  EXPECT_EQ(events[2].at("step"), 2);
  EXPECT_EQ(events[4].at("error").at("code"), "bad_command");
}

// In place of folders and files: what is no folder, and what no file can be called.
TEST_F(Commands, RefusesBadPathsWithWords) {
  const std::string plain = write("plain", "no folder");
  const std::string recipe = std::string(ASG_SOURCE_DIR) + "/examples/recipes/digits.toml";
  const std::string long_name(300, 'a');
  const std::vector<std::pair<std::string, const char*>> rows = {
      {"train " + recipe + " --set course.steps=5 --folder " + plain, "--folder"},
      {"train --set course.steps=5 --folder " + plain + "/below", "--folder"},
      {"demo --steps 2 --folder " + plain, "--folder"},
      {"run " + model_file() + " --input random --output " + plain, "--output"},
      {"lab " + long_name, "a name of the zoo"},
      {"convert " + model_file() + " " + file(long_name + ".json"), "a place that can be written"}};
  for (const auto& [arguments, contains] : rows) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find("error: io_error: "), std::string::npos) << arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find(contains), std::string::npos) << arguments << "\n" << outcome.text;
  }
}

TEST_F(Commands, DemoRefusesADeviceBeforeItBegins) {
  const Outcome outcome = run("demo --steps 2 --device moon --folder " + file("demo"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.text.starts_with("error: no_such_device")) << outcome.text;
  EXPECT_FALSE(fs::exists(file("demo")));
}

TEST_F(Commands, DemoEndsByItself) {
  const Outcome outcome = run("demo --steps 6 --threads 2 --folder " + file("demo"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.text.find("Model Lab   "), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("widened its feed-forward part"), std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.text.find("not done"), std::string::npos) << outcome.text;
  const std::size_t last = outcome.text.rfind("held-out accuracy: ");
  ASSERT_NE(last, std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.text.find('\n', last) + 1, outcome.text.size()) << "the last line";
  EXPECT_TRUE(fs::exists(file("demo/checkpoints/step-00000006/manifest.json")));
  EXPECT_TRUE(fs::exists(file("demo/loss.svg")));
  EXPECT_EQ(outcome.text.find('\x1b'), std::string::npos) << "colours without a terminal";
}

}  // namespace
}  // namespace asg
