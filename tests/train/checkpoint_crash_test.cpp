// What is on the disk when a process is killed while it saves, and when the disk is full.
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temporary_folder.h"
#include "train/checkpoint_tools.h"

namespace asg::train {
namespace {

using test::checkpoint_of;
using test::is_whole;
using test::names_in;

constexpr std::int64_t kElements = 40'000;  // a save takes long enough to be hit in each of its parts

CheckpointOptions options() { return {.keep = 2, .best = BestBy{"loss", BestBy::Mode::min}}; }

// The checkpoint of a number, which its seed is.
using Make = CheckpointData (*)(std::int64_t number);

CheckpointData of_next_step(std::int64_t number) {
  CheckpointData data = checkpoint_of(number, kElements, {{"loss", static_cast<double>(number * 7919 % 101)}});
  data.seed = static_cast<std::uint64_t>(number);
  return data;
}

// Of a training that returns to earlier steps again and again.
CheckpointData of_any_step(std::int64_t number) {
  CheckpointData data = checkpoint_of(number * 7919 % 101, kElements, {{"loss", 1.0}});
  data.seed = static_cast<std::uint64_t>(number);
  return data;
}

// Saves one after the other and tells the number of each that is safe, until it is killed.
[[noreturn]] void save_for_ever(const std::string& folder, Make make, std::int64_t number, int told) {
  CheckpointStore store(folder, options());
  for (;; ++number) {
    store.save(make(number));
    if (::write(told, &number, sizeof(number)) != sizeof(number)) ::_exit(1);
  }
}

using Time = std::chrono::duration<double>;

// Lets a child save a few times and kills it a moment later. Returns the last number that it told, or -1.
std::int64_t save_and_kill(const std::string& folder, Make make, std::int64_t first, int saves, Time moment) {
  int ends[2] = {};
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    try {
      save_for_ever(folder, make, first, ends[1]);
    } catch (...) {
      ::_exit(2);
    }
  }
  ::close(ends[1]);
  std::int64_t last = -1;
  const auto told = [&](std::int64_t& number) { return ::read(ends[0], &number, sizeof(number)) == sizeof(number); };
  for (int save = 0; save < saves && told(last); ++save) continue;
  std::this_thread::sleep_for(moment);
  ::kill(child, SIGKILL);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself with " << WEXITSTATUS(status);
  for (std::int64_t number = 0; told(number);) last = number;
  ::close(ends[0]);
  return last;
}

Time time_of_a_save(const std::string& folder) {
  const auto begin = std::chrono::steady_clock::now();
  CheckpointStore(folder, options()).save(of_next_step(1));
  return std::chrono::steady_clock::now() - begin;
}

// The latest is never older than the last one that is safe, whatever their steps.
void expect_safe_after_kills(Make make) {
  constexpr int kKills = 50;
  const test::TemporaryFolder folder(test::TemporaryFolder::On::memory);  // a kill is the same there
  const test::Warnings warnings;
  const Time one_save = time_of_a_save(folder.path());
  std::mt19937 dice(20240521);
  std::int64_t safe = 1;
  std::int64_t next = 2;
  const CheckpointStore store(folder.path(), options());
  int left_over = 0;
  for (int round = 0; round < kKills; ++round) {
    const int saves = static_cast<int>(dice() % 2);
    const Time moment = one_save * std::uniform_real_distribution<double>(0, 1.2)(dice);
    safe = std::max(safe, save_and_kill(folder.path(), make, next, saves, moment));
    for (const std::string& name : names_in(folder.path())) left_over += name.starts_with(".tmp-") ? 1 : 0;
    const auto latest = store.load_latest();
    ASSERT_TRUE(latest.has_value());
    const auto number = static_cast<std::int64_t>(latest->data.seed);
    ASSERT_GE(number, safe);
    ASSERT_TRUE(is_whole(latest->data));
    next = number + 1;
    ASSERT_TRUE(is_whole(store.load_best()->data));
  }
  EXPECT_TRUE(warnings.texts.empty()) << warnings.texts.front();
  EXPECT_GT(safe, 1);
  EXPECT_GT(left_over, 0);  // else no kill fell into a save
  CheckpointStore(folder.path(), options()).save(make(next));
  EXPECT_LE(names_in(folder.path()).size(), 5U);  // best.json, order.json, two, the best: what was left over is gone
}

TEST(CheckpointCrash, AKillAtAnyMomentLeavesTheLastGoodOne) { expect_safe_after_kills(of_next_step); }

TEST(CheckpointCrash, AKillOfATrainingThatReturnsLeavesTheOneWrittenLast) { expect_safe_after_kills(of_any_step); }

// Files longer than a limit cannot be written while it lives: a full disk that needs no disk of its own.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_ = {};
  void (*handler_)(int) = nullptr;
};

TEST(CheckpointCrash, AFullDiskLeavesTheOldOnes) {
  const test::TemporaryFolder folder;
  CheckpointStore store(folder.path(), {.keep = 1});
  store.save(checkpoint_of(1));
  int failed = 0;
  for (const rlim_t bytes : {0, 100, 400, 1000, 4096, 65536}) {
    SCOPED_TRACE(bytes);
    const std::int64_t step = 2 + failed;
    CheckpointData data = checkpoint_of(step, kElements);
    std::string what;
    try {
      const FullDisk full(bytes);
      store.save(data);
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::io_error);
      what = error.what();
    }
    EXPECT_NE(what.find("step " + std::to_string(step) + " could not be saved"), std::string::npos) << what;
    EXPECT_NE(what.find("File too large"), std::string::npos) << what;
    EXPECT_NE(what.find("before are as they were"), std::string::npos) << what;
    EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"step-00000001"});
    EXPECT_TRUE(is_whole(store.load_latest()->data));
    ++failed;
  }
  store.save(checkpoint_of(9, kElements));  // there is space again
  EXPECT_EQ(store.load_latest()->info.step, 9);
}

}  // namespace
}  // namespace asg::train
