#pragma once

#include <string>

namespace asg::app {

// While it lives, no other training runs in the folder, of this program or another; the system ends it with the
// process. Who only reads there asks nobody. Makes the folder where it is not there; `option` is where somebody names
// another one. Throws io_error at once where a training runs there. Where the system has no such locks it does nothing.
class RunLock {
 public:
  RunLock(const std::string& folder, const std::string& option);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace asg::app
