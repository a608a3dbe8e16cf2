#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asg::train {

// What is to be said about the work, and how it becomes a line.
struct ProgressState {
  std::int64_t step = 0;
  std::int64_t total = 0;  // 0: unknown
  double rate = 0;         // steps a second; 0: unknown
  double elapsed = 0;      // seconds
  std::string unit = "steps";
  std::vector<std::pair<std::string, double>> scalars;  // in the order in which they first came
  std::string note;
};

std::string plain_line(const ProgressState& state);
// At most `columns` wide, not counting colours.
std::string live_line(const ProgressState& state, int columns, bool colour);

std::string clock_text(double seconds);  // "0:07", "1:02:03", "3d 04h"
std::string value_text(double value);    // "0.1234", "3.0e-05"
std::size_t columns_of(std::string_view text);

}  // namespace asg::train
