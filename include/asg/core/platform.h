#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// All calls to the operating system stand behind this header and files.h, so that other platforms have two files to
// write.
namespace asg::platform {

int hardware_threads();                       // that this process may use; at least 1
std::string cpu_name();                       // "unknown processor" where it cannot be told
std::int64_t physical_bytes();                // memory of the machine; 0 where it cannot be told
std::int64_t resident_bytes();                // of this process; 0 where it cannot be told
std::int64_t peak_resident_bytes();           // the most so far; 0 where it cannot be told
bool is_terminal(int file_descriptor);        // false where it cannot be told
int terminal_width(int file_descriptor = 1);  // in columns; 80 where it cannot be told
std::optional<std::string> environment(std::string_view name);

// While it lives, handlers of signals do not run on this thread; other threads take the signals, or they wait. Those
// that the processor raises, such as for a bad address, come as ever. Nothing where there are no signals.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
};

std::string read_file(const std::string& path);  // throws io_error
// Writes a temporary file beside `path`, flushes it to the disk and renames it, so that after a crash there is the
// old content or the new, never a part. Where the system cannot flush, it only renames. A file that is replaced
// hands its permissions on. Throws io_error and leaves no temporary file.
void write_file_atomically(const std::string& path, std::string_view content);

}  // namespace asg::platform
