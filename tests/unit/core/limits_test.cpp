#include "asg/core/limits.h"

#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/core/files.h"
#include "asg/core/platform.h"
#include "support/limit_guard.h"
#include "support/temporary_folder.h"

#if defined(__linux__)
#include <sys/stat.h>
#endif

namespace asg {
namespace {

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Limits, HaveAnOptionEachAndStandInTheirOrder) {
  std::size_t number = 0;
  for (const LimitInfo& info : all_limits()) {
    EXPECT_EQ(static_cast<std::size_t>(info.limit), number++);
    EXPECT_TRUE(info.option.starts_with("--max-")) << info.option;
    EXPECT_EQ(limit_of(info.limit), info.fallback) << info.option;
    EXPECT_EQ(&info_of(info.limit), &info);
  }
}

TEST(Limits, AreDocumented) {
  const std::string page = platform::read_file(ASG_SOURCE_DIR "/docs/limits.md");
  for (const LimitInfo& info : all_limits()) {
    const std::string row = "| `" + std::string(info.option) + "` | " + amount_text(info, info.fallback) + " |";
    EXPECT_NE(page.find(row), std::string::npos) << "docs/limits.md needs the row: " << row;
  }
}

TEST(Limits, AreNamedInErrors) {
  const test::LimitGuard guard(Limit::trips, 7);
  const std::string text = refusal([] { fail_limit(Limit::trips, "a loop of 8 iterations"); });
  expect_part(text, "a loop of 8 iterations");
  expect_part(text, "at most 7");
  expect_part(text, "raise the limit with --max-trips");
  expect_part(refusal([] { set_limit(Limit::depth, 0); }), "a limit of 0 for --max-depth");
}

TEST(Limits, OfBytesAreShownInUnits) {
  const LimitInfo& info = info_of(Limit::file_bytes);
  EXPECT_EQ(amount_text(info, std::int64_t{4} << 30), "4 GiB");
  EXPECT_EQ(amount_text(info, std::int64_t{3} << 20), "3 MiB");
  EXPECT_EQ(amount_text(info, (std::int64_t{1} << 30) + 1), "1073741825 bytes");
  EXPECT_EQ(amount_text(info_of(Limit::pixels), 1 << 20), "1048576");
}

TEST(ReadFile, KeepsTheLimitOfBytes) {
  const test::TemporaryFolder folder;
  folder.write("ten", "0123456789");
  const test::LimitGuard guard(Limit::file_bytes, 10);
  EXPECT_EQ(platform::read_file(folder.path("ten")), "0123456789");
  folder.write("ten", "0123456789a");
  const std::string text = refusal([&] { platform::read_file(folder.path("ten")); });
  expect_part(text, folder.path("ten") + "\", a file of more than 10 bytes");
  expect_part(text, "--max-file-bytes");
}

TEST(ReadFile, SaysThatAFolderIsNone) {
  const test::TemporaryFolder folder;
  for (const std::string& text : {refusal([&] { platform::read_file(folder.path()); }),
                                  refusal([&] { platform::MappedFile::open(folder.path()); })}) {
    expect_part(text, "Is a directory");
    expect_part(text, "needed: a file, not a folder");
  }
}

#if defined(__linux__)

TEST(ReadFile, EndsWhereADeviceDoesNot) {
  expect_part(refusal([] { platform::read_file("/dev/zero"); }), "a device that gives more than 1048576 bytes");
  EXPECT_EQ(platform::read_file("/dev/null"), "");
}

TEST(ReadFile, ReadsAPipeUpToTheLimit) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  const auto through_pipe = [&](const std::string& content) {
    std::thread writer([&] { folder.write("pipe", content); });
    const std::string text = refusal([&] { EXPECT_EQ(platform::read_file(folder.path("pipe")), content); });
    writer.join();
    return text;
  };
  const test::LimitGuard guard(Limit::file_bytes, 100);
  EXPECT_EQ(through_pipe("a text"), "accepted");
  expect_part(through_pipe(std::string(101, 'x')), "a stream of more than 100 bytes");
}

TEST(MappedFile, DoesNotWaitForAPipe) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  expect_part(refusal([&] { platform::MappedFile::open(folder.path("pipe")); }), "no pipe and no device");
}

#endif

}  // namespace
}  // namespace asg
