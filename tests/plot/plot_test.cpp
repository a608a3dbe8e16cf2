#include "asg/plot/plot.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>
#include <png.h>

#include "asg/core/platform.h"
#include "asg/plot/png.h"
#include "plot/font.h"
#include "plot/raster_canvas.h"
#include "plot/thin.h"
#include "plot/ticks.h"
#include "support/amount.h"
#include "support/growth.h"

namespace asg::plot {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// By libpng's own reader.
struct Decoded {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  // red, green, blue, opacity

  std::array<int, 4> at(int x, int y) const {
    const auto* pixel = &pixels[static_cast<std::size_t>(4 * (y * width + x))];
    return {pixel[0], pixel[1], pixel[2], pixel[3]};
  }
};

Decoded decoded(const std::string& png) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&image, png.data(), png.size()), 0) << image.message;
  image.format = PNG_FORMAT_RGBA;
  Decoded result{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  result.pixels.resize(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, result.pixels.data(), 0, nullptr), 0) << image.message;
  return result;
}

// Pixels that are near a colour.
int count_near(const Decoded& picture, int red, int green, int blue) {
  int count = 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const auto pixel = picture.at(x, y);
      count += std::abs(pixel[0] - red) + std::abs(pixel[1] - green) + std::abs(pixel[2] - blue) < 12 ? 1 : 0;
    }
  }
  return count;
}

ErrorDetail error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.detail();
  }
  ADD_FAILURE() << "no error";
  return {};
}

Curves small_curves() {
  Curves curves{.title = "Loss & <more>", .y_label = "loss"};
  curves.series = {{"train", {1, 2, 3, 4}, {2, 1, kNan, 0.5}}, {"held out", {1, 4}, {2.2, 0.75}}};
  curves.marks = {{2, "64 → 96"}};
  curves.width = 320;
  curves.height = 200;
  return curves;
}

// Files that people looked at; a change must be one that people want. Write them anew with ASG_WRITE_GOLDEN=1.
void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(ASG_SOURCE_DIR "/tests/plot/golden/") + name;
  if (platform::environment("ASG_WRITE_GOLDEN")) platform::write_file_atomically(path, text);
  EXPECT_EQ(text, platform::read_file(path)) << "of " << path;
}

TEST(Plot, SvgIsAsPeopleApprovedIt) {
  expect_golden("curves.svg", to_svg(small_curves()));
  Curves logarithmic = small_curves();
  logarithmic.y_scale = Scale::logarithmic;
  logarithmic.series[0].y[0] = -1;  // leaves a gap
  expect_golden("logarithmic.svg", to_svg(logarithmic));
  metrics::ConfusionMatrix matrix(2);
  matrix.add(0, 0, 9);
  matrix.add(0, 1, 1);
  matrix.add(1, 1, 5);
  expect_golden("confusion.svg", to_svg(heat_map_of(matrix, {"cat", "dog"})));
}

TEST(Plot, PngShowsTheSamePicture) {
  const Decoded picture = decoded(to_png(small_curves(), 2));
  EXPECT_EQ(picture.width, 640);
  EXPECT_EQ(picture.height, 400);
  EXPECT_EQ(picture.at(2, 2), (std::array<int, 4>{255, 255, 255, 255}));
  EXPECT_GT(count_near(picture, 0, 114, 178), 200) << "the first series";
  EXPECT_GT(count_near(picture, 213, 94, 0), 200) << "the second series";
  EXPECT_GT(count_near(picture, 34, 34, 34), 100) << "the title";
  EXPECT_GT(count_near(picture, 255, 255, 255), 640 * 400 * 8 / 10) << "mostly paper";
  const Decoded same = decoded(to_png(small_curves(), 2));
  EXPECT_EQ(picture.pixels, same.pixels);
}

TEST(Plot, SmoothingKeepsTheCurvePaleBelow) {
  Curves curves = small_curves();
  curves.series = {{"", {}, {}}};
  for (int k = 0; k < 200; ++k) {
    curves.series[0].x.push_back(k);
    curves.series[0].y.push_back(k % 2);
  }
  const std::string rough = to_svg(curves);
  curves.smoothing = 0.9;
  const std::string smooth = to_svg(curves);
  EXPECT_EQ(rough.find("stroke-opacity"), std::string::npos);
  EXPECT_NE(smooth.find("stroke-opacity=\"0.28\""), std::string::npos);
}

