#pragma once

#include <functional>
#include <string_view>

namespace asg {

enum class LogLevel { debug, info, warning, error };

using LogSink = std::function<void(LogLevel, std::string_view message)>;

// Replaces the sink that library messages go to. Null restores the default (warnings and errors to stderr).
// The library writes nothing to the console by any other way. Thread-safe.
void set_log_sink(LogSink sink);
void log(LogLevel level, std::string_view message);

}  // namespace asg
