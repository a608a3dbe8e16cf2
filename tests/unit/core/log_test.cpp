#include "asg/core/log.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace asg {
namespace {

// Puts the default sink back whatever happens.
struct DefaultSinkAfterwards {
  ~DefaultSinkAfterwards() { set_log_sink(nullptr); }
};

TEST(Log, GoesToTheSinkOfTheUser) {
  const DefaultSinkAfterwards guard;
  std::vector<std::pair<LogLevel, std::string>> lines;
  set_log_sink([&](LogLevel level, std::string_view message) { lines.emplace_back(level, message); });
  log(LogLevel::debug, "one");
  log(LogLevel::error, "two");
  const std::vector<std::pair<LogLevel, std::string>> expected = {{LogLevel::debug, "one"}, {LogLevel::error, "two"}};
  EXPECT_EQ(lines, expected);
}

TEST(Log, DefaultWritesWarningsAndErrorsOnly) {
  set_log_sink(nullptr);
  testing::internal::CaptureStderr();
  log(LogLevel::debug, "a");
  log(LogLevel::info, "b");
  log(LogLevel::warning, "c");
  log(LogLevel::error, "d");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "asg: warning: c\nasg: error: d\n");
}

TEST(Log, ASinkMayLogAndReplaceItself) {
  const DefaultSinkAfterwards guard;
  std::vector<std::string> lines;
  set_log_sink([&](LogLevel, std::string_view first) {
    set_log_sink([&](LogLevel, std::string_view message) { lines.emplace_back(message); });
    log(LogLevel::info, "again: " + std::string(first));
  });
  log(LogLevel::info, "hello");
  EXPECT_EQ(lines, std::vector<std::string>{"again: hello"});
}

TEST(Log, IsSafeFromManyThreads) {
  const DefaultSinkAfterwards guard;
  constexpr int kMessages = 200;
  std::atomic<int> count = 0;
  const auto counting = [&](LogLevel, std::string_view) { ++count; };
  set_log_sink(counting);
  std::vector<std::thread> threads;
  for (int worker = 0; worker < 4; ++worker) {
    threads.emplace_back([&] {
      for (int message = 0; message < kMessages; ++message) {
        if (message % 50 == 0) set_log_sink(counting);
        log(LogLevel::info, "hello");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 4 * kMessages);
}

}  // namespace
}  // namespace asg
