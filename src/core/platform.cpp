// What the standard library can do on every system. The rest: platform_linux.cpp, platform_other.cpp.
#include "asg/core/platform.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <system_error>

#include "asg/core/error.h"

namespace asg::platform {

std::optional<std::string> environment(std::string_view name) {
  const char* const value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::string read_file(const std::string& path) {
  const auto fail_read = [&path](int error) {
    fail(ErrorCode::io_error, "\"" + path + "\": " + std::generic_category().message(error), "a file that can be read");
  };
  errno = 0;
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (file == nullptr) fail_read(errno);
  std::string content;
  try {
    std::array<char, 65536> block;
    for (std::size_t size = block.size(); size == block.size();) {
      size = std::fread(block.data(), 1, block.size(), file.get());
      content.append(block.data(), size);
    }
  } catch (const std::exception&) {  // bad_alloc, or length_error where sizes are short
    fail(ErrorCode::out_of_memory, "\"" + path + "\", longer than " + std::to_string(content.size()) + " bytes",
         "a file that fits into memory");
  }
  if (std::ferror(file.get()) != 0) fail_read(errno);
  return content;
}

}  // namespace asg::platform
