#pragma once

#include <chrono>
#include <csignal>

namespace asg::app {

// Ctrl-C and SIGTERM for programs with threads: made before the threads are, it keeps the signals from all of them, and
// whoever waits here gets the first. From then on, and when this goes, a signal ends the program at once.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void wait() const;
  bool wait_for(std::chrono::milliseconds time) const;  // whether a signal came

 private:
  void let_go() const;

  sigset_t signals_;
  sigset_t before_;
};

}  // namespace asg::app
