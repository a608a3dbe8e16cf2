// Which threads handlers of signals may run on.
#if defined(__linux__)

#include <atomic>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <pthread.h>

#include "asg/core/platform.h"
#include "asg/core/thread_pool.h"

namespace asg {
namespace {

// Of this thread.
bool holds(int signal) {
  sigset_t held;
  pthread_sigmask(SIG_BLOCK, nullptr, &held);
  return sigismember(&held, signal) == 1;
}

TEST(Signals, AreHeldByTheOutermost) {
  ASSERT_FALSE(holds(SIGINT));
  {
    const platform::SignalsHeld outer;
    EXPECT_TRUE(holds(SIGINT));
    {
      const platform::SignalsHeld inner;
      EXPECT_TRUE(holds(SIGINT));
    }
    EXPECT_TRUE(holds(SIGINT));
    EXPECT_FALSE(holds(SIGSEGV));  // a bad address must not become an endless loop
  }
  EXPECT_FALSE(holds(SIGINT));
}

TEST(Signals, OfTheCallerStayHeld) {
  sigset_t own, before;
  sigemptyset(&own);
  sigaddset(&own, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &own, &before);
  {
    const platform::SignalsHeld held;
  }
  EXPECT_TRUE(holds(SIGUSR1));
  EXPECT_FALSE(holds(SIGINT));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(Signals, WaitUntilTheyAreLetGo) {
  static volatile std::sig_atomic_t handled = 0;
  struct sigaction action{}, before{};
  action.sa_handler = [](int) { handled = 1; };
  sigaction(SIGUSR1, &action, &before);
  {
    const platform::SignalsHeld held;
    pthread_kill(pthread_self(), SIGUSR1);
    EXPECT_EQ(handled, 0);
  }
  EXPECT_EQ(handled, 1);
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(Signals, AreNotForWorkers) {
  ThreadPool pool(2);
  const auto caller = std::this_thread::get_id();
  // Each range waits for the other, so that the worker has one of them.
  std::atomic<int> arrived{0};
  pool.for_ranges(2, 1, [&](std::int64_t, std::int64_t) {
    EXPECT_EQ(holds(SIGINT), std::this_thread::get_id() != caller);
    ++arrived;
    while (arrived.load() < 2) std::this_thread::yield();
  });
}

}  // namespace
}  // namespace asg

#endif