TEST(Plot, HugeSeriesStaySmallFilesAndKeepTheirSpikes) {
  Curves curves;
  Series series{"loss", {}, {}};
  for (int k = 0; k < 300'000; ++k) {
    series.x.push_back(k);
    series.y.push_back(k == 123'456 ? 9.5 : std::sin(k * 0.01));
  }
  curves.series = {series};
  EXPECT_LT(to_svg(curves).size(), 200'000u);
  std::vector<Point> points;
  for (int k = 0; k < 100'000; ++k) points.push_back({k / 100.0, k == 777 ? -50.0 : 0.0});
  const std::vector<Point> fewer = thinned(points);
  EXPECT_LT(fewer.size(), 9000u);
  EXPECT_EQ(std::count_if(fewer.begin(), fewer.end(), [](const Point& point) { return point.y == -50; }), 1);
  EXPECT_EQ(fewer.back().x, points.back().x);
}

TEST(Plot, TakesWhatIsOddInItsStride) {
  const std::vector<std::function<void(Curves&)>> oddities = {
      [](Curves& c) { c.series = {{"one", {5}, {7}}}; },
      [](Curves& c) { c.series = {{"flat", {1, 2, 3}, {0, 0, 0}}}; },
      [](Curves& c) { c.series = {{"huge", {0, 1e299}, {-1e299, 1e299}}}; },
      [](Curves& c) { c.series = {{"tiny", {0, 1e-300}, {1e-308, 2e-308}}}; },
      [](Curves& c) { c.series = {{"infinite", {0, 1, 2}, {1, std::numeric_limits<double>::infinity(), 2}}}; },
      [](Curves& c) { c.series.assign(30, {"many of one name that is long", {0, 1}, {0, 1}}); },
      [](Curves& c) { c.series[0].name = std::string(500, 'x'); },
      [](Curves& c) { c.title = "broken \xFF\xC3 and \x01 and \xE2\x82\xAC and 漢字"; },
      [](Curves& c) { c.marks = {{kNan, "nowhere"}, {2, std::string(500, 'm')}, {4, ""}}; },
      [](Curves& c) { c.width = 240, c.height = 160; },
      [](Curves& c) { c.y_scale = Scale::logarithmic, c.series = {{"wide", {0, 1}, {1e-300, 1e300}}}; },
      [](Curves& c) { c.y_scale = Scale::logarithmic, c.series = {{"narrow", {0, 1}, {3.1, 3.2}}}; },
      [](Curves& c) { c.series.push_back({"nothing", {}, {}}); },
      [](Curves& c) { c.y_scale = Scale::logarithmic, c.series = {{"beside denormal", {0, 1}, {1e-315, 2}}}; },
      [](Curves& c) { c.y_scale = Scale::logarithmic, c.series = {{"least", {0, 1}, {1e-280, 1e-280}}}; },
      [](Curves& c) {
        c.y_scale = Scale::logarithmic, c.series = {{"near", {0, 1}, {3.1415926e-280, 3.1415927e-280}}};
      },
      [](Curves& c) { c.y_scale = Scale::logarithmic, c.series = {{"most", {0, 1}, {1e300, 1e300}}}; },
      [](Curves& c) { c.series = {{"far", {-1e300, 0}, {1, 2}}}, c.marks = {{1.7e308, "farther"}, {-1e308, ""}}; },
  };
  for (std::size_t k = 0; k < oddities.size(); ++k) {
    Curves curves = small_curves();
    oddities[k](curves);
    const std::string svg = to_svg(curves);
    EXPECT_TRUE(svg.starts_with("<svg") && svg.ends_with("</svg>\n")) << k;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << k << "\n" << svg;
    EXPECT_EQ(svg.find("inf\""), std::string::npos) << k;
    EXPECT_EQ(svg.find("0000000"), std::string::npos) << k << ": a place outside of the picture\n" << svg;
    EXPECT_EQ(decoded(to_png(curves, 0.5)).width, (curves.width + 1) / 2) << k;
  }
}

struct Mistake {
  std::function<void()> make;
  ErrorCode code;
  const char* given;
};

TEST(Plot, RefusesMistakesWithWords) {
  const auto with = [](const std::function<void(Curves&)>& change) {
    return [change] {
      Curves curves = small_curves();
      change(curves);
      to_svg(curves);
    };
  };
  const std::vector<Mistake> rows = {
      {with([](Curves& c) { c.series.clear(); }), ErrorCode::missing_value, "without series"},
      {with([](Curves& c) { c.series = {{"", {1}, {kNan}}}; }), ErrorCode::missing_value, "can be drawn"},
      {with([](Curves& c) { c.y_scale = Scale::logarithmic, c.series = {{"", {1}, {-1}}}; }), ErrorCode::missing_value,
       "can be drawn"},
      {with([](Curves& c) { c.y_scale = Scale::logarithmic, c.series = {{"", {1, 2}, {1e-315, 1e-315}}}; }),
       ErrorCode::missing_value, "can be drawn"},
      {with([](Curves& c) { c.series[0].x.pop_back(); }), ErrorCode::bad_shape, "3 x and 4 y"},
      {with([](Curves& c) { c.smoothing = 1; }), ErrorCode::bad_attribute, "smoothing by 1"},
      {with([](Curves& c) { c.width = 10; }), ErrorCode::bad_attribute, "10 × 200"},
      {[] { to_png(small_curves(), 100); }, ErrorCode::bad_attribute, "scale"},
      {[] { write_plot(small_curves(), "plot.gif"); }, ErrorCode::bad_attribute, "plot.gif"},
      {[] { write_plot(small_curves(), "/nowhere/at/all.svg"); }, ErrorCode::io_error, "/nowhere"},
      {[] { to_svg(HeatMap{}); }, ErrorCode::missing_value, "without cells"},
      {[] { to_svg(heat_map_of(metrics::ConfusionMatrix(600))); }, ErrorCode::limit_exceeded, "600"},
      {[] { heat_map_of(metrics::ConfusionMatrix(2), {"one"}); }, ErrorCode::wrong_input_count, "1 names"},
      {[] { to_png(Array(DType::u8, {4, 4, 2})); }, ErrorCode::bad_shape, "u8[4, 4, 2]"},
      {[] { to_png(Array(DType::i64, {4, 4})); }, ErrorCode::bad_dtype, "i64[4, 4]"},
      {[] { to_png(Array(DType::u8, {0, 4})); }, ErrorCode::bad_shape, "u8[0, 4]"},
      {[] { to_png(Array(DType::u8, {1, 20000})); }, ErrorCode::limit_exceeded, "20000"},
  };
  for (const Mistake& row : rows) {
    const ErrorDetail error = error_of(row.make);
    EXPECT_EQ(name_of(error.code), name_of(row.code)) << row.given;
    EXPECT_NE(error.given.find(row.given), std::string::npos) << error.given;
  }
}

TEST(Png, HoldsThePixelsExactly) {
  for (const std::int64_t channels : {1, 3, 4}) {
    Array pixels(DType::u8, {3, 5, channels});
    for (std::int64_t k = 0; k < pixels.count(); ++k) pixels.set(k, static_cast<double>(255 - k * 4));
    const Decoded back = decoded(to_png(pixels));
    ASSERT_EQ(back.width, 5);
    ASSERT_EQ(back.height, 3);
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 5; ++x) {
        for (int channel = 0; channel < 4; ++channel) {
          const bool opaque = channel == 3 && channels != 4;
          const auto from = channels == 1 ? 0 : channel;
          const int expected = opaque ? 255 : static_cast<int>(pixels.get((y * 5 + x) * channels + from));
          EXPECT_EQ(back.at(x, y)[static_cast<std::size_t>(channel)], expected) << channels;
        }
      }
    }
  }
  const Decoded cut = decoded(to_png(Array::of<float>({1, 4}, {-1, 0.5, 2, std::nanf("")})));
  EXPECT_EQ(cut.at(0, 0)[0], 0);
  EXPECT_EQ(cut.at(1, 0)[0], 128);
  EXPECT_EQ(cut.at(2, 0)[0], 255);
  EXPECT_EQ(cut.at(3, 0)[0], 0);
}

TEST(Raster, CoversAreasExactly) {
  RasterCanvas canvas(10, 10, 1);
  canvas.rectangle({2.5, 3}, 4, 2, {0, 0, 0});
  const Array pixels = canvas.pixels();
  const auto grey = [&](int x, int y) { return static_cast<int>(pixels.get((y * 10 + x) * 3)); };
  EXPECT_EQ(grey(3, 3), 0);
  EXPECT_EQ(grey(2, 3), 128);  // half covered
  EXPECT_EQ(grey(6, 4), 128);
  EXPECT_EQ(grey(7, 4), 255);
  EXPECT_EQ(grey(3, 5), 255);

  // The ink of a letter is the area of its outline: "l" of DejaVu is a bar of 184 by 1556 units of 2048 to the em.
  RasterCanvas letter(100, 100, 1);
  letter.text({20, 90}, "l", {.size = 64, .colour = {0, 0, 0}});
  double ink = 0;
  const Array drawn = letter.pixels();
  for (std::int64_t k = 0; k < drawn.count(); k += 3) ink += 1 - drawn.get(k) / 255;
  EXPECT_NEAR(ink, 64.0 * 64.0 * 184 * 1556 / (2048.0 * 2048.0), 2.0);
}

TEST(Font, MeasuresAndCuts) {
  EXPECT_EQ(text_width("", 12), 0);
  EXPECT_NEAR(text_width("AA", 12), 2 * text_width("A", 12), 1e-12);
  EXPECT_NEAR(text_width("ы→", 12), text_width("ы", 12) + text_width("→", 12), 1e-12);
  EXPECT_EQ(code_points("a\xC3\xA9\xF0\x9F\x98\x80"), (std::vector<char32_t>{'a', 0xE9, 0x1F600}));
  EXPECT_EQ(code_points("\xC3(\xFF"), (std::vector<char32_t>{0xFFFD, '(', 0xFFFD}));
  const std::string cut = fitted("обучение и проверка", 12, 60);
  EXPECT_LE(text_width(cut, 12), 60);
  EXPECT_TRUE(cut.starts_with("обу") && cut.ends_with("…")) << cut;
  EXPECT_EQ(fitted("short", 12, 600), "short");
  EXPECT_EQ(fitted("no room", 12, text_width("…", 12)), "…");
  EXPECT_EQ(fitted("no room", 12, 1), "");
  const std::string broken = fitted("a\x80\x80\x80" + std::string(50, 'b'), 12, text_width("a\x80\x80\x80 …", 12));
  EXPECT_TRUE(broken.starts_with("a\x80\x80\x80") && broken.ends_with("…")) << broken;
}

TEST(Font, CutsALongTextByItsRoomNotItsLength) {
  const double ratio = test::growth(test::amount(1000, 300), [](int size) {
    for (int turn = 0; turn < 20; ++turn) fitted(std::string(static_cast<std::size_t>(size), 'x'), 12, 300);
  });
  EXPECT_LT(ratio, test::kMostGrowth);
}

struct TickRow {
  double low, high;
  int wanted;
  bool logarithmic;
  std::vector<std::string> labels;
};

TEST(Ticks, AreRoundNumbers) {
  const std::vector<TickRow> rows = {
      {0, 1, 5, false, {"0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
      {0, 3000, 6, false, {"0", "500", "1000", "1500", "2000", "2500", "3000"}},
      {1, 20000, 4, false, {"5k", "10k", "15k", "20k"}},
      {-1.5, 1.5, 3, false, {"−1", "0", "1"}},
      {0, 2.5e6, 5, false, {"0", "0.5M", "1.0M", "1.5M", "2.0M", "2.5M"}},
      {0.69314708, 0.69314728, 4, false, {"0.69314710", "0.69314715", "0.69314720", "0.69314725"}},
      {1'234'500'000, 1'234'559'000, 3, false, {"1234.50M", "1234.52M", "1234.54M"}},
      {1.2345e9, 1.2349e9, 4, false, {"1.2345G", "1.2346G", "1.2347G", "1.2348G", "1.2349G"}},
      {1e-6, 3e-6, 2, false, {"1e-06", "2e-06", "3e-06"}},
      {3e18, 3e18 + 3e12, 3, false, {"3e+18", "3.000001e+18", "3.000002e+18", "3.000003e+18"}},
      {1e-4, 1, 6, true, {"10⁻⁴", "0.001", "0.01", "0.1", "1"}},
      {0.9, 11, 6, true, {"1", "2", "5", "10"}},
      {3.1, 3.2, 3, true, {"3.10", "3.15", "3.20"}},
  };
  for (const TickRow& row : rows) {
    const auto ticks = row.logarithmic ? logarithmic_ticks(std::log10(row.low), std::log10(row.high), row.wanted)
                                       : linear_ticks(row.low, row.high, row.wanted);
    std::vector<std::string> labels;
    for (const Tick& tick : ticks) labels.push_back(tick.label);
    EXPECT_EQ(labels, row.labels) << row.low << " to " << row.high;
  }
}

}  // namespace
}  // namespace asg::plot
