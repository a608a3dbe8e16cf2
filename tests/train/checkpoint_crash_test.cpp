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

CheckpointData next_checkpoint(std::int64_t step) {
  return checkpoint_of(step, kElements, {{"loss", static_cast<double>(step * 7919 % 101)}});
}

// Saves one step after the other and tells the number of each that is safe, until it is killed.
[[noreturn]] void save_for_ever(const std::string& folder, std::int64_t step, int told) {
  CheckpointStore store(folder, options());
  for (;; ++step) {
    store.save(next_checkpoint(step));
    if (::write(told, &step, sizeof(step)) != sizeof(step)) ::_exit(1);
  }
}

using Time = std::chrono::duration<double>;

// Lets a child save a few times and kills it a moment later. Returns the last step that it told, or -1.
std::int64_t save_and_kill(const std::string& folder, std::int64_t first, int saves, Time moment) {
  int ends[2] = {};
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    try {
      save_for_ever(folder, first, ends[1]);
    } catch (...) {
      ::_exit(2);
    }
  }
  ::close(ends[1]);
  std::int64_t last = -1;
  const auto told = [&](std::int64_t& step) { return ::read(ends[0], &step, sizeof(step)) == sizeof(step); };
  for (int save = 0; save < saves && told(last); ++save) continue;
  std::this_thread::sleep_for(moment);
  ::kill(child, SIGKILL);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself with " << WEXITSTATUS(status);
  for (std::int64_t step = 0; told(step);) last = step;
  ::close(ends[0]);
  return last;
}

Time time_of_a_save(const std::string& folder) {
  const auto begin = std::chrono::steady_clock::now();
  CheckpointStore(folder, options()).save(next_checkpoint(1));
  return std::chrono::steady_clock::now() - begin;
}

TEST(CheckpointCrash, AKillAtAnyMomentLeavesTheLastGoodOne) {
  constexpr int kKills = 50;
  const test::TemporaryFolder folder(test::TemporaryFolder::On::memory);  // a kill is the same there
  const test::Warnings warnings;
  const Time one_save = time_of_a_save(folder.path());
  std::mt19937 dice(20240521);
  std::int64_t safe = 1;
  const CheckpointStore store(folder.path(), options());
  int left_over = 0;
  for (int round = 0; round < kKills; ++round) {
    const int saves = static_cast<int>(dice() % 2);
    const Time moment = one_save * std::uniform_real_distribution<double>(0, 1.2)(dice);
    safe = std::max(safe, save_and_kill(folder.path(), store.list().back().step + 1, saves, moment));
    for (const std::string& name : names_in(folder.path())) left_over += name.starts_with(".tmp-") ? 1 : 0;
    const auto latest = store.load_latest();
    ASSERT_TRUE(latest.has_value());
    ASSERT_GE(latest->info.step, safe);
    ASSERT_TRUE(is_whole(latest->data));
    ASSERT_TRUE(is_whole(store.load_best()->data));
  }
  EXPECT_TRUE(warnings.texts.empty()) << warnings.texts.front();
  EXPECT_GT(safe, 1);
  EXPECT_GT(left_over, 0);  // else no kill fell into a save
  CheckpointStore(folder.path(), options()).save(next_checkpoint(store.list().back().step + 1));
  EXPECT_LE(names_in(folder.path()).size(), 4U);  // best.json, two, the best: what was left over is gone
}

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
