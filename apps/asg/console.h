#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace asg::app {

enum class Paint : std::uint8_t { bold, green, red, dim };

// Coloured where the file descriptor is a terminal and NO_COLOR is not set; else as it is.
std::string painted(std::string_view text, Paint paint, int file_descriptor = 1);

// How far some work is: one line that changes on a terminal, elsewhere a plain line for each tenth.
class Progress {
 public:
  explicit Progress(std::int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::int64_t done, const std::string& note);
  // Ends the changing line, so that other text can follow. The next `show` begins a new one.
  void pause();

 private:
  std::int64_t total_;
  std::int64_t last_tenth_ = -1;
  bool terminal_;
  bool line_is_open_ = false;
};

}  // namespace asg::app
