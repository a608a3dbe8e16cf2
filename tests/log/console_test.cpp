// What a person sees, on a terminal that is made here: a pty, and a small screen that understands what is written to
// it.
#include "asg/train/console.h"

#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "log/folder.h"
#include "train/log/progress_line.h"

namespace asg::train {
namespace {

// Lines of characters, a cursor, and the few codes that the console may use; others are an error.
class Screen {
 public:
  explicit Screen(std::size_t width) : width_(width) {}

  void show(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      if (bytes[at] == '\x1b') {
        at = escape(bytes, at);
      } else if (bytes[at] == '\r') {
        column_ = 0;
        ++at;
      } else if (bytes[at] == '\n') {
        ++row_;
        ++at;
      } else {
        std::size_t end = at + 1;
        while (end < bytes.size() && (bytes[end] & 0xC0) == 0x80) ++end;
        put(bytes.substr(at, end - at));
        at = end;
      }
    }
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> result;
    for (const auto& cells : rows_) {
      std::string line;
      for (const std::string& cell : cells) line += cell;
      line.erase(line.find_last_not_of(' ') + 1);
      result.push_back(line);
    }
    return result;
  }
  bool wrapped() const { return wrapped_; }
  bool coloured() const { return coloured_; }

 private:
  std::vector<std::string>& row() {
    if (rows_.size() <= row_) rows_.resize(row_ + 1);
    return rows_[row_];
  }
  void put(const std::string& character) {
    if (column_ == width_) wrapped_ = true;
    if (row().size() <= column_) row().resize(column_ + 1, " ");
    row()[column_++] = character;
  }
  std::size_t escape(const std::string& bytes, std::size_t at) {
    const std::size_t end = bytes.find_first_of("mKJ", at);
    EXPECT_EQ(bytes[at + 1], '[');
    if (end == std::string::npos) return bytes.size();
    if (bytes[end] == 'm') {
      coloured_ = true;
    } else {
      row().resize(std::min(row().size(), column_));
      if (bytes[end] == 'J') rows_.resize(row_ + 1);
    }
    return end + 1;
  }

  std::size_t width_;
  std::vector<std::vector<std::string>> rows_;
  std::size_t row_ = 0, column_ = 0;
  bool wrapped_ = false, coloured_ = false;
};

class Terminal {
 public:
  explicit Terminal(unsigned short columns) {
    struct winsize size = {24, columns, 0, 0};
    EXPECT_EQ(openpty(&outside_, &inside_, nullptr, nullptr, &size), 0);
    fcntl(outside_, F_SETFL, O_NONBLOCK);
    file_ = fdopen(inside_, "w");
  }
  ~Terminal() {
    if (file_ != nullptr) fclose(file_);
    close(outside_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void resize(unsigned short columns) const {
    const struct winsize size = {24, columns, 0, 0};
    EXPECT_EQ(ioctl(outside_, TIOCSWINSZ, &size), 0);
  }
  std::FILE* file() const { return file_; }
  std::string read() const {
    std::string bytes;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(outside_, buffer, sizeof(buffer))) > 0;) {
      bytes.append(buffer, static_cast<std::size_t>(count));
    }
    return bytes;
  }

 private:
  int outside_ = -1, inside_ = -1;
  std::FILE* file_ = nullptr;
};

// A clock that the test turns.
struct Clock {
  std::shared_ptr<double> now = std::make_shared<double>(0);
  std::function<double()> reader() const {
    return [now = now] { return *now; };
  }
};

class ConsoleTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
  }
  void TearDown() override { unsetenv("NO_COLOR"); }
};

