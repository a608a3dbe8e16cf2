#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "program.h"

namespace asg {
namespace {

using Zoo = ProgramTest;

TEST_F(Zoo, ListsItsModels) {
  const Outcome list = run("zoo");
  EXPECT_EQ(list.code, 0) << list.text;
  for (const zoo::Model& model : zoo::models()) EXPECT_NE(list.text.find(model.name), std::string::npos) << model.name;
  EXPECT_NE(list.text.find("11,689,512"), std::string::npos);
  EXPECT_NE(run("zoo --lang ru").text.find("ResNet-50"), std::string::npos);
  const auto json = nlohmann::json::parse(run("zoo --json").text);
  EXPECT_EQ(json.size(), zoo::models().size());
  EXPECT_GT(json.front().at("flops").get<double>(), 0);
}

TEST_F(Zoo, TellsSettingsAndTheirValues) {
  const Outcome plain = run("zoo resnet18 --set classes=10");
  EXPECT_EQ(plain.code, 0) << plain.text;
  for (const char* word : {"11,181,642", "small_images", "torchvision", "not tried on released weights"}) {
    EXPECT_NE(plain.text.find(word), std::string::npos) << word << "\n" << plain.text;
  }
  const auto json = nlohmann::json::parse(run("zoo gpt2 --json --set layers=1").text);
  EXPECT_EQ(json.at("weights").front().at("source"), "GPT2LMHeadModel");
  for (const auto& setting : json.at("settings")) {
    const bool given = setting.at("name") == "layers";
    EXPECT_EQ(setting.at("value"), given ? nlohmann::json("1") : setting.at("default")) << setting;
  }
  const std::string config = write("config.json", R"({"model_type": "gpt2", "n_layer": 2, "vocab_size": 100})");
  EXPECT_NE(run("zoo --config " + config).text.find("vocabulary        100"), std::string::npos);
}

TEST_F(Zoo, WritesModelsThatOtherCommandsRead) {
  const std::string model = file("lenet.json");
  const std::string settings = "--set height=8 --set width=8 --set padding=6 --set channel_axis=false";
  const Outcome written = run("zoo lenet " + settings + " --out " + model);
  EXPECT_EQ(written.code, 0) << written.text;
  EXPECT_NE(run("inspect " + model).text.find("conv_1"), std::string::npos);
  EXPECT_EQ(run("explain " + model + " --size batch=4 --train").code, 0);
  const Outcome forward = run("run " + model + " --input random --size batch=2");
  EXPECT_EQ(forward.code, 0) << forward.text;
  EXPECT_NE(forward.text.find("f32[2, 10]"), std::string::npos) << forward.text;
  const std::string script = write("script.jsonl", "{\"do\": \"run\", \"steps\": 3}\n");
  const Outcome trained = run("train --script " + script + " --model " + model);
  EXPECT_EQ(trained.code, 0) << trained.text;
}

TEST_F(Zoo, WritesOneTextToItsOutput) {
  const std::string model = file("lenet.json");
  const auto json = nlohmann::json::parse(run("zoo lenet --json --out " + model).text);
  EXPECT_EQ(json.at("written").at("file"), model);
  const std::string written = platform::read_file(model);
  EXPECT_EQ(json.at("written").at("nodes"), read_json(written).node_count());
  EXPECT_EQ(run("zoo lenet --out -").text, written);
}

TEST_F(Zoo, RefusesWithWords) {
  const std::vector<std::pair<const char*, const char*>> rows = {{"zoo resnet19", "resnet18"},
                                                                 {"zoo resnet18 --set clases=10", "classes"},
                                                                 {"zoo resnet18 --set classes", "--set classes=10"},
                                                                 {"zoo resnet18 --set classes=ten", "integer"},
                                                                 {"zoo --out x.json", "its name"},
                                                                 {"zoo lenet --json --out -", "one text"},
                                                                 {"zoo --config /nowhere.json", "io_error"}};
  for (const auto& [arguments, contains] : rows) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find(contains), std::string::npos) << arguments << "\n" << outcome.text;
  }
}

}  // namespace
}  // namespace asg
