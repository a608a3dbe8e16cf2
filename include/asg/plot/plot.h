#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asg/metrics/confusion.h"

// Pictures of trainings, as SVG or PNG from one description; docs/logging.md shows them.
namespace asg::plot {

struct Series {
  std::string name;       // in the legend
  std::vector<double> x;  // any order is drawn as it is; steps usually rise
  std::vector<double> y;  // as many; a value that is not finite, or beyond 1e300, leaves a gap
};

// A vertical line with a label, such as the step of an edit.
struct Mark {
  double x = 0;
  std::string label;
};

enum class Scale : std::uint8_t { linear, logarithmic };

struct Curves {
  std::string title;
  std::string x_label = "step";
  std::string y_label;
  std::vector<Series> series;
  std::vector<Mark> marks;
  Scale y_scale = Scale::linear;  // logarithmic: values of 0 and below leave a gap
  // From 0, none, to below 1: the weight that the past has in a moving average. The curve itself stays, pale.
  // Series of at most 25 points, which are drawn with dots, are left as they are.
  double smoothing = 0;
  int width = 800;
  int height = 450;
};

// A table as coloured cells. Its size follows from the number of cells.
struct HeatMap {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> columns;
  std::vector<std::string> rows;
  std::vector<double> values;  // row-major; written into the cells where they fit
  std::vector<double> shades;  // from 0, white, to 1, dark blue; as many
};

// Rows shaded by the share of their examples.
HeatMap heat_map_of(const metrics::ConfusionMatrix& matrix, const std::vector<std::string>& names = {});

// Throw bad_shape where lengths differ, missing_value where nothing can be drawn, bad_attribute for sizes or settings
// out of range.
std::string to_svg(const Curves& curves);
std::string to_svg(const HeatMap& map);
// `scale` pixels for each unit of width and height.
std::string to_png(const Curves& curves, double scale = 2);
std::string to_png(const HeatMap& map, double scale = 2);

// By the end of the path, .svg or .png. Throws bad_attribute for another, io_error.
void write_plot(const Curves& curves, const std::string& path);
void write_plot(const HeatMap& map, const std::string& path);

}  // namespace asg::plot
