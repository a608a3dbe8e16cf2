#pragma once

#include <memory>
#include <string>
#include <vector>

namespace asg {

// Something that happens once on a device; work can wait for it. Copies are the same event. Thread-safe.
class Event {
 public:
  Event();  // has not happened
  void signal();
  bool happened() const;
  void wait() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// How a submitted graph stands to other work. Submissions to one backend run in the order of the calls.
struct SubmitOptions {
  std::vector<Event> after = {};  // begins when all of these have happened
  std::vector<Event> then = {};   // signalled when it has run, also when it failed
  // Inputs whose memory may be used for results. Whoever submits gives up their handles, and never looks at them again.
  std::vector<std::string> donated = {};
};

}  // namespace asg
