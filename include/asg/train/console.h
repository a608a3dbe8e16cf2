#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "asg/core/log.h"
#include "asg/train/logger.h"

namespace asg::train {

// Whether text to this file may be coloured: it is a terminal that can, and NO_COLOR is not set.
bool wants_colour(std::FILE* out);

struct ConsoleOptions {
  std::FILE* out = stdout;
  std::optional<bool> live;    // one line that changes; where not set: whether `out` is a terminal that can
  std::optional<bool> colour;  // where not set: wants_colour(out)
  std::string unit = "steps";
  std::function<double()> clock;  // seconds from anywhere, never back; the system's where it is not set
};

// A logger for people: on a terminal one line that changes, with a bar, rate, time left and the last value of every
// scalar; elsewhere plain lines, for each tenth of the work and every so often. What does not fit the width of the
// terminal is left out, the least telling first.
//
// Texts become lines of their own. Calls from several threads do not mix.
class Console : public Logger {
 public:
  explicit Console(ConsoleOptions options = {});
  ~Console() override;  // as `finish`
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void scalar(std::string_view tag, std::int64_t step, double value) override;
  void text(std::string_view tag, std::int64_t step, std::string_view text) override;
  void histogram(std::string_view /*tag*/, std::int64_t /*step*/, const Array& /*values*/) override {}
  void image(std::string_view /*tag*/, std::int64_t /*step*/, const Array& /*pixels*/) override {}
  void progress(std::int64_t step, std::int64_t total) override;
  void flush() override;

  void note(std::string text);         // shown after the scalars
  void print(std::string_view lines);  // above the line that changes
  // Shows the last state and ends the line, so that others can write. The next `progress` begins another.
  void finish();
  // For set_log_sink: warnings and errors as lines above the bar. It must not outlive the console.
  LogSink sink();

 private:
  class Screen;
  std::unique_ptr<Screen> screen_;
};

}  // namespace asg::train
