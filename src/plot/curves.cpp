// Layout of curves: ranges, axes, legend, then the lines.
#include <algorithm>
#include <cmath>
#include <limits>

#include "asg/core/error.h"
#include "asg/metrics/running.h"
#include "plot/draw.h"
#include "plot/font.h"
#include "plot/legend.h"
#include "plot/style.h"
#include "plot/thin.h"
#include "plot/ticks.h"

namespace asg::plot {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double least = 1e-290;  // width; of logarithms it is a share of the values

  bool empty() const { return low > high; }
  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Of values that f64 tells apart well enough to place them; else they count as one.
  bool is_narrow() const { return high - low <= 1e-12 * std::max(std::abs(low), std::abs(high)) || high - low < least; }
  // A little room around, and never of no width.
  void widen() {
    const double room = is_narrow() ? std::max(std::abs(low) * 0.1, 0.5) : (high - low) * 0.05;
    low -= room;
    high += room;
  }
  // A range that nearly touches 0 begins there.
  bool touches_zero() const { return !is_narrow() && low >= 0 && low <= (high - low) * 0.15; }
};

// Series of so few points are drawn with dots, and not smoothed: their points are means already.
constexpr std::size_t kFew = 25;

class CurvesDrawing {
 public:
  CurvesDrawing(const Curves& curves, Canvas& canvas) : curves_(curves), canvas_(canvas) {
    logarithmic_ = curves.y_scale == Scale::logarithmic;
    find_ranges();
    place();
  }

  void draw() {
    canvas_.rectangle({0, 0}, curves_.width, curves_.height, style::kPaper);
    draw_title_and_legend();
    draw_axes();
    draw_marks();
    for (std::size_t k = 0; k < curves_.series.size(); ++k) draw_series(k);
  }

 private:
  // So that the distance of two values is a number, and one with all its digits where they are near each other.
  static constexpr double kMost = 1e300, kLeast = 1e-280;

  bool drawable(double x, double y) const {
    return std::abs(x) <= kMost && std::abs(y) <= kMost && (!logarithmic_ || y >= kLeast);
  }
  double scaled(double y) const { return logarithmic_ ? std::log10(y) : y; }

  void find_ranges() {
    if (logarithmic_) y_.least = 1e-12;
    for (const Series& series : curves_.series) {
      for (std::size_t k = 0; k < series.x.size(); ++k) {
        if (!drawable(series.x[k], series.y[k])) continue;
        x_.take(series.x[k]);
        y_.take(scaled(series.y[k]));
      }
    }
    if (x_.empty()) {
      fail(ErrorCode::missing_value,
           curves_.series.empty() ? "a plot without series" : "a plot without a value that can be drawn",
           logarithmic_ ? "a finite value of at least 1e-280" : "a finite value",
           logarithmic_ ? "use a linear scale for values of 0 and below" : "check what was logged");
    }
    for (const Mark& mark : curves_.marks) {
      if (std::abs(mark.x) <= kMost) x_.take(mark.x);
    }
    if (x_.is_narrow()) x_.widen();
    const bool from_zero = !logarithmic_ && y_.touches_zero();
    y_.widen();
    if (from_zero) y_.low = 0;
    if (logarithmic_) y_ = {.low = std::max(y_.low, std::log10(kLeast)), .high = std::min(y_.high, std::log10(kMost))};
  }

  void place() {
    const double height = curves_.height;
    const double text_below = style::kTick + 8 + (curves_.x_label.empty() ? 0 : style::kLabel + 10);
    bottom_ = height - style::kMargin - text_below;
    top_ = style::kMargin + (curves_.title.empty() ? 0 : style::kTitle + 10);
    // However many names there are, the curves have the larger part of the picture.
    constexpr double kShareOfLegend = 0.4, kLeastHeight = 60;
    legend_ = legend_of(curves_.series, top_, curves_.width,
                        std::min(height * kShareOfLegend, bottom_ - top_ - kLeastHeight));
    top_ += legend_.height > 0 ? legend_.height : 4;
    const int rows = std::max(static_cast<int>((bottom_ - top_) / 48), bottom_ - top_ < kLeastHeight ? 2 : 3);
    y_ticks_ = logarithmic_ ? logarithmic_ticks(y_.low, y_.high, rows) : linear_ticks(y_.low, y_.high, rows);
    left_ = style::kMargin + widest_of(y_ticks_) + 8 + (curves_.y_label.empty() ? 0 : style::kLabel + 8);
    right_ = curves_.width - style::kMargin - 10;
    place_x_ticks();
  }

