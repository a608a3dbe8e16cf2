#include "console.h"

#include <algorithm>
#include <cstdio>

#include <fmt/core.h>

#include "asg/core/platform.h"

namespace asg::app {
namespace {

bool colours(int file_descriptor) {
  const auto asked = platform::environment("NO_COLOR");
  return platform::is_terminal(file_descriptor) && (!asked || asked->empty());
}

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
  if (!colours(file_descriptor)) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(paint), text);
}

Progress::Progress(std::int64_t total)
    : total_(std::max<std::int64_t>(total, 1)), terminal_(platform::is_terminal(1)) {}

Progress::~Progress() { pause(); }

void Progress::show(std::int64_t done, const std::string& note) {
  constexpr std::int64_t kParts = 10;
  constexpr int kMostCells = 40;
  if (!terminal_) {
    const std::int64_t tenth = done * kParts / total_;
    if (tenth == last_tenth_) return;
    last_tenth_ = tenth;
    fmt::print("  {:3}%  {}\n", done * 100 / total_, note);
  } else {
    const int room = platform::terminal_width() - static_cast<int>(note.size()) - 12;
    const int cells = std::clamp(room, 0, kMostCells);
    const auto full = static_cast<int>(done * cells / total_);
    std::string bar;
    for (int cell = 0; cell < cells; ++cell) bar += cell < full ? "█" : "░";
    fmt::print("\r\x1b[K  {} {:3}%  {}", bar, done * 100 / total_, note);
    line_is_open_ = true;
  }
  std::fflush(stdout);
}

void Progress::pause() {
  if (!line_is_open_) return;
  fmt::print("\n");
  std::fflush(stdout);
  line_is_open_ = false;
}

}  // namespace asg::app
