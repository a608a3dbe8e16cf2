#include "asg/core/log.h"

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace asg {
namespace {

void write_to_stderr(LogLevel level, std::string_view message) {
  if (level < LogLevel::warning) return;
  std::string line = level == LogLevel::warning ? "asg: warning: " : "asg: error: ";
  line += message;
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);  // in one piece, so that threads do not mix their lines
}

struct State {
  std::mutex mutex;
  std::shared_ptr<const LogSink> sink;  // null: the default
};

// Never destroyed, so that messages from destructors of other static objects still find it.
State& state() {
  static State& instance = *new State;
  return instance;
}

}  // namespace

void set_log_sink(LogSink sink) {
  std::shared_ptr<const LogSink> next = sink ? std::make_shared<const LogSink>(std::move(sink)) : nullptr;
  const std::lock_guard lock(state().mutex);
  state().sink.swap(next);
}

void log(LogLevel level, std::string_view message) {
  std::shared_ptr<const LogSink> sink;
  {
    const std::lock_guard lock(state().mutex);
    sink = state().sink;
  }
  // Called without the lock: a sink may itself log or replace the sink.
  if (sink) {
    (*sink)(level, message);
  } else {
    write_to_stderr(level, message);
  }
}

}  // namespace asg
