#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "asg/zoo/hugging_face.h"
#include "asg/zoo/weights.h"
#include "program.h"

namespace asg {
namespace {

using Json = nlohmann::json;

namespace fs = std::filesystem;

class Generate : public ProgramTest {
 protected:
  // A LLaMA of one layer, as Hugging Face keeps it.
  std::string llama_folder(const std::string& name, const std::string& more = "") const {
    fs::create_directories(file(name));
    write(name + "/config.json",
          R"({"model_type": "llama", "vocab_size": 40, "hidden_size": 8, "num_attention_heads": 2,
        "num_hidden_layers": 1, "intermediate_size": 12, "max_position_embeddings": 16, "tie_word_embeddings": true)" +
              more + "}");
    const auto described = zoo::read_hugging_face_config(platform::read_file(file(name + "/config.json")));
    const Graph model = zoo::build(described.name, described.settings);
    const zoo::WeightMap* map = zoo::find_weight_map("llama", zoo::WeightFormat::hugging_face);
    const auto value_of = [&](VarId id) { return initial_value(model.variable(id), 5); };
    io::save_safetensors(file(name + "/model.safetensors"), zoo::export_weights(model, *map, value_of));
    return file(name);
  }

  void expect_refused(const std::string& arguments, const std::string& contains, int code = 1) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find(contains), std::string::npos) << arguments << "\n" << outcome.text;
  }

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
  // Its tokeniser is found from wherever one may stand; and so are its weights, by their names.
  const std::string step = folder + "/checkpoints/step-00000060";
  const std::string go_on = " -p 'abc' -n 9 --temperature 0";
  for (const std::string& path :
       {folder + "/", folder + "/checkpoints", folder + "/checkpoints/", step, step + "/", step + "/."}) {
    EXPECT_NE(run("generate -m " + path + go_on).text.find("abcdefg abcd"), std::string::npos) << path;
  }
  const Outcome weights = run("generate -m " + step + "/model.json --weights " + step + "/variables.safetensors -t " +
                              folder + "/tokenizer.json" + go_on);
  EXPECT_NE(weights.text.find("abcdefg abcd"), std::string::npos) << weights.text;
  // What changes nothing is not accepted.
  const std::vector<std::pair<std::string, const char*>> rows = {
      {folder + " --weights " + step + "/variables.safetensors", "--weights with the folder of a training"},
      {folder + " --set layers=3", "--set with the folder of a training"},
      {step + " --weights " + step + "/variables.safetensors", "--weights with a checkpoint"},
      {step + " --set layers=3", "--set with a checkpoint"},
      {step + " --best", "--best with one checkpoint"},
      {step + "/model.json --set layers=3", "--set with a model in a file"},
      {step + "/model.json --best", "--best with a model in a file"}};
  for (const auto& [arguments, contains] : rows) expect_refused("generate -p abc -m " + arguments, contains);
}

TEST_F(Generate, TakesFoldersOfHuggingFace) {
  const std::string plain = llama_folder("plain");
  const std::string numbers = " -p '1 2 3' -n 50 --temperature 0 --no-slide --json";
  const Json first = Json::parse(run("generate -m " + plain + numbers).text);
  EXPECT_EQ(first["tokens"].size(), 13U);  // 16 positions; no tokeniser: numbers
  const std::string newer = llama_folder("newer", R"(, "rope_parameters": {"rope_theta": 3, "rope_type": "default"})");
  const std::string older = llama_folder("older", R"(, "rope_theta": 3)");
  const Json turned = Json::parse(run("generate -m " + newer + numbers).text);
  EXPECT_EQ(turned["tokens"], Json::parse(run("generate -m " + older + numbers).text)["tokens"]);
  expect_refused("generate -m " + plain + " -p abc", "--tokenizer");
  expect_refused("generate -m " + plain + " -p 1 --set layers=2", "--set with a folder of Hugging Face");
  expect_refused("generate -m " + plain + " -p 1 --best", "--best with a folder of Hugging Face");
  expect_refused("generate -m " + plain + " -p '1 2 3' --context 3", "raise --context");
  expect_refused("generate -m " + plain + " -p 1 --context 100000000000", "limit_exceeded");
}

