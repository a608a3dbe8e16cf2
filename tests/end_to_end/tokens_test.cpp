#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program.h"

namespace asg {
namespace {

using Json = nlohmann::json;

class Tokens : public ProgramTest {};

TEST_F(Tokens, EncodeAndDecode) {
  const std::string words = write("vocab.txt", "[UNK]\n[CLS]\n[SEP]\nhello\nwor\n##ld\n,\n");
  const Outcome encoded = run("tokens encode -t " + words, "Hello, world");
  EXPECT_EQ(encoded.text, "1 3 6 4 5 2\n");
  EXPECT_EQ(run("tokens encode --no-special -t " + words + " -", "Hello").text, "3\n");
  EXPECT_EQ(run("tokens decode --no-special -t " + words, encoded.text).text, "hello, world");
  const Outcome json = run("tokens encode --json -t " + words, "world");
  EXPECT_EQ(Json::parse(json.text), Json({{"ids", {1, 4, 5, 2}}, {"tokens", {"[CLS]", "wor", "##ld", "[SEP]"}}}));
  EXPECT_EQ(run("tokens decode --json -t " + words, json.text).text, "{\"text\":\"[CLS] world [SEP]\"}\n");
  EXPECT_EQ(run("tokens decode -t " + words, "[4, 5]").text, "world");
}

TEST_F(Tokens, TrainShowCountConvert) {
  const std::string text = write("text", "the cat and the hat and the rat\n");
  const std::string saved = file("tokenizer.json");
  EXPECT_NE(run("tokens train " + text + " --vocabulary 264 -o " + saved).text.find("264 tokens"), std::string::npos);
  const Json shown = Json::parse(run("tokens show --json -t " + saved).text);
  EXPECT_EQ(shown["kind"], "byte_level");
  EXPECT_EQ(shown["vocabulary_size"], 264);
  EXPECT_EQ(shown["special_tokens"], Json({{"<|endoftext|>", 263}}));
  const Json counted = Json::parse(run("tokens count --json -t " + saved + " " + text).text);
  EXPECT_EQ(counted["bytes"], 32);
  EXPECT_LT(counted["tokens"], 32);
  const std::string again = file("again.json");
  EXPECT_EQ(run("tokens convert -t " + saved + " -o " + again).code, 0);
  EXPECT_EQ(run("tokens encode -t " + again + " " + text).text, run("tokens encode -t " + saved + " " + text).text);
  EXPECT_EQ(run("tokens train --characters " + text + " -o " + saved).code, 0);
  EXPECT_NE(run("tokens show -t " + saved).text.find("characters"), std::string::npos);
}

TEST_F(Tokens, RefusesBadCallsWithWords) {
  const std::string words = write("vocab.txt", "[UNK]\na\n");
  const std::vector<std::pair<std::string, const char*>> rows = {
      {"tokens encode -t /nowhere", "io_error"},
      {"tokens decode -t " + words, "'x1'"},
      {"tokens train --vocabulary 3 -o " + file("x.json"), "from 257"},
  };
  for (const auto& [arguments, contains] : rows) {
    const Outcome outcome = run(arguments, "x1");
    EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find(contains), std::string::npos) << arguments << "\n" << outcome.text;
  }
  EXPECT_EQ(run("tokens decode -t " + words, "77").code, 1);
  const Outcome nothing = run("tokens train --characters -o " + file("x.json") + " " + write("empty", ""));
  EXPECT_EQ(nothing.code, 1);
  EXPECT_NE(nothing.text.find("an empty text"), std::string::npos) << nothing.text;
  EXPECT_FALSE(std::filesystem::exists(file("x.json")));
  EXPECT_EQ(run("tokens encode").code, 2);
}

}  // namespace
}  // namespace asg
