#include "plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace asg::plot {
namespace {

std::string printed(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string with_decimals(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

// A minus sign, not a hyphen.
std::string typeset(std::string text) {
  if (!text.empty() && text.front() == '-') text.replace(0, 1, "−");
  return text;
}

// Of the round steps the one that gives nearest to as many ticks as wanted; of two equally near ones the smaller.
double nice_step(double low, double high, int wanted) {
  const double power = std::pow(10, std::floor(std::log10((high - low) / std::max(wanted, 1))));
  double best = power;
  double nearest = std::numeric_limits<double>::infinity();
  for (const double lead : {1, 2, 5, 10}) {
    const double step = lead * power;
    const double count = std::floor(high / step + 1e-6) - std::ceil(low / step - 1e-6) + 1;
    if (std::abs(count - wanted) >= nearest) continue;
    nearest = std::abs(count - wanted);
    best = step;
  }
  return best;
}

// How many digits behind the point tell multiples of a step apart.
int decimals_of(double step) { return std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9))); }

// All labels of an axis in one form, which the step between them and the largest value decide. They have as many digits
// as neighbours need to differ.
std::string label_of(double value, double step, double largest) {
  if (value == 0) return "0";
  if (largest >= 1e15 || (step < 1e-5 && largest < 1e-4)) {
    const double digits = std::floor(std::log10(largest)) - std::floor(std::log10(step) + 1e-9) + 1;
    char text[64];
    std::snprintf(text, sizeof(text), "%.*g", std::clamp(static_cast<int>(digits), 1, 17), value);
    return typeset(text);
  }
  if (largest >= 1e4 && step >= 100) {
    // A large unit that would need many decimals gives way to a smaller one.
    constexpr int kMostDecimals = 4;
    for (const auto& [unit, letter] : {std::pair{1e9, "G"}, std::pair{1e6, "M"}, std::pair{1e3, "k"}}) {
      if (largest < unit || decimals_of(step / unit) > kMostDecimals) continue;
      return typeset(with_decimals(value / unit, decimals_of(step / unit)) + letter);
    }
  }
  return typeset(with_decimals(value, decimals_of(step)));
}

// 0.001 to 5000 as they are, else as powers of ten.
std::string power_label(int lead, int exponent) {
  if (exponent >= -3 && exponent <= 3) return with_decimals(lead * std::pow(10, exponent), std::max(0, -exponent));
  const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string label = lead == 1 ? "10" : std::to_string(lead) + "·10";
  if (exponent < 0) label += "⁻";
  for (const char digit : std::to_string(std::abs(exponent))) label += digits[digit - '0'];
  return label;
}

}  // namespace

std::vector<Tick> linear_ticks(double low, double high, int wanted) {
  const double step = nice_step(low, high, wanted);
  const double largest = std::max(std::abs(low), std::abs(high));
  std::vector<Tick> ticks;
  const double slack = step * 1e-6;
  for (double index = std::ceil((low - slack) / step); index * step <= high + slack; ++index) {
    const double value = index == 0 ? 0 : index * step;
    ticks.push_back({value, label_of(value, step, largest)});
  }
  return ticks;
}

std::vector<Tick> logarithmic_ticks(double log_low, double log_high, int wanted) {
  constexpr double kSlack = 1e-9;
  const int first = static_cast<int>(std::floor(log_low));
  const int last = static_cast<int>(std::floor(log_high + kSlack));
  const int powers = last - first;  // that lie inside
  const int stride = std::max(1, (powers + wanted - 1) / std::max(wanted, 1));
  std::vector<int> leads = {1};
  if (powers <= 2) leads = {1, 2, 5};
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; ++exponent) {
    if ((exponent % stride + stride) % stride != 0) continue;
    for (const int lead : leads) {
      const double at = exponent + std::log10(lead);
      if (at < log_low - kSlack || at > log_high + kSlack) continue;
      ticks.push_back({lead * std::pow(10, exponent), power_label(lead, exponent)});
    }
  }
  return ticks.size() >= 2 ? ticks : linear_ticks(std::pow(10, log_low), std::pow(10, log_high), wanted);
}

std::string short_number(double value) {
  if (value != 0 && std::abs(value) >= 1e5) {
    for (const auto& [unit, letter] : {std::pair{1e9, "G"}, std::pair{1e6, "M"}, std::pair{1e3, "k"}}) {
      if (std::abs(value) >= unit) return typeset(printed("%.3g", value / unit) + letter);
    }
  }
  return typeset(printed("%.5g", value));
}

}  // namespace asg::plot
