#include "run_lock.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "asg/core/error.h"
#include "make_folder.h"

namespace asg::app {

// The folder itself is locked, so that no file is left there. Checkpoints lock theirs, below it, as they are saved.
RunLock::RunLock(const std::string& folder, const std::string& option) {
  make_folder(folder, option);
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) return;  // what cannot be used is told by who writes there
  int locked = 0;
  do {
    locked = ::flock(descriptor_, LOCK_EX | LOCK_NB);
  } while (locked != 0 && errno == EINTR);
  if (locked == 0 || errno != EWOULDBLOCK) return;  // the latter: a file system without locks
  ::close(descriptor_);
  fail(ErrorCode::io_error, "the folder \"" + folder + "\", in which another training runs",
       "a folder for each training that runs",
       "wait for the other one or end it, or name another folder with " + option);
}

RunLock::~RunLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace asg::app
