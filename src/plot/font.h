#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plot/canvas.h"

namespace asg::plot {

struct Glyph {
  double advance = 0;                        // in ems
  std::vector<std::vector<Point>> contours;  // closed, in ems, upwards from the base line; curves as short lines
};

// Of the built-in font; a box with a question mark for what it lacks.
const Glyph& glyph_of(char32_t code);
// What is not UTF-8 gives U+FFFD.
std::vector<char32_t> code_points(std::string_view text);
double text_width(std::string_view text, double size);
// Cut at its end, with an ellipsis, where it is wider than `width`.
std::string fitted(std::string_view text, double size, double width);

}  // namespace asg::plot
