#include "plot/legend.h"

#include <algorithm>

#include "plot/font.h"
#include "plot/style.h"

namespace asg::plot {
namespace {

constexpr double kNameGap = 20;  // between names
constexpr double kNameRow = style::kLabel + 8;
constexpr double kBelowNames = 14;  // the last row

class LegendPlacing {
 public:
  LegendPlacing(double top, double width, int rows) : top_(top), right_(width - style::kMargin), rows_(rows) {}

  Legend of(const std::vector<Series>& series) {
    for (const Series& each : series) {
      if (!add(each.name)) break;
    }
    if (legend_.entries.size() < series.size()) make_room(series.size());
    legend_.height = row_ * kNameRow + style::kLabel + kBelowNames;
    return std::move(legend_);
  }

 private:
  // Whether there is a place.
  bool add(const std::string& whole) {
    const std::string name = fitted(whole, style::kLabel, right_ - style::kMargin - kLegendSwatch);
    const double width = width_of(name);
    if (x_ > style::kMargin && x_ + width > right_) {
      if (row_ + 1 == rows_) return false;
      x_ = style::kMargin;
      ++row_;
    }
    legend_.entries.push_back({{x_, base_line()}, name});
    x_ += width + kNameGap;
    return true;
  }

  // For the number of those that are left out: at the end of the last row, the names of which give way to it. One name
  // stays, shortened where it must be.
  void make_room(std::size_t all) {
    auto& entries = legend_.entries;
    for (;; entries.pop_back()) {
      const std::string text = "… and " + std::to_string(all - entries.size()) + " more";
      const double start = right_ - text_width(text, style::kLabel);
      if (entries.size() == 1 && row_ == 0 && x_ > start) {
        Legend::Entry& only = entries.front();
        only.name = fitted(only.name, style::kLabel, start - kNameGap - kLegendSwatch - style::kMargin);
        x_ = only.at.x + width_of(only.name) + kNameGap;
      }
      legend_.more = {{x_, base_line()}, text};
      if (x_ <= start || x_ == style::kMargin) return;
      x_ = entries.back().at.x;
    }
  }

  static double width_of(const std::string& name) { return kLegendSwatch + text_width(name, style::kLabel); }
  double base_line() const { return top_ + style::kLabel + row_ * kNameRow; }

  double top_, right_;
  int rows_, row_ = 0;
  double x_ = style::kMargin;
  Legend legend_;
};

}  // namespace

Legend legend_of(const std::vector<Series>& series, double top, double width, double room) {
  if (series.size() == 1 && series[0].name.empty()) return {};
  const int rows = std::max(1, static_cast<int>((room - style::kLabel - kBelowNames) / kNameRow) + 1);
  return LegendPlacing(top, width, rows).of(series);
}

}  // namespace asg::plot
