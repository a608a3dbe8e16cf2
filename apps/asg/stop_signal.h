#pragma once

#include <chrono>

namespace asg::app {

// Catches Ctrl-C, SIGTERM and SIGHUP (interrupt.h) for a program that waits for them here.
class StopSignal {
 public:
  StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void wait() const;
  bool wait_for(std::chrono::milliseconds time) const;  // whether a signal came
};

}  // namespace asg::app
