// What the standard library can do on every system. The rest: platform_linux.cpp, platform_other.cpp.
#include "asg/core/platform.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>

#include "asg/core/error.h"
#include "asg/core/limits.h"

namespace asg::platform {
namespace {

// How many bytes may be read. A device, such as /dev/zero, may never end; a pipe has a process behind it that does.
std::int64_t most_bytes_of(std::filesystem::file_type type) {
  constexpr std::int64_t kMostOfDevice = std::int64_t{1} << 20;
  const bool is_device = type == std::filesystem::file_type::character || type == std::filesystem::file_type::block;
  return is_device ? std::min(kMostOfDevice, limit_of(Limit::file_bytes)) : limit_of(Limit::file_bytes);
}

[[noreturn]] void fail_length(const std::string& path, std::filesystem::file_type type, std::int64_t most) {
  if (most < limit_of(Limit::file_bytes)) {
    fail(ErrorCode::io_error, "\"" + path + "\", a device that gives more than " + std::to_string(most) + " bytes",
         "a file");
  }
  const bool is_file = type == std::filesystem::file_type::regular;
  fail_limit(Limit::file_bytes, "\"" + path + "\", " + (is_file ? "a file" : "a stream") + " of more than " +
                                    amount_text(info_of(Limit::file_bytes), most));
}

}  // namespace

std::optional<std::string> environment(std::string_view name) {
  const char* const value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::string read_file(const std::string& path) {
  const auto fail_read = [&path](int error) {
    fail(ErrorCode::io_error, "\"" + path + "\": " + std::generic_category().message(error),
         error == EISDIR ? "a file, not a folder" : "a file that can be read");
  };
  std::error_code unknown;
  const std::filesystem::file_type type = std::filesystem::status(path, unknown).type();
  const std::int64_t most = most_bytes_of(type);
  const std::uintmax_t length =
      type == std::filesystem::file_type::regular ? std::filesystem::file_size(path, unknown) : 0;
  if (!unknown && length > static_cast<std::uintmax_t>(most)) fail_length(path, type, most);
  errno = 0;
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (file == nullptr) fail_read(errno);
  std::string content;
  try {
    if (!unknown) content.reserve(static_cast<std::size_t>(length));
    std::array<char, 65536> block;
    for (std::size_t size = block.size(); size == block.size();) {
      size = std::fread(block.data(), 1, block.size(), file.get());
      if (content.size() + size > static_cast<std::uint64_t>(most)) fail_length(path, type, most);
      content.append(block.data(), size);
    }
  } catch (const UserError&) {
    throw;
  } catch (const std::exception&) {  // bad_alloc, or length_error where sizes are short
    fail(ErrorCode::out_of_memory, "\"" + path + "\", longer than " + std::to_string(content.size()) + " bytes",
         "a file that fits into memory");
  }
  if (std::ferror(file.get()) != 0) fail_read(errno);
  return content;
}

}  // namespace asg::platform
