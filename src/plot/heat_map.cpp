// Layout of heat maps, confusion matrices above all.
#include <algorithm>
#include <cmath>

#include "asg/core/error.h"
#include "plot/draw.h"
#include "plot/font.h"
#include "plot/style.h"
#include "plot/ticks.h"

namespace asg::plot {
namespace {

constexpr std::size_t kMostCells = 512;  // a side
constexpr double kLongestName = 120;

// White over a light to a dark blue; the dark end stays readable under white letters. Small shares are drawn out, since
// a few mistakes are what people look for.
Colour shade_of(double share) {
  constexpr Colour kStops[] = {{255, 255, 255}, {198, 219, 239}, {87, 160, 206}, {8, 69, 148}};
  const double at = std::pow(std::clamp(std::isnan(share) ? 0 : share, 0.0, 1.0), 0.6) * 3;
  const int stop = std::min(static_cast<int>(at), 2);
  const auto mixed = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * (at - stop)));
  };
  const Colour from = kStops[stop], to = kStops[stop + 1];
  return {mixed(from.red, to.red), mixed(from.green, to.green), mixed(from.blue, to.blue)};
}

double widest_of(const std::vector<std::string>& names) {
  double widest = 0;
  for (const std::string& name : names) widest = std::max(widest, text_width(name, style::kTick));
  return std::min(widest, kLongestName);
}

class Layout {
 public:
  explicit Layout(const HeatMap& map) : map_(map) {
    const auto side = static_cast<double>(std::max(map.columns.size(), map.rows.size()));
    double widest_value = 0;
    for (const double value : map.values)
      widest_value = std::max(widest_value, text_width(short_number(value), style::kTick));
    cell_ = std::clamp(560 / side, 2.0, 46.0);
    if (side <= 12) cell_ = std::max(cell_, widest_value + 10);
    shows_values_ = widest_value + 4 <= cell_ && cell_ >= 18;
    upright_ = widest_of(map.columns) > cell_ - 4;
    left_ = style::kMargin + (map.y_label.empty() ? 0 : style::kLabel + 10) + widest_of(map.rows) + 8;
    top_ = style::kMargin + (map.title.empty() ? 0 : style::kTitle + 14);
    bottom_ = top_ + cell_ * static_cast<double>(map.rows.size());
    right_ = left_ + cell_ * static_cast<double>(map.columns.size());
  }

  Size size() const {
    const double names = upright_ ? widest_of(map_.columns) : style::kTick;
    const double below = names + 10 + (map_.x_label.empty() ? 0 : style::kLabel + 10);
    const double title = text_width(map_.title, style::kTitle) + 2 * style::kMargin;
    return {std::ceil(std::max(right_ + 64, title)), std::ceil(bottom_ + below + style::kMargin)};
  }

  void draw(Canvas& canvas) const {
    const Size whole = size();
    canvas.rectangle({0, 0}, whole.width, whole.height, style::kPaper);
    canvas.text({style::kMargin, style::kMargin + style::kTitle * 0.8}, map_.title,
                {.size = style::kTitle, .colour = style::kInk});
    for (std::size_t row = 0; row < map_.rows.size(); ++row) {
      for (std::size_t column = 0; column < map_.columns.size(); ++column) draw_cell(canvas, row, column);
    }
    draw_frame(canvas);
    draw_names(canvas, whole);
    draw_scale(canvas);
  }

 private:
  void draw_cell(Canvas& canvas, std::size_t row, std::size_t column) const {
    const std::size_t at = row * map_.columns.size() + column;
    const Point corner = {left_ + cell_ * static_cast<double>(column), top_ + cell_ * static_cast<double>(row)};
    const double shade = map_.shades[at];
    canvas.rectangle(corner, cell_, cell_, shade_of(shade));
    if (!shows_values_) return;
    const bool dark = shade > 0.4;
    const Colour ink = dark ? style::kPaper : map_.values[at] == 0 ? Colour{190, 190, 190} : style::kInk;
    canvas.text({corner.x + cell_ / 2, corner.y + cell_ / 2 + style::kTick * 0.36}, short_number(map_.values[at]),
                {.size = style::kTick, .colour = ink, .anchor = Anchor::middle});
  }

  void draw_frame(Canvas& canvas) const {
    const Point frame[] = {{left_, top_}, {right_, top_}, {right_, bottom_}, {left_, bottom_}, {left_, top_}};
    canvas.line(frame, {style::kAxis, 1, {}});
  }

  // Of many names only every n-th, so that they do not touch.
  std::size_t stride(double room) const { return static_cast<std::size_t>(std::max(1.0, std::ceil(room / cell_))); }

