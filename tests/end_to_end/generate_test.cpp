#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "program.h"

namespace asg {
namespace {

using Json = nlohmann::json;

class Generate : public ProgramTest {
 protected:
  static constexpr const char* kTiny =
      "generate -m gpt2 --set layers=1 --set features=16 --set heads=2 --set "
      "vocabulary=300 --set positions=32 ";
};

TEST_F(Generate, GoesOnWithNumbersOrWords) {
  const std::string numbers = std::string(kTiny) + "-p '5 6 7' -n 4 ";
  const Json first = Json::parse(run(numbers + "--json").text);
  EXPECT_EQ(first["prompt"], Json({5, 6, 7}));
  EXPECT_EQ(first["tokens"].size(), 4U);
  EXPECT_EQ(Json::parse(run(numbers + "--json --threads 2").text)["tokens"], first["tokens"]);
  EXPECT_NE(Json::parse(run(numbers + "--json --seed 2").text)["tokens"], first["tokens"]);
  const std::string stop = std::to_string(first["tokens"][1].get<int>());
  EXPECT_EQ(Json::parse(run(numbers + "--json --stop " + stop).text)["tokens"].size(), 1U);
  const Outcome told = run(numbers + "--stats");
  EXPECT_EQ(told.code, 0) << told.text;
  for (const char* word : {"random weights", "5 6 7", "ms each", "read for each token", "GB/s"}) {
    EXPECT_NE(told.text.find(word), std::string::npos) << told.text;
  }
  const std::string text = write("text", "the cat and the hat and the rat\n");
  const std::string tokenizer = file("tokenizer.json");
  run("tokens train " + text + " --vocabulary 264 -o " + tokenizer);
  const Outcome words = run(std::string(kTiny) + "-p 'the cat' -n 5 -t " + tokenizer + " --temperature 0");
  EXPECT_NE(words.text.find("the cat"), std::string::npos) << words.text;
}

// From a text to a model that writes: the tokeniser is kept beside the checkpoints.
TEST_F(Generate, WritesWhatATrainingLearnt) {
  std::string text;
  for (int k = 0; k < 60; ++k) text += "abcdefg ";
  const std::string folder = file("run");
  const std::string recipe = write("recipe.toml", "seed = 3\nfolder = '" + folder +
                                                      "'\n[model]\nzoo = 'gpt2_char_small'\nlayers = 1\nfeatures = "
                                                      "32\nheads = 2\n[data]\ntext = '" +
                                                      write("text", text) +
                                                      "'\nlength = 16\nbatch_size = 8\n[optimizer]\nkind = "
                                                      "'adam'\nlearning_rate = 2e-2\n[course]\nsteps = 60\n");
  const Outcome trained = run("train " + recipe);
  ASSERT_EQ(trained.code, 0) << trained.text;
  const Outcome written = run("generate -m " + folder + " -p 'abc' -n 9 --temperature 0");
  EXPECT_NE(written.text.find("abcdefg abcd"), std::string::npos) << written.text;
  EXPECT_NE(written.text.find("checkpoint of step 60"), std::string::npos) << written.text;
  const Outcome full = run("generate -m " + folder + " -p 'abcdefg abcdefg abcdefg'");
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.text.find("limit_exceeded"), std::string::npos) << full.text;
}

TEST_F(Generate, RefusesBadCallsWithWords) {
  const std::vector<std::pair<std::string, const char*>> rows = {
      {"generate -m gtp2 -p 1", "gpt2"},
      {"generate -m /nowhere/model.json -p 1", "io_error"},
      {"generate -m " + file(".") + " -p 1", "checkpoints"},
      {"generate -m lenet -p 1", "tokens"},
      {std::string(kTiny) + "-p hello", "--tokenizer"},
      {std::string(kTiny) + "-p ''", "empty prompt"},
      {std::string(kTiny) + "-p 300", "the token 300"},
      {std::string(kTiny) + "-p 1 --top-p 2", "top_p"},
      {std::string(kTiny) + "-p 1 --temperature -1", "temperature"},
      {std::string(kTiny) + "-p 1 --stop '1 2'", "2 tokens"},
      {std::string(kTiny) + "-p 1 --context 64", "positions"},
      {std::string(kTiny) + "-p 1 --weights /nowhere.safetensors", "io_error"},
  };
  for (const auto& [arguments, contains] : rows) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find(contains), std::string::npos) << arguments << "\n" << outcome.text;
  }
}

}  // namespace
}  // namespace asg
