#include "stop_signal.h"

#include <pthread.h>

namespace asg::app {

StopSignal::StopSignal() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
}

StopSignal::~StopSignal() { let_go(); }

void StopSignal::let_go() const { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void StopSignal::wait() const {
  int signal = 0;
  sigwait(&signals_, &signal);
  let_go();
}

bool StopSignal::wait_for(std::chrono::milliseconds time) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(time - seconds);
  const timespec limit{.tv_sec = seconds.count(), .tv_nsec = rest.count()};
  const bool came = sigtimedwait(&signals_, nullptr, &limit) > 0;
  if (came) let_go();
  return came;
}

}  // namespace asg::app
