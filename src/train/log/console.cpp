#include "asg/train/console.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include "asg/core/platform.h"
#include "train/log/progress_line.h"

namespace asg::train {
namespace {

constexpr double kSecondsBetweenDraws = 0.1;
constexpr double kRateMemory = 5;  // seconds after which an older rate counts for a third

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool capable_terminal(std::FILE* out) {
  const auto kind = platform::environment("TERM");
  return platform::is_terminal(fileno(out)) && (!kind || *kind != "dumb");
}

}  // namespace

bool wants_colour(std::FILE* out) {
  const auto asked = platform::environment("NO_COLOR");
  return capable_terminal(out) && (!asked || asked->empty());
}

// The cursor rests at the start of the line that changes. So a terminal that is made narrower, and wraps it, leaves the
// cursor where the line begins, and clearing from there takes all of it away.
class Console::Screen {
 public:
  explicit Screen(ConsoleOptions options)
      : out_(options.out),
        live_(options.live.value_or(capable_terminal(options.out))),
        colour_(options.colour.value_or(wants_colour(options.out))),
        clock_(options.clock ? std::move(options.clock) : steady_seconds) {
    state_.unit = std::move(options.unit);
  }

  void scalar(std::string_view tag, std::int64_t step, double value) {
    const std::lock_guard lock(mutex_);
    if (!told_progress_ && step > state_.step) {
      if (state_.step > 0) advance(state_.step);  // all values of the step before are here
      state_.step = step;
    }
    changed_ = true;
    auto& scalars = state_.scalars;
    const auto found =
        std::find_if(scalars.begin(), scalars.end(), [&](const auto& each) { return each.first == tag; });
    if (found == scalars.end()) {
      scalars.emplace_back(tag, value);
    } else {
      found->second = value;
    }
  }

  void progress(std::int64_t step, std::int64_t total) {
    const std::lock_guard lock(mutex_);
    told_progress_ = true;
    state_.total = std::max<std::int64_t>(total, 0);
    advance(step);
  }

  void note(std::string text) {
    const std::lock_guard lock(mutex_);
    state_.note = std::move(text);
    changed_ = true;
  }

  void print(std::string_view lines) {
    const std::lock_guard lock(mutex_);
    std::string text = open_ ? "\r\x1b[J" : "";
    text += lines;
    if (lines.empty() || lines.back() != '\n') text += '\n';
    if (open_) text += drawn();
    write(text);
  }

  void finish() {
    const std::lock_guard lock(mutex_);
    if (live_ && open_) {
      write(drawn() + "\n");
    } else if (!live_ && changed_ && (started_ || state_.step > 0)) {
      write(plain_line(state_) + "\n");
    }
    changed_ = false;
    open_ = false;
  }

  void flush() {
    const std::lock_guard lock(mutex_);
    std::fflush(out_);
  }

 private:
  void advance(std::int64_t step) {
    const double now = clock_();
    measure(step, now);
    state_.step = step;
    changed_ = true;
    if (live_) {
      if (open_ && now - last_draw_ < kSecondsBetweenDraws && !at_end()) return;
      last_draw_ = now;
      write(drawn());
      open_ = true;
    } else if (line_is_due(now)) {
      last_draw_ = now;
      write(plain_line(state_) + "\n");
      changed_ = false;
    }
  }

  bool at_end() const { return state_.total > 0 && state_.step >= state_.total; }

  void measure(std::int64_t step, double now) {
    if (!started_) {
      started_ = true;
      start_ = measured_at_ = now;
      measured_step_ = step;
      return;
    }
    state_.elapsed = now - start_;
    const double passed = now - measured_at_;
    if (passed < kSecondsBetweenDraws && !(at_end() && state_.rate == 0)) return;
    if (passed <= 0 || step < measured_step_) return;
    const double rate = static_cast<double>(step - measured_step_) / passed;
    const double weight = state_.rate == 0 ? 1 : 1 - std::exp(-passed / kRateMemory);
    state_.rate += weight * (rate - state_.rate);
    measured_at_ = now;
    measured_step_ = step;
  }

  // Each tenth, and at least every 15 seconds; after five minutes every minute.
  bool line_is_due(double now) {
    constexpr std::int64_t kParts = 10;
    const bool first = last_tenth_ < 0;
    const std::int64_t tenth = state_.total > 0 ? state_.step * kParts / state_.total : 0;
    const double patience = state_.elapsed < 300 ? 15 : 60;
    const bool due = first || tenth != last_tenth_ || now - last_draw_ >= patience;
    last_tenth_ = tenth;
    return due;
  }

  std::string drawn() {
    const int width = platform::terminal_width(fileno(out_));
    const std::string clear = width != last_width_ ? "\r\x1b[J" : "\r";
    last_width_ = width;
    return clear + live_line(state_, width - 1, colour_) + "\x1b[K\r";
  }

  // In one piece, so that nothing is seen half drawn.
  void write(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), out_);
    std::fflush(out_);
  }

  std::mutex mutex_;
  std::FILE* out_;
  bool live_;
  bool colour_;
  std::function<double()> clock_;
  ProgressState state_;
  bool told_progress_ = false;
  bool changed_ = false;  // since the last line
  bool open_ = false;     // a line that changes is on the screen
  bool started_ = false;
  double start_ = 0, last_draw_ = 0, measured_at_ = 0;
  std::int64_t measured_step_ = 0;
  std::int64_t last_tenth_ = -1;
  int last_width_ = 0;
};

Console::Console(ConsoleOptions options) : screen_(std::make_unique<Screen>(std::move(options))) {}
Console::~Console() { finish(); }

void Console::scalar(std::string_view tag, std::int64_t step, double value) { screen_->scalar(tag, step, value); }
void Console::text(std::string_view tag, std::int64_t step, std::string_view text) {
  screen_->print("step " + std::to_string(step) + "  " + std::string(tag) + ": " + std::string(text));
}
void Console::progress(std::int64_t step, std::int64_t total) { screen_->progress(step, total); }
void Console::flush() { screen_->flush(); }
void Console::note(std::string text) { screen_->note(std::move(text)); }
void Console::print(std::string_view lines) { screen_->print(lines); }
void Console::finish() { screen_->finish(); }

LogSink Console::sink() {
  return [this](LogLevel level, std::string_view message) {
    if (level < LogLevel::warning) return;
    print((level == LogLevel::warning ? "warning: " : "error: ") + std::string(message));
  };
}

}  // namespace asg::train
