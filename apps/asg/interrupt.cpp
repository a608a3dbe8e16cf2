#include "interrupt.h"

#include <atomic>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace asg::app {
namespace {

static_assert(std::atomic<int>::is_always_lock_free, "else a handler of signals must not touch it");
std::atomic<int> interrupts = 0;
std::atomic<int> empty_input = -1;  // takes the place of the standard input; -1: nothing does

// Only what may be called in a handler. Whoever reads gets EINTR, and whoever was about to read gets the end.
void on_interrupt(int) {
  constexpr int kInterrupted = 130;
  const int error = errno;
  if (interrupts.exchange(1) != 0) _exit(kInterrupted);
  if (empty_input >= 0) dup2(empty_input, STDIN_FILENO);
  errno = error;
}

}  // namespace

void catch_interrupts(OnInterrupt also) {
  if (also == OnInterrupt::end_input) empty_input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  if (also == OnInterrupt::note) action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool is_interrupted() { return interrupts != 0; }

}  // namespace asg::app
