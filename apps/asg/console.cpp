#include "console.h"

#include <algorithm>
#include <cstdio>

#include <fmt/core.h>

namespace asg::app {
namespace {

const char* code_of(Paint paint) {
  switch (paint) {
    case Paint::bold:
      return "1";
    case Paint::green:
      return "32";
    case Paint::red:
      return "31";
    case Paint::dim:
      return "2";
  }
  return "0";
}

}  // namespace

std::string painted(std::string_view text, Paint paint, int file_descriptor) {
  if (!train::wants_colour(file_descriptor == 2 ? stderr : stdout)) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(paint), text);
}

Progress::Progress(std::int64_t total, std::string unit)
    : total_(std::max<std::int64_t>(total, 1)), console_({.unit = std::move(unit)}) {}

void Progress::show(std::int64_t done, std::string note) {
  console_.note(std::move(note));
  console_.progress(done, total_);
}

}  // namespace asg::app
