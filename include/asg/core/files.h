#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

// Files that are too large to be a text in memory, and folders that must survive a crash. For small files see
// platform.h. All of it throws io_error with the path and the reason of the system.
namespace asg::platform {

// A whole file as memory, read when it is touched. The memory may be written to: that changes the copy of this
// process, never the file. Lives until the last handle goes, also when the file is removed meanwhile; but a file that
// somebody shortens in place ends the process when the lost part is touched, so map only files that are replaced as a
// whole. Where the system cannot map files it is read.
class MappedFile {
 public:
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }  // starts at a multiple of 64
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

 private:
  MappedFile() = default;
  std::span<std::byte> bytes_;
};

// A file that is written piece by piece. One that is not finished is removed.
class NewFile {
 public:
  explicit NewFile(std::string path);  // there must be no such file yet
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view piece);
  void finish();  // all that was written is on the disk when it returns, where the system can do so

 private:
  struct Handle;
  void flush();

  std::string path_;
  std::string waiting_;  // small pieces are written together
  std::unique_ptr<Handle> handle_;
};

// All that was written to the file is on the disk when it returns, where the system can do so.
void sync_file(const std::string& path);

// What was created, renamed and removed in the folder is on the disk when it returns, where the system can do so.
void sync_folder(const std::string& folder);

// While it lives no other one holds the same folder, in this process or another; the system ends it with the process.
// Waits for the other for a minute, then throws. Where the system has no such locks it does nothing.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

// A name beside `path` that nothing else uses: "model.bin.tmp-4711-0".
std::string temporary_beside(const std::string& path);

}  // namespace asg::platform
