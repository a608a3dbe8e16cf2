// Fewer positions than a model of the zoo has by itself, and no word of how long its texts are.
#include <gtest/gtest.h>

#include "program.h"

namespace asg {
namespace {

using ZooPositions = ProgramTest;

TEST_F(ZooPositions, MayBeFewer) {
  const std::string config = write("config.json", R"({"model_type": "gpt2", "n_positions": 512, "n_layer": 1})");
  const std::vector<std::pair<std::string, const char*>> rows = {
      {"zoo gpt2 --set positions=64", "123,702,528 parameters"},
      {"zoo gpt2 --set positions=64 --json", "123702528"},
      {"zoo gpt2_char_small --set positions=32", "parameters"},
      {"zoo --config " + config, "positions         512"}};
  for (const auto& [arguments, contains] : rows) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find(contains), std::string::npos) << arguments << "\n" << outcome.text;
  }
  const Outcome longer = run("zoo gpt2 --set positions=64 --set length=65");
  EXPECT_EQ(longer.code, 1) << longer.text;
  EXPECT_NE(longer.text.find("texts of 65 tokens for 64 positions"), std::string::npos) << longer.text;
}

}  // namespace
}  // namespace asg
