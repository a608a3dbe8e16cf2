#include "program.h"

#include <array>
#include <cstdio>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

namespace asg {

namespace fs = std::filesystem;

namespace {

Outcome run_in_shell(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  Outcome outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), count);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

}  // namespace

Outcome run(const std::string& arguments, const std::string& input) {
  return run_in_shell((input.empty() ? "" : "printf '%s' '" + input + "' | ") + std::string(ASG_PROGRAM) + " " +
                      arguments + " 2>&1");
}

Outcome run_redirected(const std::string& arguments, const std::string& redirection) {
  return run_in_shell(std::string(ASG_PROGRAM) + " " + arguments + " 2>&1 " + redirection);
}

void ProgramTest::SetUp() {
  ASSERT_TRUE(fs::exists(ASG_PROGRAM)) << "no " << ASG_PROGRAM << ": build the target asg";
  folder_ = fs::temp_directory_path() / ("asg_cli_test_" + std::to_string(getpid()));
  fs::create_directories(folder_);
}

void ProgramTest::TearDown() { fs::remove_all(folder_); }

std::string ProgramTest::write(const std::string& name, const std::string& content) const {
  std::ofstream(file(name)) << content;
  return file(name);
}

}  // namespace asg
