#pragma once

#include <cstdint>
#include <vector>

#include "asg/core/array.h"
#include "plot/canvas.h"

namespace asg::plot {

// Draws into pixels, smooth at the edges: each pixel takes as much of a colour as the shape covers of it.
class RasterCanvas : public Canvas {
 public:
  RasterCanvas(double width, double height, double scale);  // white

  void rectangle(Point corner, double width, double height, Colour fill) override;
  void line(std::span<const Point> points, const Stroke& stroke) override;
  void dot(Point centre, double radius, Colour fill) override;
  void text(Point at, std::string_view text, const Lettering& lettering) override;

  Array pixels() const;  // u8 [height, width, 3]

 private:
  void cover_segment(Point a, Point b, double half_width);
  void cover_dashed(std::span<const Point> points, const Stroke& stroke, double half_width);
  void cover(int x, int y, float share);  // of a pixel; the largest of several counts
  void blend(Colour colour);              // what is covered, and forgets it

  double scale_;
  int width_, height_;
  std::vector<std::uint8_t> pixels_;
  std::vector<float> covered_;
  int left_, right_, top_, bottom_;  // bounds of what is covered
};

}  // namespace asg::plot
