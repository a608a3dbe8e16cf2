#include "support/disk_order.h"

#include <cstdio>
#include <filesystem>
#include <mutex>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::mutex mutex;
bool recording = false;
std::vector<asg::test::DiskStep> recorded;

void record(asg::test::DiskStep step) {
  const std::lock_guard lock(mutex);
  if (recording) recorded.push_back(std::move(step));
}

std::string path_of(int descriptor) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error).string();
}

}  // namespace

// These take the place of the functions of the C library.
extern "C" int fsync(int descriptor) {
  struct stat found = {};
  if (::fstat(descriptor, &found) == 0) {
    record({asg::test::DiskStep::Kind::sync, path_of(descriptor), static_cast<std::int64_t>(found.st_size)});
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

extern "C" int rename(const char* from, const char* to) noexcept {
  record({asg::test::DiskStep::Kind::rename, to});
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace asg::test {

DiskOrder::DiskOrder() {
  const std::lock_guard lock(mutex);
  recorded.clear();
  recording = true;
}

DiskOrder::~DiskOrder() {
  const std::lock_guard lock(mutex);
  recording = false;
}

std::vector<DiskStep> DiskOrder::steps() const {
  const std::lock_guard lock(mutex);
  return recorded;
}

int DiskOrder::find(const std::vector<DiskStep>& steps, DiskStep::Kind kind, const std::string& path, int from) {
  for (auto at = static_cast<std::size_t>(from); at < steps.size(); ++at) {
    if (steps[at].kind == kind && steps[at].path == path) return static_cast<int>(at);
  }
  return -1;
}

}  // namespace asg::test
