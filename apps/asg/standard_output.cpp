#include "standard_output.h"

#include <cerrno>
#include <cstdio>
#include <iostream>

#include <fcntl.h>
#include <unistd.h>

namespace asg::app {

void guard_standard_streams() {
  // In this order, since the system hands out the lowest number that is free; and to be used the other way round.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

std::error_code finish_standard_output() {
  errno = 0;
  std::cout.flush();
  const bool arrived = std::fflush(stdout) == 0 && std::cout.good() && std::ferror(stdout) == 0;
  if (arrived) return {};
  // Nobody keeps the reason why an earlier flush failed; the system may tell it again to a write of nothing.
  if (errno == 0 && ::write(STDOUT_FILENO, "", 0) == 0) errno = EIO;
  return {errno, std::generic_category()};
}

}  // namespace asg::app
