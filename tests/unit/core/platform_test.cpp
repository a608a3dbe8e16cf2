#include "asg/core/platform.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "asg/core/error.h"

namespace asg::platform {
namespace {

namespace fs = std::filesystem;

// A folder of its own that goes with the test.
class Platform : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    const std::string own = std::to_string(std::random_device()());  // several builds may be tested at once
    folder_ = fs::temp_directory_path() / ("asg_platform_" + std::string(info->name()) + "_" + own);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
};

template <class Call>
ErrorDetail error_of(Call call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.detail();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST_F(Platform, MachineTellsPlausibleThings) {
  EXPECT_GE(hardware_threads(), 1);
  EXPECT_FALSE(cpu_name().empty());
  EXPECT_EQ(cpu_name().find('\n'), std::string::npos);
  EXPECT_GT(terminal_width(), 0);
  EXPECT_FALSE(is_terminal(-1));
#if defined(__linux__)
  EXPECT_GT(physical_bytes(), 1 << 20);
  EXPECT_GT(resident_bytes(), 1 << 16);
  EXPECT_GE(peak_resident_bytes(), 1 << 16);
#endif
}

TEST_F(Platform, Environment) {
  ASSERT_EQ(setenv("ASG_PLATFORM_TEST", "a value", 1), 0);
  EXPECT_EQ(environment("ASG_PLATFORM_TEST"), "a value");
  ASSERT_EQ(setenv("ASG_PLATFORM_TEST", "", 1), 0);
  EXPECT_EQ(environment("ASG_PLATFORM_TEST"), "");
  ASSERT_EQ(unsetenv("ASG_PLATFORM_TEST"), 0);
  EXPECT_EQ(environment("ASG_PLATFORM_TEST"), std::nullopt);
  // A name that is a part of a longer view.
  EXPECT_TRUE(environment(std::string_view("PATHETIC").substr(0, 4)).has_value());
}

TEST_F(Platform, FilesComeBackByteForByte) {
  const std::string contents[] = {
      "", "x", "line\r\nline\n", std::string("a\0b", 3), std::string(65536, 'y'), std::string(1000003, 'z')};
  for (const std::string& content : contents) {
    write_file_atomically(path("file"), content);
    EXPECT_EQ(read_file(path("file")), content);
    EXPECT_EQ(files(), 1);  // nothing temporary stays
  }
}

TEST_F(Platform, ReadErrorsNameThePath) {
  for (const char* name : {"absent", ".", "absent/inner"}) {
    const ErrorDetail error = error_of([&] { read_file(path(name)); });
    EXPECT_EQ(error.code, ErrorCode::io_error);
    EXPECT_NE(error.given.find(path(name)), std::string::npos) << error.given;
  }
  EXPECT_NE(error_of([&] { read_file(path("absent")); }).given.find("No such file"), std::string::npos);
  EXPECT_NE(error_of([&] { read_file(path(".")); }).given.find("Is a directory"), std::string::npos);
}

TEST_F(Platform, WriteErrorsNameThePathAndLeaveNothing) {
  fs::create_directory(folder_ / "taken");
  std::ofstream(folder_ / "taken" / "inner") << "kept";
  for (const char* name : {"absent/file", "taken"}) {
    const ErrorDetail error = error_of([&] { write_file_atomically(path(name), "text"); });
    EXPECT_EQ(error.code, ErrorCode::io_error);
    EXPECT_NE(error.given.find(path(name)), std::string::npos) << error.given;
  }
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(read_file(path("taken/inner")), "kept");
}

TEST_F(Platform, ReplacedFileHandsItsPermissionsOn) {
  write_file_atomically(path("file"), "old");
  const auto only_owner = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(folder_ / "file", only_owner);
  write_file_atomically(path("file"), "new");
  EXPECT_EQ(fs::status(folder_ / "file").permissions(), only_owner);
  EXPECT_EQ(read_file(path("file")), "new");
}

TEST_F(Platform, RelativePath) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  write_file_atomically("plain", "here");
  EXPECT_EQ(read_file("plain"), "here");
  fs::current_path(before);
  EXPECT_EQ(read_file(path("plain")), "here");
}

// Readers see one whole content or another, whoever writes.
TEST_F(Platform, WritersDoNotMix) {
  constexpr int kWriters = 3;
  write_file_atomically(path("file"), std::string(50000, '0'));
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([this, writer] {
      for (int round = 0; round < 10; ++round) {
        write_file_atomically(path("file"), std::string(50000, static_cast<char>('0' + writer)));
      }
    });
  }
  for (int round = 0; round < 50; ++round) {
    const std::string content = read_file(path("file"));
    ASSERT_EQ(content.size(), 50000u);
    ASSERT_EQ(content, std::string(50000, content[0]));
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace asg::platform
