#include "asg/plot/plot.h"

#include <cmath>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/plot/png.h"
#include "plot/draw.h"
#include "plot/raster_canvas.h"
#include "plot/svg_canvas.h"

namespace asg::plot {
namespace {

Size size_of(const Curves& curves) { return {static_cast<double>(curves.width), static_cast<double>(curves.height)}; }

template <class Picture>
std::string svg_of(const Picture& picture) {
  check(picture);
  const Size size = size_of(picture);
  SvgCanvas canvas(size.width, size.height, picture.title);
  draw(picture, canvas);
  return std::move(canvas).finish();
}

template <class Picture>
std::string png_of(const Picture& picture, double scale) {
  check(picture);
  constexpr double kLeast = 0.25, kMost = 4;
  if (!(scale >= kLeast && scale <= kMost)) {
    fail(ErrorCode::bad_attribute, "a scale of " + std::to_string(scale), "from 0.25 to 4 pixels a unit");
  }
  const Size size = size_of(picture);
  RasterCanvas canvas(size.width, size.height, scale);
  draw(picture, canvas);
  return to_png(canvas.pixels());
}

template <class Picture>
void write_by_end(const Picture& picture, const std::string& path) {
  if (path.ends_with(".svg")) return platform::write_file_atomically(path, to_svg(picture));
  if (path.ends_with(".png")) return platform::write_file_atomically(path, to_png(picture));
  fail(ErrorCode::bad_attribute, "the picture '" + path + "'", "a path that ends in .svg or .png");
}

}  // namespace

std::string to_svg(const Curves& curves) { return svg_of(curves); }
std::string to_svg(const HeatMap& map) { return svg_of(map); }
std::string to_png(const Curves& curves, double scale) { return png_of(curves, scale); }
std::string to_png(const HeatMap& map, double scale) { return png_of(map, scale); }
void write_plot(const Curves& curves, const std::string& path) { write_by_end(curves, path); }
void write_plot(const HeatMap& map, const std::string& path) { write_by_end(map, path); }

}  // namespace asg::plot