TEST_F(ConsoleTest, ABarOnATerminal) {
  const Terminal terminal(100);
  const Clock clock;
  Screen screen(100);
  {
    Console console({.out = terminal.file(), .clock = clock.reader()});
    for (int step = 1; step <= 50; ++step) {
      console.scalar("train/loss", step, 1.0 / step);
      console.scalar("lr", step, 3e-4);
      console.progress(step, 100);
      *clock.now += 0.5;
    }
    screen.show(terminal.read());
    ASSERT_EQ(screen.lines().size(), 1u) << "one line that changes";
    EXPECT_EQ(screen.lines()[0],
              " 50% ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━  50/100  2.0 steps/s  ETA 0:25  loss 0.0200  lr 3.0e-04");
    EXPECT_TRUE(screen.coloured());
    console.text("edit", 50, "wider");
    console.print("two\nlines\n");
    screen.show(terminal.read());
    ASSERT_EQ(screen.lines().size(), 4u) << "lines in between stand above the bar";
    EXPECT_EQ(screen.lines()[0], "step 50  edit: wider");
    EXPECT_EQ(screen.lines()[2], "lines");
    EXPECT_NE(screen.lines()[3].find("50/100"), std::string::npos);
    console.progress(100, 100);
  }
  screen.show(terminal.read() + "$");
  const std::vector<std::string> lines = screen.lines();
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_NE(lines[3].find("100%"), std::string::npos) << lines[3];
  EXPECT_NE(lines[3].find("in 0:25"), std::string::npos) << lines[3];
  EXPECT_EQ(lines[4], "$") << "it ends clean";
  EXPECT_FALSE(screen.wrapped());
}

TEST_F(ConsoleTest, HonoursNoColorAndDumbTerminals) {
  const Clock clock;
  const auto shown = [&] {
    const Terminal terminal(80);
    {
      Console console({.out = terminal.file(), .clock = clock.reader()});
      console.progress(5, 10);
    }
    return terminal.read();
  };
  EXPECT_NE(shown().find("\x1b[36m"), std::string::npos);
  setenv("NO_COLOR", "1", 1);
  Screen screen(80);
  screen.show(shown());
  EXPECT_FALSE(screen.coloured());
  EXPECT_EQ(screen.lines()[0], " 50% ━━━━━━━━━━━━━━━───────────────  5/10");
  setenv("NO_COLOR", "", 1);
  EXPECT_NE(shown().find("\x1b[36m"), std::string::npos) << "empty is as not set";
  setenv("TERM", "dumb", 1);
  EXPECT_EQ(shown(), "  50%  5/10\r\n");
}

TEST_F(ConsoleTest, FitsEveryWidthAndFollowsAResize) {
  ProgressState state{.step = 5, .total = 10, .rate = 2, .elapsed = 3};
  state.scalars = {{"train/loss", 0.5}, {"lr", 1e-3}, {"accuracy", 0.9}};
  for (int width = 1; width < 120; ++width) {
    EXPECT_LE(columns_of(live_line(state, width, false)), static_cast<std::size_t>(width)) << width;
  }
  EXPECT_EQ(live_line(state, 30, false), " 50% ━━━━━━──────  loss 0.5000");
  const Terminal terminal(90);
  const Clock clock;
  Console console({.out = terminal.file(), .colour = false, .clock = clock.reader()});
  console.scalar("loss", 1, 0.5);
  console.progress(5, 10);
  terminal.read();
  terminal.resize(40);
  *clock.now += 1;
  console.progress(6, 10);
  const std::string redrawn = terminal.read();
  EXPECT_TRUE(redrawn.starts_with("\r\x1b[J")) << "what wrapped is cleared";
  Screen narrow(40);
  narrow.show(redrawn);
  EXPECT_FALSE(narrow.wrapped());
  EXPECT_NE(narrow.lines()[0].find("60%"), std::string::npos);
}

TEST_F(ConsoleTest, DrawsSeldomEnough) {
  const Terminal terminal(80);
  const Clock clock;
  Console console({.out = terminal.file(), .clock = clock.reader()});
  for (int step = 1; step <= 10'000; ++step) {
    console.progress(step, 20'000);
    *clock.now += 1e-4;
  }
  const std::string bytes = terminal.read();
  EXPECT_LE(std::count(bytes.begin(), bytes.end(), '%'), 12) << "ten times a second";
}

std::vector<std::string> plain_lines(const std::function<void(Console&, const Clock&)>& work) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const file = open_memstream(&text, &size);
  const Clock clock;
  {
    Console console({.out = file, .live = false, .colour = false, .clock = clock.reader()});
    work(console, clock);
  }
  fclose(file);
  std::vector<std::string> lines;
  std::string all(text, size);
  free(text);
  for (std::size_t first = 0, end = 0; (end = all.find('\n', first)) != std::string::npos; first = end + 1) {
    lines.push_back(all.substr(first, end - first));
  }
  return lines;
}

