#include "stop_signal.h"

#include "interrupt.h"

namespace asg::app {

StopSignal::StopSignal() { catch_interrupts(); }

void StopSignal::wait() const {
  constexpr std::chrono::hours kLong(1);
  while (!wait_for(kLong)) continue;
}

bool StopSignal::wait_for(std::chrono::milliseconds time) const { return wait_for_interrupt(time); }

}  // namespace asg::app
