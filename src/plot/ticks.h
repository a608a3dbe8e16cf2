#pragma once

#include <string>
#include <vector>

namespace asg::plot {

struct Tick {
  double value = 0;
  std::string label;
};

// Round numbers (1, 2 or 5 times a power of ten) from `low` to `high`, about `wanted` of them.
std::vector<Tick> linear_ticks(double low, double high, int wanted);
// Powers of ten, with 2 and 5 between them where there are few; steps of several powers where there are many. Of a
// range that holds fewer than two of these, linear ones. The ends are given by their logarithms to the base 10.
std::vector<Tick> logarithmic_ticks(double log_low, double log_high, int wanted);

// "0.25", "12k", "3e-05": short, for labels.
std::string short_number(double value);

}  // namespace asg::plot
