// Systems without a file of their own: what the standard library can do. Files are read rather than mapped, nothing is
// flushed beyond the standard library, and folders are not locked.
#if !defined(__linux__)

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "asg/core/error.h"
#include "asg/core/files.h"
#include "asg/core/platform.h"

namespace asg::platform {
namespace {

constexpr std::align_val_t kAlignment{64};

[[noreturn]] void fail_io(const std::string& path, const char* action, const std::string& reason) {
  fail(ErrorCode::io_error, "\"" + path + "\": " + action + ": " + reason, "a place that can be written");
}

[[noreturn]] void fail_io(const std::string& path, const char* action) {
  fail_io(path, action, std::generic_category().message(errno));
}

}  // namespace

std::string temporary_beside(const std::string& path) {
  static std::atomic<unsigned> serial{0};
  return path + ".tmp-" + std::to_string(serial.fetch_add(1));
}

void write_file_atomically(const std::string& path, std::string_view content) {
  const std::string temporary = temporary_beside(path);
  NewFile file(temporary);
  file.write(content);
  file.finish();
  std::error_code error;
  std::filesystem::rename(temporary, path, error);  // replaces on every system, which std::rename does not
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  fail_io(path, "rename", error.message());
}

void sync_file(const std::string&) {}

void sync_folder(const std::string&) {}

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  const std::string content = read_file(path);
  std::shared_ptr<MappedFile> result(new MappedFile);
  if (content.empty()) return result;
  auto* const memory = static_cast<std::byte*>(::operator new(content.size(), kAlignment));
  std::memcpy(memory, content.data(), content.size());
  result->bytes_ = {memory, content.size()};
  return result;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::operator delete(bytes_.data(), kAlignment);
}

struct NewFile::Handle {
  std::FILE* file = nullptr;
};

NewFile::NewFile(std::string path) : path_(std::move(path)) {
  std::FILE* const file = std::fopen(path_.c_str(), "wbx");
  if (file == nullptr) fail_io(path_, "open");
  handle_ = std::make_unique<Handle>(Handle{file});
}

NewFile::~NewFile() {
  if (handle_ == nullptr) return;
  if (handle_->file != nullptr) std::fclose(handle_->file);
  std::remove(path_.c_str());
}

void NewFile::flush() {
  if (std::fflush(handle_->file) != 0) fail_io(path_, "write");
}

void NewFile::write(std::string_view piece) {
  internal_check(handle_ != nullptr, "a file that is finished is not written to");
  if (std::fwrite(piece.data(), 1, piece.size(), handle_->file) != piece.size()) fail_io(path_, "write");
}

void NewFile::finish() {
  internal_check(handle_ != nullptr, "a file is finished once");
  flush();
  if (std::fclose(std::exchange(handle_->file, nullptr)) != 0) fail_io(path_, "close");
  handle_.reset();
}

FolderLock::FolderLock(const std::string&) {}
FolderLock::~FolderLock() = default;

}  // namespace asg::platform

#endif
