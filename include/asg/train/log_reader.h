#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asg/train/logger.h"

namespace asg::train {

// A line of a log: what was logged, but for the bytes of pictures.
struct LogRecord {
  std::int64_t step = 0;
  double time = 0;  // seconds since 1970
  std::string tag;
  struct Picture {
    std::int64_t height = 0, width = 0, channels = 0;
  };
  std::variant<double, std::string, Histogram, Picture> value;
};

// A log of ours by the end of its name: .csv, else JSON lines. A last line that is cut off is left out. Throws
// io_error, and bad_json with the number of the line that is no record.
std::vector<LogRecord> read_log(const std::string& path);

struct Curve {
  std::vector<std::int64_t> steps;
  std::vector<double> times;
  std::vector<double> values;
};
// The scalars by tag. Where a tag has a step twice, as after a resume without cutting, the last value counts.
std::map<std::string, Curve> curves_of(const std::vector<LogRecord>& records);

}  // namespace asg::train
