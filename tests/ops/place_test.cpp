// A reader finds the card of an op by its name, in the folder of its category.
#include <filesystem>

#include "asg/graph/builder.h"
#include "ops/cards.h"

namespace asg::test {
namespace {

using OpPlace = OpTest;

// src/ops/<category>/<snake_case>.card.cpp, src/nn/**/… and src/loss/**/… for layers and losses. Ops that only
// gradients use stand beside the op they serve.
TEST_P(OpPlace, IsWhereOneLooks) {
  namespace fs = std::filesystem;
  const std::string prefix = op().name.substr(0, op().name.find('.'));
  const bool plain = !op().composite;
  const fs::path root = fs::path(ASG_SOURCE_DIR) / "src" / (plain ? "ops" : prefix == "loss" ? "loss" : "nn");
  const std::string file = snake_case(op().name) + ".card.cpp";
  int found = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().filename() != file) continue;
    ++found;
    const std::string folder = entry.path().parent_path().filename().string();
    EXPECT_TRUE(!plain || op().traits.gradient_only || folder == name_of(op().category))
        << op().name << " of category " << name_of(op().category) << " stands in " << folder;
  }
  EXPECT_EQ(found, 1) << file << " below " << root;
}

ASG_FOR_ALL_OPS(OpPlace);

}  // namespace
}  // namespace asg::test
