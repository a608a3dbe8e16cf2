// Where things stand: nothing runs out of a picture, covers something else, or leaves the curves no room.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "plot/draw.h"
#include "plot/font.h"
#include "plot/legend.h"
#include "plot/ticks.h"

namespace asg::plot {
namespace {

struct Box {
  double left, top, right, bottom;
  std::string text;

  bool touches(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Keeps what is drawn.
class KeptDrawing : public Canvas {
 public:
  void rectangle(Point, double, double, Colour) override {}
  void line(std::span<const Point> points, const Stroke& /*stroke*/) override {
    lines.emplace_back(points.begin(), points.end());
  }
  void dot(Point, double, Colour) override {}
  void text(Point at, std::string_view text, const Lettering& lettering) override {
    const double length = text_width(text, lettering.size);
    const double before = lettering.anchor == Anchor::start ? 0 : lettering.anchor == Anchor::end ? length : length / 2;
    const double rise = lettering.size * 0.75;
    if (lettering.upright) {
      texts.push_back({at.x - rise, at.y + before - length, at.x, at.y + before, std::string(text)});
    } else {
      texts.push_back({at.x - before, at.y - rise, at.x - before + length, at.y, std::string(text)});
    }
  }

  bool shows(std::string_view part) const {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const Box& box) { return box.text.find(part) != std::string::npos; });
  }

  std::vector<std::vector<Point>> lines;
  std::vector<Box> texts;
};

KeptDrawing drawn(const Curves& curves) {
  KeptDrawing drawing;
  draw(curves, drawing);
  return drawing;
}

std::vector<Series> rising(std::size_t count, const std::string& name) {
  std::vector<Series> series;
  for (std::size_t k = 0; k < count; ++k) series.push_back({name + std::to_string(k), {0, 1}, {0, 1}});
  return series;
}

struct LayoutRow {
  const char* what;
  std::vector<Series> series;
  int width, height;
  const char* shown;  // a part of a text
};

TEST(Layout, LeavesRoomForCurvesAndLabels) {
  const LayoutRow rows[] = {
      {"few names", rising(3, "loss "), 800, 450, "loss 2"},
      {"many names", rising(60, "group/some_long_metric_name_"), 800, 450, "… and 37 more"},
      {"very many names", rising(5000, "metric "), 800, 450, " more"},
      {"a small picture", rising(8, "held_out/loss "), 240, 160, "… and 7 more"},
      {"long names in a small picture", rising(2, std::string(90, 'm')), 240, 160, "… and 1 more"},
      {"a high picture", rising(60, "loss "), 240, 4000, "loss 59"},
      {"values close to each other", {{"", {0, 1}, {0.69314708, 0.69314728}}}, 800, 450, "0.69314720"},
      {"large steps", {{"", {1'234'500'000, 1'234'559'000}, {0, 1}}}, 800, 450, "1234.50M"},
      {"large steps in a small picture", {{"", {1'234'500'000, 1'234'559'000}, {0, 1}}}, 240, 160, "1234.50M"},
      {"steps of many digits", {{"", {1'234'500'000'001, 1'234'500'000'003}, {0, 1}}}, 240, 160, "1234500000002"},
      {"many digits both ways", {{"", {1e9 + 0.5, 1e9 + 0.51}, {1e5, 1e5 + 1e-6}}}, 400, 200, "100000.000001"},
      {"below 0", {{"", {-1'234'559'000, -1'234'500'000}, {-2e-7, -1e-7}}}, 400, 200, "−2e-07"},
  };
  for (const LayoutRow& row : rows) {
    for (const char* title : {"", "A title"}) {
      Curves curves{.title = title, .y_label = row.series.size() == 1 ? "loss" : "", .series = row.series};
      curves.width = row.width;
      curves.height = row.height;
      const KeptDrawing drawing = drawn(curves);
      EXPECT_TRUE(drawing.shows(row.shown)) << row.what << ": no " << row.shown;
      for (std::size_t k = 0; k < drawing.texts.size(); ++k) {
        const Box& box = drawing.texts[k];
        EXPECT_TRUE(box.left >= 0 && box.top >= 0 && box.right <= row.width && box.bottom <= row.height)
            << row.what << ": " << box.text << " runs out";
        for (std::size_t other = 0; other < k; ++other) {
          EXPECT_FALSE(box.touches(drawing.texts[other]))
              << row.what << ": " << box.text << " lies on " << drawing.texts[other].text;
        }
      }
      const std::vector<Point>& curve = drawing.lines.back();
      EXPECT_GT(curve.front().y - curve.back().y, 25) << row.what << ": the last series rises";
      EXPECT_GT(curve.back().x - curve.front().x, 50) << row.what;
      const double legend = legend_of(row.series, 0, row.width, row.height * 0.4).height;
      EXPECT_LE(legend, std::max(row.height * 0.4, 26.0)) << row.what;
    }
  }
}

TEST(Layout, LegendsNameWhatFits) {
  const auto names = [](const Legend& legend) {
    std::string all;
    for (const Legend::Entry& entry : legend.entries) all += entry.name + "|";
    return all + legend.more.name;
  };
  EXPECT_EQ(names(legend_of(rising(3, "a"), 0, 400, 26)), "a0|a1|a2|");
  EXPECT_EQ(names(legend_of(rising(9, "a"), 0, 260, 26)), "a0|a1|… and 7 more");
  EXPECT_EQ(names(legend_of(rising(9, "a"), 0, 260, 46)), "a0|a1|a2|a3|a4|a5|… and 3 more");
  EXPECT_EQ(names(legend_of(rising(9, "a"), 0, 260, -50)), "a0|a1|… and 7 more") << "one row at least";
  EXPECT_EQ(legend_of(rising(1, "a"), 0, 260, 100).height, 26);
  EXPECT_EQ(legend_of({{"", {0}, {0}}}, 0, 260, 100).height, 0) << "one series without a name needs none";
}

// Whatever the values are, neighbours are told apart.
TEST(Layout, LabelsOfTicksDiffer) {
  for (const double centre : {0.0, 1e-9, 3e-5, 0.69314718, 1.0, 512.3, 99'999.5, 1'234'567'890.0, 7e13, 3e18, 1e200}) {
    for (const double share : {1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1.0}) {
      const double width = centre == 0 ? share : centre * share;
      for (const int wanted : {2, 3, 5, 8}) {
        for (const double sign : {1.0, -1.0}) {
          const double ends[] = {sign * centre, sign * (centre + width)};
          const auto ticks = linear_ticks(std::min(ends[0], ends[1]), std::max(ends[0], ends[1]), wanted);
          for (std::size_t k = 1; k < ticks.size(); ++k) {
            EXPECT_NE(ticks[k - 1].label, ticks[k].label) << centre << " to " << centre + width << ", " << wanted;
          }
        }
      }
    }
  }
}

// Values that f64 hardly tells apart, on a scale that gives shares.
TEST(Layout, LogarithmsOfOneValueHaveAnAxis) {
  Curves curves{.series = {{"", {1, 2}, {1, std::nextafter(1, 2)}}}, .y_scale = Scale::logarithmic};
  EXPECT_TRUE(drawn(curves).shows("0.5"));
}

}  // namespace
}  // namespace asg::plot