  void draw_names(Canvas& canvas, Size whole) const {
    const std::size_t rows = stride(style::kTick + 2);
    for (std::size_t k = 0; k < map_.rows.size(); k += rows) {
      const double y = top_ + cell_ * (static_cast<double>(k) + 0.5);
      canvas.text({left_ - 8, y + style::kTick * 0.36}, fitted(map_.rows[k], style::kTick, kLongestName),
                  {.size = style::kTick, .colour = style::kSoft, .anchor = Anchor::end});
    }
    const std::size_t columns = upright_ ? stride(style::kTick + 2) : 1;
    for (std::size_t k = 0; k < map_.columns.size(); k += columns) {
      const double x = left_ + cell_ * (static_cast<double>(k) + 0.5);
      const std::string name = fitted(map_.columns[k], style::kTick, kLongestName);
      if (upright_) {
        canvas.text({x + style::kTick * 0.36, bottom_ + 7}, name,
                    {.size = style::kTick, .colour = style::kSoft, .anchor = Anchor::end, .upright = true});
      } else {
        canvas.text({x, bottom_ + 7 + style::kTick * 0.8}, name,
                    {.size = style::kTick, .colour = style::kSoft, .anchor = Anchor::middle});
      }
    }
    canvas.text({(left_ + right_) / 2, whole.height - style::kMargin + 1}, map_.x_label,
                {.size = style::kLabel, .colour = style::kSoft, .anchor = Anchor::middle});
    canvas.text({style::kMargin + style::kLabel * 0.7, (top_ + bottom_) / 2}, map_.y_label,
                {.size = style::kLabel, .colour = style::kSoft, .anchor = Anchor::middle, .upright = true});
  }

  void draw_scale(Canvas& canvas) const {
    constexpr int kParts = 64;
    const double x = right_ + 14;
    const double height = (bottom_ - top_) / kParts;
    for (int part = 0; part < kParts; ++part) {
      canvas.rectangle({x, bottom_ - height * (part + 1)}, 10, height + 0.5, shade_of((part + 0.5) / kParts));
    }
    const Point frame[] = {{x, top_}, {x + 10, top_}, {x + 10, bottom_}, {x, bottom_}, {x, top_}};
    canvas.line(frame, {style::kAxis, 0.8, {}});
    for (const auto& [share, label] : {std::pair{0.0, "0"}, std::pair{0.5, "½"}, std::pair{1.0, "1"}}) {
      canvas.text({x + 15, bottom_ - share * (bottom_ - top_) + style::kTick * 0.36}, label,
                  {.size = style::kTick, .colour = style::kSoft});
    }
  }

  const HeatMap& map_;
  double cell_ = 0;
  bool shows_values_ = false;
  bool upright_ = false;
  double left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;
};

}  // namespace

HeatMap heat_map_of(const metrics::ConfusionMatrix& matrix, const std::vector<std::string>& names) {
  HeatMap map{.title = "Confusion matrix", .x_label = "predicted", .y_label = "actual"};
  const std::int64_t classes = matrix.classes();
  if (!names.empty() && static_cast<std::int64_t>(names.size()) != classes) {
    fail(ErrorCode::wrong_input_count,
         std::to_string(names.size()) + " names for " + std::to_string(classes) + " classes",
         "a name for each, or none");
  }
  for (std::int64_t row = 0; row < classes; ++row) {
    map.rows.push_back(names.empty() ? std::to_string(row) : names[static_cast<std::size_t>(row)]);
    double all = 0;
    for (std::int64_t column = 0; column < classes; ++column) all += static_cast<double>(matrix.at(row, column));
    for (std::int64_t column = 0; column < classes; ++column) {
      const auto count = static_cast<double>(matrix.at(row, column));
      map.values.push_back(count);
      map.shades.push_back(all == 0 ? 0 : count / all);
    }
  }
  map.columns = map.rows;
  return map;
}

void check(const HeatMap& map) {
  const std::size_t cells = map.rows.size() * map.columns.size();
  if (cells == 0) fail(ErrorCode::missing_value, "a heat map without cells", "at least one row and one column");
  if (std::max(map.rows.size(), map.columns.size()) > kMostCells) {
    fail(ErrorCode::limit_exceeded,
         "a heat map of " + std::to_string(map.rows.size()) + " × " + std::to_string(map.columns.size()) + " cells",
         "at most " + std::to_string(kMostCells) + " a side");
  }
  if (map.values.size() != cells || map.shades.size() != cells) {
    fail(ErrorCode::bad_shape,
         std::to_string(map.values.size()) + " values and " + std::to_string(map.shades.size()) + " shades",
         std::to_string(cells) + " of both, one for each cell");
  }
}

Size size_of(const HeatMap& map) { return Layout(map).size(); }

void draw(const HeatMap& map, Canvas& canvas) { Layout(map).draw(canvas); }

}  // namespace asg::plot
