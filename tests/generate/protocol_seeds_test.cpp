// Seeds for the fuzzer of messages from a schema.
#include <filesystem>

#include <gtest/gtest.h>

#include "asg/core/platform.h"
#include "generate.h"

namespace asg::generate {
namespace {

namespace fs = std::filesystem;

TEST(MessageSeeds, AreTheExamplesWithTheFieldsThatAllMayHave) {
  const fs::path root = fs::path(testing::TempDir()) / "asg_message_seeds";
  fs::create_directories(root / "docs");
  platform::write_file_atomically((root / "docs/protocol.schema.json").string(), R"({"$defs": {
    "message": {"oneOf": [{"$ref": "#/$defs/message.run"}]},
    "lab_message": {"oneOf": [{"$ref": "#/$defs/message.plan"}]},
    "message.run": {"examples": [{"do": "run", "steps": 5}]},
    "message.plan": {"examples": [{"do": "plan"}]}
  }})");
  const std::vector<File> seeds = message_seeds(root.string());
  ASSERT_EQ(seeds.size(), 2U);
  EXPECT_EQ(seeds[0].path, "tests/fuzz/corpus/lab_message/run.json");
  EXPECT_EQ(seeds[0].content, R"({"do":"run","steps":5,"ask":1,"training":2})");
  EXPECT_EQ(seeds[1].path, "tests/fuzz/corpus/lab_message/plan.json");
  EXPECT_EQ(seeds[1].content, R"({"do":"plan","ask":1,"training":2})");
  fs::remove_all(root);
}

}  // namespace
}  // namespace asg::generate