TEST_F(ConsoleTest, PlainLinesElsewhere) {
  const auto tenths = plain_lines([](Console& console, const Clock& clock) {
    for (int step = 1; step <= 1000; ++step) {
      console.scalar("train/loss", step, 2);
      console.progress(step, 1000);
      *clock.now += 0.01;
    }
  });
  ASSERT_EQ(tenths.size(), 11u);
  EXPECT_EQ(tenths[0], "   0%  1/1000  loss 2.0000");
  EXPECT_EQ(tenths[5], "  50%  500/1000  100 steps/s  ETA 0:05  loss 2.0000");
  EXPECT_EQ(tenths[10], " 100%  1000/1000  100 steps/s  in 0:10  loss 2.0000");

  const auto slow = plain_lines([](Console& console, const Clock& clock) {
    for (int step = 1; step <= 600; ++step) {
      console.progress(step, 1'000'000);
      *clock.now += 2;
    }
  });
  EXPECT_GT(slow.size(), 30u);
  EXPECT_LT(slow.size(), 40u) << "every 15 seconds, then every minute";
  EXPECT_NE(slow.back().find("2.00 s/step"), std::string::npos) << slow.back();
  EXPECT_NE(slow.back().find("ETA 23d"), std::string::npos) << slow.back();

  const auto without_total = plain_lines([](Console& console, const Clock&) {
    for (int step = 1; step <= 3; ++step) {
      console.scalar("loss", step, step);
      console.scalar("accuracy", step, 0.5);
    }
  });
  ASSERT_EQ(without_total.size(), 2u) << "the first step and the last";
  EXPECT_NE(without_total[0].find("step 1"), std::string::npos) << without_total[0];
  EXPECT_NE(without_total[0].find("loss 1.0000  accuracy 0.5000"), std::string::npos) << without_total[0];
  EXPECT_NE(without_total[1].find("loss 3.0000"), std::string::npos) << without_total[1];
}

TEST_F(ConsoleTest, LinesOfSeveralThreadsDoNotMix) {
  const auto lines = plain_lines([](Console& console, const Clock&) {
    set_log_sink(console.sink());
    std::vector<std::thread> threads;
    for (int each = 0; each < 4; ++each) {
      threads.emplace_back([each] {
        for (int k = 0; k < 100; ++k) log(LogLevel::warning, std::string(40, static_cast<char>('a' + each)));
      });
    }
    for (int step = 1; step <= 100; ++step) console.progress(step, 100);
    for (std::thread& thread : threads) thread.join();
    set_log_sink(nullptr);
  });
  int warnings = 0;
  for (const std::string& line : lines) {
    if (!line.starts_with("warning: ")) continue;
    ++warnings;
    EXPECT_EQ(line.size(), 49u);
    EXPECT_EQ(line.find_first_not_of(line[9], 9), std::string::npos) << line;
  }
  EXPECT_EQ(warnings, 400);
}

TEST(ProgressLine, TellsTimesAndValuesShortly) {
  EXPECT_EQ(clock_text(7.4), "0:07");
  EXPECT_EQ(clock_text(3723), "1:02:03");
  EXPECT_EQ(clock_text(3600 * 76), "3d 04h");
  EXPECT_EQ(clock_text(-5), "0:00");
  EXPECT_EQ(value_text(0.12345), "0.1235");
  EXPECT_EQ(value_text(3e-5), "3.0e-05");
  EXPECT_EQ(value_text(12345.678), "12345.7");
  EXPECT_EQ(value_text(0), "0.0000");
}

}  // namespace
}  // namespace asg::train
