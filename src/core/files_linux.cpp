#if defined(__linux__)

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asg/core/error.h"
#include "asg/core/files.h"
#include "asg/core/platform.h"

namespace asg::platform {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;  // bytes of small pieces that wait for each other
constexpr auto kLockWait = std::chrono::seconds(60);
constexpr auto kLockPause = std::chrono::milliseconds(5);

[[noreturn]] void fail_io(const std::string& path, const char* action, int error,
                          std::string needed = "a place that can be written") {
  std::string mend;
  if (error == ENOSPC || error == EDQUOT) mend = "free some space on that disk, or choose a folder on another";
  fail(ErrorCode::io_error, "\"" + path + "\": " + action + ": " + std::generic_category().message(error),
       std::move(needed), std::move(mend));
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
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }
  int release() { return std::exchange(number_, -1); }

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

int create_new(const std::string& path) { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }

// A new file beside `path`; sets `name`. Several threads and processes may write the same path.
int create_temporary(const std::string& path, std::string& name) {
  for (;;) {
    name = temporary_beside(path);
    const int descriptor = create_new(name);
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

std::string temporary_beside(const std::string& path) {
  static std::atomic<unsigned> serial{0};
  return path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(serial.fetch_add(1));
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
  sync_folder(folder_of(path));  // the new name is safe only when its folder is
}

void sync_file(const std::string& path) {
  const Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened.number() < 0) fail_io(path, "open", errno);
  if (::fsync(opened.number()) != 0 && errno != EINVAL && errno != ENOTSUP) fail_io(path, "fsync", errno);
}

void sync_folder(const std::string& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() < 0) fail_io(folder, "open", errno);
  // Some file systems cannot flush a folder and need not.
  if (::fsync(opened.number()) != 0 && errno != EINVAL && errno != ENOTSUP) fail_io(folder, "fsync", errno);
}

// ---- MappedFile

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  constexpr const char* kNeeded = "a file that can be read";
  // Without waiting for who writes into a pipe, which is refused below.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) fail_io(path, "open", errno, kNeeded);
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) fail_io(path, "stat", errno, kNeeded);
  if (S_ISDIR(status.st_mode)) fail_io(path, "open", EISDIR, "a file, not a folder");
  if (!S_ISREG(status.st_mode)) fail_io(path, "open", EINVAL, "a file that can be mapped, no pipe and no device");
  std::shared_ptr<MappedFile> result(new MappedFile);
  if (status.st_size == 0) return result;  // nothing cannot be mapped
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.number(), 0);
  if (memory == MAP_FAILED) fail_io(path, "mmap", errno, kNeeded);
  result->bytes_ = {static_cast<std::byte*>(memory), size};
  return result;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

// ---- NewFile

struct NewFile::Handle : Descriptor {
  using Descriptor::Descriptor;
};

NewFile::NewFile(std::string path) : path_(std::move(path)) {
  const int descriptor = create_new(path_);
  if (descriptor < 0) fail_io(path_, "open", errno);
  handle_ = std::make_unique<Handle>(descriptor);
}

NewFile::~NewFile() {
  if (handle_ != nullptr) ::unlink(path_.c_str());
}

void NewFile::flush() {
  if (!write_all(handle_->number(), waiting_)) fail_io(path_, "write", errno);
  waiting_.clear();
}

void NewFile::write(std::string_view piece) {
  internal_check(handle_ != nullptr, "a file that is finished is not written to");
  if (waiting_.size() + piece.size() <= kBuffer) {
    waiting_ += piece;
    return;
  }
  flush();
  if (piece.size() <= kBuffer) {
    waiting_ = piece;
  } else if (!write_all(handle_->number(), piece)) {
    fail_io(path_, "write", errno);
  }
}

void NewFile::finish() {
  internal_check(handle_ != nullptr, "a file is finished once");
  flush();
  if (::fsync(handle_->number()) != 0) fail_io(path_, "fsync", errno);
  if (!handle_->close()) fail_io(path_, "close", errno);
  handle_.reset();
}

// ---- FolderLock

FolderLock::FolderLock(const std::string& folder) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() < 0) fail_io(folder, "open", errno);
  const auto end = std::chrono::steady_clock::now() + kLockWait;
  while (::flock(opened.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return;  // a file system without locks
    if (std::chrono::steady_clock::now() > end) {
      fail(ErrorCode::io_error, "\"" + folder + "\", which another process has locked for a minute",
           "a folder that one process at a time writes to", "end the other process, or choose another folder");
    }
    std::this_thread::sleep_for(kLockPause);
  }
  descriptor_ = opened.release();
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace asg::platform

#endif
