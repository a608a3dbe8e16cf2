#include "lab/outbox.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace asg::lab {
namespace {

using Pushed = Outbox::Pushed;

OutboxFrame frame_of(std::string text, std::string key = "") {
  return {.bytes = std::make_shared<const std::string>(std::move(text)), .key = std::move(key)};
}

std::string next_text(Outbox& outbox) {
  const std::optional<OutboxFrame> frame = outbox.pop();
  return frame ? *frame->bytes : "(none)";
}

TEST(Outbox, KeepsTheOrderAndSaysWhenToWake) {
  Outbox outbox(10000);
  EXPECT_EQ(outbox.push(frame_of("a")), Pushed::wake);
  EXPECT_EQ(outbox.push(frame_of("b")), Pushed::waits);
  EXPECT_EQ(next_text(outbox), "a");
  EXPECT_EQ(outbox.push(frame_of("c")), Pushed::waits);
  EXPECT_EQ(next_text(outbox), "b");
  EXPECT_EQ(next_text(outbox), "c");
  EXPECT_EQ(outbox.push(frame_of("d")), Pushed::waits);  // not found empty yet
  EXPECT_EQ(next_text(outbox), "d");
  EXPECT_EQ(next_text(outbox), "(none)");
  EXPECT_EQ(outbox.push(frame_of("e")), Pushed::wake);
}

TEST(Outbox, ANewerFrameReplacesAnOlderOfItsKeyAtTheEnd) {
  Outbox outbox(10000);
  outbox.push(frame_of("step 1", "step"));
  outbox.push(frame_of("watched 1", "watched"));
  outbox.push(frame_of("paused"));
  outbox.push(frame_of("step 2", "step"));
  EXPECT_EQ(outbox.waiting(), 3u);
  EXPECT_EQ(next_text(outbox), "watched 1");
  EXPECT_EQ(next_text(outbox), "paused");
  EXPECT_EQ(next_text(outbox), "step 2");
  EXPECT_EQ(outbox.waiting_bytes(), 0u);
  // What was popped is out of reach.
  outbox.push(frame_of("step 3", "step"));
  EXPECT_EQ(next_text(outbox), "step 3");
  outbox.push(frame_of("step 4", "step"));
  EXPECT_EQ(next_text(outbox), "step 4");
}

TEST(Outbox, DropsWhatMayBeDroppedWhereThereIsNoRoom) {
  Outbox outbox(3000);
  EXPECT_EQ(outbox.push(frame_of(std::string(2000, 'a'))), Pushed::wake);
  EXPECT_EQ(outbox.push(frame_of(std::string(2000, 'b'), "key")), Pushed::dropped);
  EXPECT_EQ(outbox.push(frame_of("c", "other")), Pushed::waits);
  // A frame that must not be lost takes the place of those that may.
  EXPECT_EQ(outbox.push(frame_of(std::string(400, 'd'))), Pushed::waits);
  EXPECT_EQ(next_text(outbox), std::string(2000, 'a'));
  EXPECT_EQ(next_text(outbox), std::string(400, 'd'));
  EXPECT_EQ(outbox.waiting(), 0u);
}

TEST(Outbox, OverflowsOnceAndForgetsAll) {
  Outbox outbox(3000);
  outbox.push(frame_of(std::string(2000, 'a')));
  EXPECT_EQ(outbox.push(frame_of(std::string(2000, 'b'))), Pushed::overflow);
  EXPECT_EQ(outbox.waiting(), 0u);
  EXPECT_EQ(outbox.waiting_bytes(), 0u);
  EXPECT_EQ(outbox.push(frame_of("c")), Pushed::dropped);
  EXPECT_EQ(next_text(outbox), "(none)");
}

TEST(Outbox, EmptyFramesFillItToo) {
  Outbox outbox(10000);
  Pushed last = outbox.push(frame_of(""));
  for (int count = 0; count < 10000 && last != Pushed::overflow; ++count) last = outbox.push(frame_of(""));
  EXPECT_EQ(last, Pushed::overflow);
}

TEST(Outbox, TakesALargeFrameWhenItIsEmpty) {
  Outbox outbox(1000);
  EXPECT_EQ(outbox.push(frame_of(std::string(50000, 'a'))), Pushed::wake);
  EXPECT_EQ(outbox.push(frame_of("b", "key")), Pushed::dropped);
  EXPECT_EQ(next_text(outbox).size(), 50000u);
  EXPECT_EQ(outbox.push(frame_of(std::string(50000, 'c'))), Pushed::waits);
}

TEST(Outbox, ClosedItGivesOutWhatWaitsOrNothing) {
  Outbox outbox(10000);
  outbox.push(frame_of("a"));
  outbox.close(false);
  EXPECT_EQ(outbox.push(frame_of("b")), Pushed::dropped);
  EXPECT_EQ(next_text(outbox), "a");
  EXPECT_EQ(next_text(outbox), "(none)");

  Outbox forgetful(10000);
  forgetful.push(frame_of("a", "key"));
  forgetful.close(true);
  EXPECT_EQ(next_text(forgetful), "(none)");
  EXPECT_EQ(forgetful.waiting_bytes(), 0u);
}

// Threads push at once while one pops: of each thread the frames come in order, and none of those without a key is
// lost.
TEST(Outbox, ServesManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kFrames = 2000;
  Outbox outbox(std::size_t{1} << 30);
  std::atomic<int> running = kThreads;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int number = 0; number < kFrames; ++number) {
        outbox.push(frame_of(std::to_string(thread) + " " + std::to_string(number)));
        outbox.push(frame_of("0 0", "key " + std::to_string(thread)));
      }
      --running;
    });
  }
  std::vector<int> next(kThreads, 0);
  while (true) {
    const bool last_look = running == 0;
    const std::optional<OutboxFrame> frame = outbox.pop();
    if (!frame && last_look) break;
    if (!frame || !frame->key.empty()) continue;
    const std::size_t blank = frame->bytes->find(' ');
    int& expected = next[static_cast<std::size_t>(std::stoi(frame->bytes->substr(0, blank)))];
    ASSERT_EQ(std::stoi(frame->bytes->substr(blank + 1)), expected);
    ++expected;
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(next, std::vector<int>(kThreads, kFrames));
}

}  // namespace
}  // namespace asg::lab
