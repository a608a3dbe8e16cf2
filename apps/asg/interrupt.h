#pragma once

#include <cstdint>

namespace asg::app {

// Ctrl-C and SIGTERM for trainings that look for them: the first one is noted here, a second one, half a second later
// or more, ends the program at once. For programs that wait for nothing else see StopSignal.
enum class OnInterrupt : std::uint8_t {
  note,
  end_input  // the standard input ends too, also for who waits for its next line
};
void catch_interrupts(OnInterrupt also = OnInterrupt::note);
bool is_interrupted();  // from any thread

}  // namespace asg::app
