#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "asg/train/console.h"

namespace asg::app {

enum class Paint : std::uint8_t { bold, green, red, dim };

// Coloured where the file descriptor is a terminal and NO_COLOR is not set; else as it is.
std::string painted(std::string_view text, Paint paint, int file_descriptor = 1);

// How far some work of known length is, on the standard output; see train::Console.
class Progress {
 public:
  explicit Progress(std::int64_t total, std::string unit = "steps");

  void show(std::int64_t done, std::string note);
  // Ends the changing line, so that other text can follow. The next `show` begins a new one.
  void pause() { console_.finish(); }

 private:
  std::int64_t total_;
  train::Console console_;
};

}  // namespace asg::app
