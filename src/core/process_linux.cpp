#if defined(__linux__)

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/core/process.h"

namespace asg::platform {
namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 16;
constexpr int kTickMilliseconds = 100;

[[noreturn]] void fail_start(const std::string& program, int error) {
  fail(ErrorCode::io_error, "the program '" + program + "': " + std::generic_category().message(error),
       "a program that can be started", "install it, or put its folder into PATH");
}

// What a child is started with.
class Actions {
 public:
  Actions() { ::posix_spawn_file_actions_init(&actions_); }
  ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_ = {};
};

struct Pipe {
  std::array<int, 2> ends = {-1, -1};

  Pipe() { ends = make(); }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_end(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }

 private:
  static std::array<int, 2> make() {
    std::array<int, 2> made = {-1, -1};
    if (::pipe2(made.data(), O_CLOEXEC) != 0) {
      fail(ErrorCode::io_error, "a pipe: " + std::generic_category().message(errno), "a free file descriptor");
    }
    return made;
  }
};

pid_t start(const std::vector<std::string>& command, const std::string& folder, const Pipe& output) {
  Actions actions;
  ::posix_spawn_file_actions_addchdir_np(actions.get(), folder.c_str());
  ::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(actions.get(), output.ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(actions.get(), output.ends[1], STDERR_FILENO);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments.front(), actions.get(), nullptr, arguments.data(), environ);
  if (error != 0) fail_start(command.front(), error);
  return child;
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// Takes what there is to read; false at the end of the output.
bool read_some(int descriptor, int wait_milliseconds, std::string& output) {
  struct pollfd ready = {.fd = descriptor, .events = POLLIN, .revents = 0};
  if (::poll(&ready, 1, wait_milliseconds) <= 0) return true;
  std::array<char, 4096> block;
  const auto size = ::read(descriptor, block.data(), block.size());
  if (size <= 0) return size < 0 && errno == EINTR;
  output.append(block.data(), static_cast<std::size_t>(size));
  if (output.size() > 2 * kMostOutput) output.erase(0, output.size() - kMostOutput);
  return true;
}

}  // namespace

std::string program_path() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string() : path.string();
}

bool has_program(std::string_view name) {
  const std::string path = environment("PATH").value_or("/usr/bin:/bin");
  for (std::size_t first = 0; first <= path.size();) {
    const std::size_t end = std::min(path.find(':', first), path.size());
    std::string file = path.substr(first, end - first);
    file += '/';
    file += name;
    if (::access(file.c_str(), X_OK) == 0) return true;
    first = end + 1;
  }
  return false;
}

ProcessResult run_process(const std::vector<std::string>& command, const std::string& folder,
                          const std::function<void()>& tick) {
  internal_check(!command.empty(), "a command has a program");
  Pipe output;
  const pid_t child = start(command, folder, output);
  output.close_end(1);
  ProcessResult result;
  int status = 0;
  try {
    // A grandchild may hold the pipe open for ever, so the end of the child counts, not that of the output.
    bool open = true;
    while (::waitpid(child, &status, WNOHANG) == 0) {
      if (open) {
        open = read_some(output.ends[0], kTickMilliseconds, result.output);
      } else {
        ::usleep(1000);
      }
      if (tick) tick();
    }
    // What lies in the pipe still.
    for (std::size_t before = 0; open; before = result.output.size()) {
      open = read_some(output.ends[0], 0, result.output) && result.output.size() != before;
    }
  } catch (...) {
    ::kill(child, SIGTERM);
    ::waitpid(child, &status, 0);
    throw;
  }
  result.code = code_of(status);
  return result;
}

}  // namespace asg::platform

#endif