  static double widest_of(const std::vector<Tick>& ticks) {
    double widest = 0;
    for (const Tick& tick : ticks) widest = std::max(widest, text_width(tick.label, style::kTick));
    return widest;
  }

  // Fewer of them where labels are long, so that they neither touch nor run out of the picture.
  void place_x_ticks() {
    constexpr double kGap = 12, kEdge = 4;
    const double left = left_, right = right_;
    for (int wanted = std::max(2, static_cast<int>((right - left) / 90)); wanted > 0; --wanted) {
      x_ticks_ = linear_ticks(x_.low, x_.high, wanted);
      const double widest = widest_of(x_ticks_);
      left_ = std::max(left, widest / 2 + kEdge);
      right_ = std::min(right, curves_.width - widest / 2 - kEdge);
      if (x_ticks_.size() < 2 || at_x(x_ticks_[1].value) - at_x(x_ticks_[0].value) >= widest + kGap) return;
    }
    x_ticks_.resize(1);
  }

  void draw_title_and_legend() {
    if (!curves_.title.empty()) {
      canvas_.text({style::kMargin, style::kMargin + style::kTitle * 0.8},
                   fitted(curves_.title, style::kTitle, curves_.width - 2 * style::kMargin),
                   {.size = style::kTitle, .colour = style::kInk});
    }
    for (std::size_t k = 0; k < legend_.entries.size(); ++k) {
      const auto& [at, name] = legend_.entries[k];
      const Point swatch[] = {{at.x + 1, at.y - 4}, {at.x + 19, at.y - 4}};
      canvas_.line(swatch, stroke_of(k, 2.5));
      canvas_.text({at.x + kLegendSwatch, at.y}, name, {.size = style::kLabel, .colour = style::kInk});
    }
    if (!legend_.more.name.empty()) {
      canvas_.text(legend_.more.at, legend_.more.name, {.size = style::kLabel, .colour = style::kSoft});
    }
  }

  double at_x(double x) const { return left_ + (x - x_.low) / (x_.high - x_.low) * (right_ - left_); }
  double at_y(double y) const { return bottom_ - (scaled(y) - y_.low) / (y_.high - y_.low) * (bottom_ - top_); }

  void draw_line(Point from, Point to, Colour colour, double width, std::vector<double> dash = {}) {
    const Point ends[] = {from, to};
    canvas_.line(ends, {colour, width, std::move(dash)});
  }

  void draw_axes() {
    for (const Tick& tick : y_ticks_) {
      const double y = at_y(tick.value);
      draw_line({left_, y}, {right_, y}, style::kGrid, 1);
      canvas_.text({left_ - 8, y + style::kTick * 0.36}, tick.label,
                   {.size = style::kTick, .colour = style::kSoft, .anchor = Anchor::end});
    }
    draw_line({left_, bottom_}, {right_, bottom_}, style::kAxis, 1);
    for (const Tick& tick : x_ticks_) {
      const double x = at_x(tick.value);
      draw_line({x, bottom_}, {x, bottom_ + 4}, style::kAxis, 1);
      canvas_.text({x, bottom_ + 8 + style::kTick * 0.8}, tick.label,
                   {.size = style::kTick, .colour = style::kSoft, .anchor = Anchor::middle});
    }
    const double room = right_ - left_;
    if (!curves_.x_label.empty()) {
      canvas_.text({(left_ + right_) / 2, curves_.height - style::kMargin + 1},
                   fitted(curves_.x_label, style::kLabel, room),
                   {.size = style::kLabel, .colour = style::kSoft, .anchor = Anchor::middle});
    }
    if (!curves_.y_label.empty()) {
      canvas_.text({style::kMargin + style::kLabel * 0.7, (top_ + bottom_) / 2},
                   fitted(curves_.y_label, style::kLabel, bottom_ - top_),
                   {.size = style::kLabel, .colour = style::kSoft, .anchor = Anchor::middle, .upright = true});
    }
  }

