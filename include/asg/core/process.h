#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace asg::platform {

struct ProcessResult {
  int code = 0;        // what the program returned; 128 + the signal that ended it
  std::string output;  // standard output and errors together; of a long one the end
};

// The file of the program that runs; "" where that cannot be told.
std::string program_path();

// Whether PATH leads to a program of this name. false where the system has no processes.
bool has_program(std::string_view name);

// Runs a program that PATH leads to, without a shell and without input, in a folder, and waits for its end. `tick` is
// called several times a second meanwhile; when it throws, the program is ended and the exception goes on. Throws
// io_error where the program cannot be started.
ProcessResult run_process(const std::vector<std::string>& command, const std::string& folder,
                          const std::function<void()>& tick = {});

}  // namespace asg::platform
