#include "interrupt.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>

#include <fcntl.h>
#include <semaphore.h>
#include <unistd.h>

#include "asg/core/error.h"

namespace asg::app {
namespace {

static_assert(std::atomic<int>::is_always_lock_free, "else a handler of signals must not touch it");
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
std::atomic<std::int64_t> first_interrupt = 0;  // when it came, in nanoseconds; 0: there was none
std::atomic<int> empty_input = -1;              // takes the place of the standard input; -1: nothing does
sem_t came;                                     // a handler may post it, and do little else

// Only what may be called in a handler. Whoever reads gets EINTR, and whoever was about to read gets the end.
void on_interrupt(int) {
  constexpr int kInterrupted = 130;
  // Who ends a group of processes often sends to the process and to its group: that is one signal, not an impatient
  // one.
  constexpr std::int64_t kTogether = 500'000'000;
  const int error = errno;
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  std::int64_t first = 0;
  if (!first_interrupt.compare_exchange_strong(first, now)) {
    if (now - first > kTogether) _exit(kInterrupted);
    errno = error;
    return;
  }
  if (empty_input >= 0) dup2(empty_input, STDIN_FILENO);
  sem_post(&came);
  errno = error;
}

}  // namespace

void catch_interrupts(OnInterrupt also) {
  static const bool is_made = sem_init(&came, 0, 0) == 0;
  internal_check(is_made, "a semaphore can be made");
  if (also == OnInterrupt::end_input) empty_input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  if (also == OnInterrupt::note) action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

bool is_interrupted() { return first_interrupt != 0; }

bool wait_for_interrupt(std::chrono::milliseconds at_most) {
  timespec end = {};
  clock_gettime(CLOCK_REALTIME, &end);
  const std::int64_t nanoseconds = end.tv_nsec + std::chrono::nanoseconds(at_most).count();
  end.tv_sec += nanoseconds / 1'000'000'000;
  end.tv_nsec = nanoseconds % 1'000'000'000;
  while (!is_interrupted() && sem_timedwait(&came, &end) != 0 && errno == EINTR) continue;
  return is_interrupted();
}

}  // namespace asg::app
