#include "asg/lab/workspace.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "asg/core/error.h"

namespace asg::lab {
namespace {

namespace fs = std::filesystem;

class Workspace : public testing::Test {
 protected:
  Workspace() {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "inside" / "runs");
    std::ofstream(folder_ / "inside" / "model.json") << "{}";
    std::ofstream(folder_ / "secret.json") << "{}";
    fs::create_symlink("../secret.json", folder_ / "inside" / "link.json");
    fs::create_symlink("..", folder_ / "inside" / "up");
    fs::create_symlink("model.json", folder_ / "inside" / "other.json");
  }
  ~Workspace() override { fs::remove_all(folder_); }

  std::string root() const { return (folder_ / "inside").string(); }
  std::string below(const std::string& name) const { return file_below(root(), name); }

  fs::path folder_ = fs::weakly_canonical(fs::temp_directory_path()) /
                     ("asg_workspace_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "_" +
                      std::to_string(::getpid()));
};

TEST_F(Workspace, FindsWhatLiesBelow) {
  EXPECT_EQ(below("model.json"), root() + "/model.json");
  EXPECT_EQ(below("runs/../model.json"), root() + "/model.json");
  EXPECT_EQ(below("other.json"), root() + "/model.json");
  EXPECT_EQ(below("runs/new"), root() + "/runs/new");
  EXPECT_EQ(below("..hidden"), root() + "/..hidden");
}

TEST_F(Workspace, RefusesWhatLeadsOut) {
  const std::string names[] = {
      "../secret.json", "runs/../../secret.json", "..", "/etc/passwd",     root() + "/model.json",
      "link.json",      "up/secret.json",         "up", "../inside_too/x", std::string("model.json\0.txt", 15)};
  for (const std::string& name : names) {
    try {
      const std::string found = below(name);
      ADD_FAILURE() << name << " led to " << found;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::io_error) << name;
      EXPECT_NE(std::string(error.what()).find("workspace"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace asg::lab
