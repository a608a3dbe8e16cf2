// Systems without a file of their own start no programs.
#if !defined(__linux__)

#include "asg/core/error.h"
#include "asg/core/process.h"

namespace asg::platform {

std::string program_path() { return {}; }

bool has_program(std::string_view) { return false; }

ProcessResult run_process(const std::vector<std::string>& command, const std::string&, const std::function<void()>&) {
  fail(ErrorCode::io_error, "the program '" + command.front() + "'", "a system on which ASG can start programs",
       "run it by hand");
}

}  // namespace asg::platform

#endif
