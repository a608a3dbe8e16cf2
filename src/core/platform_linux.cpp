#if defined(__linux__)

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asg/core/error.h"
#include "asg/core/platform.h"

namespace asg::platform {
namespace {

[[noreturn]] void fail_io(const std::string& path, const char* action, int error) {
  fail(ErrorCode::io_error, "\"" + path + "\": " + action + ": " + std::generic_category().message(error),
       "a place that can be written");
}

// Closes on the way out; close() tells of errors where they matter.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  bool close() {
    const int number = number_;
    number_ = -1;
    return ::close(number) == 0;
  }

 private:
  int number_;
};

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const auto written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A new file beside `path`; sets `name`. Several threads and processes may write the same path.
int create_temporary(const std::string& path, std::string& name) {
  static std::atomic<unsigned> serial{0};
  for (;;) {
    name = path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(serial.fetch_add(1));
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
}

// What went wrong, or null.
const char* write_temporary(Descriptor& file, const std::string& path, std::string_view content) {
  struct stat replaced = {};
  if (::stat(path.c_str(), &replaced) == 0 && ::fchmod(file.number(), replaced.st_mode & 07777) != 0) return "chmod";
  if (!write_all(file.number(), content)) return "write";
  if (::fsync(file.number()) != 0) return "fsync";
  if (!file.close()) return "close";
  return nullptr;
}

}  // namespace

int hardware_threads() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (line.rfind("model name", 0) != 0 || colon == std::string::npos) continue;
    const auto first = line.find_first_not_of(" \t", colon + 1);
    if (first != std::string::npos) return line.substr(first);
  }
  return "unknown processor";
}

std::int64_t physical_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? std::int64_t{pages} * page_bytes : 0;
}

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total_pages = 0, resident_pages = 0;
  if (!(file >> total_pages >> resident_pages)) return 0;
  return resident_pages * ::sysconf(_SC_PAGESIZE);
}

std::int64_t peak_resident_bytes() {
  struct rusage usage = {};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return std::int64_t{usage.ru_maxrss} * 1024;
}

bool is_terminal(int file_descriptor) { return ::isatty(file_descriptor) == 1; }

int terminal_width() {
  struct winsize size = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

void write_file_atomically(const std::string& path, std::string_view content) {
  std::string temporary;
  Descriptor file(create_temporary(path, temporary));
  if (file.number() < 0) fail_io(path, "open", errno);
  const char* failed = write_temporary(file, path, content);
  if (failed == nullptr && std::rename(temporary.c_str(), path.c_str()) != 0) failed = "rename";
  if (failed != nullptr) {
    const int error = errno;
    ::unlink(temporary.c_str());
    fail_io(path, failed, error);
  }
  // The new name is safe only when its folder is. Some file systems cannot flush a folder and need not.
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() < 0) fail_io(path, "open of its folder", errno);
  if (::fsync(folder.number()) != 0 && errno != EINVAL && errno != ENOTSUP) fail_io(path, "fsync of its folder", errno);
}

}  // namespace asg::platform

#endif