// What a tokeniser puts in front of every text belongs to the prompt; what it puts at the end does not.
TEST_F(Generate, BeginsAsTheTokeniserDoes) {
  const std::string folder = llama_folder("words");
  Json tokenizer = Json::parse(io::character_tokenizer("abcdefgh").to_json());
  const auto special = [](const char* name, int id) {
    return Json{{"id", id},        {"content", name},     {"single_word", false}, {"lstrip", false},
                {"rstrip", false}, {"normalized", false}, {"special", true}};
  };
  tokenizer["added_tokens"] = {special("<s>", 30), special("</s>", 31)};
  const auto piece = [](const char* name) { return Json{{"SpecialToken", {{"id", name}, {"type_id", 0}}}}; };
  const Json text = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const auto ids = [](const char* name, int id) {
    return Json{{"id", name}, {"ids", Json::array({id})}, {"tokens", Json::array({name})}};
  };
  tokenizer["post_processor"] = {{"type", "TemplateProcessing"},
                                 {"single", Json::array({piece("<s>"), text, piece("</s>")})},
                                 {"pair", Json::array({piece("<s>"), text, piece("</s>")})},
                                 {"special_tokens", {{"<s>", ids("<s>", 30)}, {"</s>", ids("</s>", 31)}}}};
  write("words/tokenizer.json", tokenizer.dump());
  const Json written = Json::parse(run("generate -m " + folder + " -p abc -n 2 --stop '</s>' --json").text);
  EXPECT_EQ(written["prompt"], Json({30, 0, 1, 2}));
  EXPECT_EQ(written["text"].get<std::string>().substr(0, 3), "abc");
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
      {std::string(kTiny) + "-p 1 --best", "--best with a model of the zoo"},
      {std::string(kTiny) + "-p 1 --stop 300", "--stop 300"},
      {std::string(kTiny) + "-p '1 2 3' --context 3", "a prompt of 3 tokens in a context of 3"},
      {"generate -m " + std::string(300, 'a') + " -p 1", "bad_command"},
  };
  for (const auto& [arguments, contains] : rows) expect_refused(arguments, contains);
  const std::vector<std::pair<std::string, const char*>> misspelt = {{"--threads -3", "--threads"},
                                                                     {"--context -1", "--context"},
                                                                     {"--seed -1", "--seed"},
                                                                     {"--seed 1.5", "--seed"},
                                                                     {"--seed 99999999999999999999", "--seed"}};
  for (const auto& [arguments, contains] : misspelt) expect_refused(kTiny + ("-p 1 " + arguments), contains, 2);
}

// Nothing of the prompt appears before all of it was found to be right.
TEST_F(Generate, SaysNothingBeforeItRefuses) {
  const std::string many = "7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7";
  for (const std::string wrong : {"-p '11 12 300'", "-p '11 12' --top-p 2", "-p '11 12' --temperature -1",
                                  "-p '11 12' --top-k -1", "-p '11 12' --stop 300"}) {
    const Outcome outcome = run(kTiny + wrong);
    EXPECT_EQ(outcome.code, 1) << wrong;
    EXPECT_EQ(outcome.text.find("11 12"), std::string::npos) << outcome.text;
  }
  EXPECT_EQ(run(kTiny + ("-p '" + many + "'")).text.find("7 7"), std::string::npos);
}

TEST_F(Generate, EndsTheTextAtTheContextWhereTheWindowDoesNotSlide) {
  const Json four = Json::parse(run(kTiny + std::string("-p '1 2 3' --context 4 --no-slide --json")).text);
  EXPECT_EQ(four["tokens"].size(), 1U);
  const Json all = Json::parse(run(kTiny + std::string("-p '1 2 3' --no-slide --json")).text);
  EXPECT_EQ(all["tokens"].size(), 29U);
  const Outcome told = run(kTiny + std::string("-p '1 2 3' --no-slide"));
  EXPECT_NE(told.text.find("the text ends after 29 tokens, at the context of 32"), std::string::npos) << told.text;
}

TEST_F(Generate, SlidesItsWindowPastTheContext) {
  const Json four = Json::parse(run(kTiny + std::string("-p '1 2 3' --context 4 -n 20 --json")).text);
  EXPECT_EQ(four["tokens"].size(), 20U);
  const Json all = Json::parse(run(kTiny + std::string("-p '1 2 3' -n 100 --json")).text);
  EXPECT_EQ(all["tokens"].size(), 100U);
  const Outcome told = run(kTiny + std::string("-p '1 2 3' -n 100"));
  EXPECT_NE(told.text.find("longer than the context of 32 tokens"), std::string::npos) << told.text;
  const Outcome fits = run(kTiny + std::string("-p '1 2 3' -n 29"));
  EXPECT_EQ(fits.text.find("than the context"), std::string::npos) << fits.text;
}

TEST_F(Generate, TellsNoTimeThatWasNotMeasured) {
  const Outcome told = run(kTiny + std::string("-p 1 -n 1 --stats"));
  EXPECT_EQ(told.text.find("reached"), std::string::npos) << told.text;
  const Json json = Json::parse(run(kTiny + std::string("-p 1 -n 1 --stats --json")).text);
  EXPECT_TRUE(json["seconds_per_token"].is_null());
  EXPECT_TRUE(json["share_of_bandwidth"].is_null());
}

}  // namespace
}  // namespace asg
