#include <fstream>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/recipe/recipe.h"
#include "support/temporary_folder.h"

namespace asg::recipe {
namespace {

TEST(KeptRecipe, ComesBackWithItsChangesAndItsPlace) {
  const test::TemporaryFolder folder;
  const std::string text = "name = \"it's kept\"\n[data]\nname = \"digits\"\n[course]\nepochs = 3\n";
  const std::vector<std::string> changes = {"course.epochs=5", "folder='elsewhere'"};
  keep_recipe(folder.path(), text, Format::toml, changes);
  const Recipe kept = load_kept_recipe(folder.path());
  EXPECT_EQ(kept.name, "it's kept");
  EXPECT_EQ(kept.course.epochs, 5);
  EXPECT_EQ(kept.folder, folder.path()) << "where it was found, not where it was written";
  const std::vector<std::string> more = {"course.epochs=7"};
  EXPECT_EQ(load_kept_recipe(folder.path(), more).course.epochs, 7);
}

TEST(KeptRecipe, AnotherFileOrNoneIsAMistakeWithHelp) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(load_kept_recipe(folder.path()), UserError);
  for (const char* content : {"", "[]", "{\"text\":1,\"format\":\"toml\",\"changes\":[]}",
                              "{\"text\":\"\",\"format\":\"yaml\",\"changes\":[]}"}) {
    std::ofstream(folder.path() + "/recipe.json") << content;
    try {
      load_kept_recipe(folder.path());
      FAIL() << content;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_json) << content;
    }
  }
}

}  // namespace
}  // namespace asg::recipe
