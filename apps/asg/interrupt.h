#pragma once

#include <chrono>
#include <cstdint>

namespace asg::app {

// Ctrl-C, SIGTERM and SIGHUP: the first one is noted here, and the program stops after the step that is running; a
// second one, half a second later or more, ends the program at once. SIGHUP stays ignored where it was (nohup). To be
// called before anything slow is done.
enum class OnInterrupt : std::uint8_t {
  note,
  end_input  // the standard input ends too, also for who waits for its next line
};
void catch_interrupts(OnInterrupt also = OnInterrupt::note);
bool is_interrupted();                                       // from any thread
bool wait_for_interrupt(std::chrono::milliseconds at_most);  // whether one has come; for one thread

}  // namespace asg::app