  // Labels stand along their lines, so that they never cover each other unless the lines do.
  void draw_marks() {
    constexpr double kSize = 10.5;
    for (const Mark& mark : curves_.marks) {
      if (!(std::abs(mark.x) <= kMost)) continue;
      const double x = at_x(mark.x);
      draw_line({x, top_}, {x, bottom_}, style::kMark, 1, {4, 4});
      const std::string label = fitted(mark.label, kSize, bottom_ - top_ - 12);
      if (label.empty()) continue;
      const bool to_the_left = x + kSize + 6 > right_;
      const double base = to_the_left ? x - 5 : x + kSize + 3;
      const double length = text_width(label, kSize);
      canvas_.rectangle({base - kSize + 0.5, top_ + 3}, kSize + 2, length + 6, {255, 255, 255, 0.85});
      canvas_.text({base, top_ + 6}, label,
                   {.size = kSize, .colour = style::kMark, .anchor = Anchor::end, .upright = true});
    }
  }

  // After the last colour they begin again, dashed.
  static Stroke stroke_of(std::size_t series, double width) {
    const std::size_t round = series / style::kSeries.size();
    const double dash = round == 0 ? 0 : 9.0 / static_cast<double>(round);
    Stroke stroke{style::kSeries[series % style::kSeries.size()], width, {}};
    if (round > 0) stroke.dash = {dash, 4};
    return stroke;
  }

  void draw_series(std::size_t index) {
    const Series& series = curves_.series[index];
    Stroke stroke = stroke_of(index, 1.8);
    if (curves_.smoothing > 0 && series.x.size() > kFew) {
      Stroke pale = stroke;
      pale.colour.opacity = 0.28;
      pale.width = 1.2;
      draw_pieces(series.x, series.y, pale, false);
      metrics::MovingAverage average(curves_.smoothing);
      std::vector<double> smooth = series.y;
      for (std::size_t k = 0; k < smooth.size(); ++k) {
        if (!drawable(series.x[k], smooth[k])) continue;
        average.add(smooth[k]);
        smooth[k] = average.value();
      }
      stroke.width = 2.2;
      draw_pieces(series.x, smooth, stroke, true);
    } else {
      draw_pieces(series.x, series.y, stroke, true);
    }
  }

  // The line from gap to gap. Few points are shown as dots too, and one alone has no line.
  void draw_pieces(const std::vector<double>& x, const std::vector<double>& y, const Stroke& stroke, bool dots) {
    std::vector<Point> piece;
    const auto finish = [&] {
      if (piece.size() > 1) canvas_.line(thinned(piece), stroke);
      if (dots && (piece.size() == 1 || x.size() <= kFew)) {
        for (const Point& point : piece) canvas_.dot(point, stroke.width * 1.5, stroke.colour);
      }
      piece.clear();
    };
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (drawable(x[k], y[k])) {
        piece.push_back({at_x(x[k]), at_y(y[k])});
      } else {
        finish();
      }
    }
    finish();
  }

  const Curves& curves_;
  Canvas& canvas_;
  bool logarithmic_ = false;
  Range x_, y_;
  std::vector<Tick> x_ticks_, y_ticks_;
  Legend legend_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
};

}  // namespace

void check(const Curves& curves) {
  constexpr int kLeastWidth = 240, kLeastHeight = 160, kMost = 4000;
  if (curves.width < kLeastWidth || curves.height < kLeastHeight || curves.width > kMost || curves.height > kMost) {
    fail(ErrorCode::bad_attribute, "a plot of " + std::to_string(curves.width) + " × " + std::to_string(curves.height),
         "a width of 240 to 4000 and a height of 160 to 4000");
  }
  if (!(curves.smoothing >= 0 && curves.smoothing < 1)) {
    fail(ErrorCode::bad_attribute, "smoothing by " + short_number(curves.smoothing), "from 0, none, to below 1",
         "0.9 is usual");
  }
  for (const Series& series : curves.series) {
    if (series.x.size() == series.y.size()) continue;
    fail(ErrorCode::bad_shape,
         std::to_string(series.x.size()) + " x and " + std::to_string(series.y.size()) + " y in the series '" +
             series.name + "'",
         "as many of both");
  }
}

void draw(const Curves& curves, Canvas& canvas) { CurvesDrawing(curves, canvas).draw(); }

}  // namespace asg::plot
