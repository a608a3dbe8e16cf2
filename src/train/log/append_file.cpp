#include "train/log/append_file.h"

#include <cerrno>
#include <chrono>
#include <system_error>

#include "asg/core/error.h"
#include "asg/core/files.h"

namespace asg::train {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  fail(ErrorCode::io_error, "\"" + path + "\": " + std::generic_category().message(errno), "a file that can be written",
       "check the folder and the space on the disk");
}

}  // namespace

AppendFile::AppendFile(std::string path, bool anew)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), anew ? "wb" : "ab")) {
  if (file_ == nullptr) refuse(path_);
}

void AppendFile::write(std::string_view record) {
  if (std::fwrite(record.data(), 1, record.size(), file_.get()) != record.size() || std::fflush(file_.get()) != 0) {
    refuse(path_);
  }
}

void AppendFile::sync() const { platform::sync_file(path_); }

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace asg::train
