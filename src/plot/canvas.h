#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace asg::plot {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  double opacity = 1;
};

struct Point {
  double x = 0, y = 0;  // from the upper left corner
};

struct Stroke {
  Colour colour;
  double width = 1;
  std::vector<double> dash;  // lengths of ink and gap in turn; none: one line
};

enum class Anchor : std::uint8_t { start, middle, end };

struct Lettering {
  double size = 12;
  Colour colour;
  Anchor anchor = Anchor::start;
  bool upright = false;  // turned by a quarter, to be read from below
};

// What pictures are drawn on. Layout is done once, for all kinds of canvas.
class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void rectangle(Point corner, double width, double height, Colour fill) = 0;
  virtual void line(std::span<const Point> points, const Stroke& stroke) = 0;  // round at ends and corners
  virtual void dot(Point centre, double radius, Colour fill) = 0;
  virtual void text(Point at, std::string_view text, const Lettering& lettering) = 0;  // `at` lies on the base line
};

}  // namespace asg::plot
