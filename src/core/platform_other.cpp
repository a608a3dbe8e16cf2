// Systems without a file of their own: what the standard library can do, else what platform.h names.
#if !defined(__linux__)

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <thread>

#include "asg/core/error.h"
#include "asg/core/platform.h"

namespace asg::platform {
namespace {

[[noreturn]] void fail_io(const std::string& path, const char* action, const std::string& reason) {
  fail(ErrorCode::io_error, "\"" + path + "\": " + action + ": " + reason, "a place that can be written");
}

}  // namespace

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }
std::string cpu_name() { return "unknown processor"; }
std::int64_t physical_bytes() { return 0; }
std::int64_t resident_bytes() { return 0; }
std::int64_t peak_resident_bytes() { return 0; }
bool is_terminal(int) { return false; }
int terminal_width() { return 80; }

void write_file_atomically(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".tmp";
  std::FILE* const file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) fail_io(path, "open", std::generic_category().message(errno));
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const bool closed = std::fclose(file) == 0;
  std::error_code error;
  if (!written || !closed) {
    error = std::error_code(errno, std::generic_category());
  } else {
    std::filesystem::rename(temporary, path, error);  // replaces on every system, which std::rename does not
  }
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  fail_io(path, written && closed ? "rename" : "write", error.message());
}

}  // namespace asg::platform

#endif
