#pragma once

#include <string>

#include "plot/canvas.h"

namespace asg::plot {

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(double width, double height, std::string_view title);

  void rectangle(Point corner, double width, double height, Colour fill) override;
  void line(std::span<const Point> points, const Stroke& stroke) override;
  void dot(Point centre, double radius, Colour fill) override;
  void text(Point at, std::string_view text, const Lettering& lettering) override;

  std::string finish() &&;

 private:
  void attribute(const char* name, double value);
  void paint(const char* name, Colour colour);
  void escape(std::string_view text);

  std::string out_;
};

}  // namespace asg::plot
