#pragma once

#include <vector>

#include "plot/canvas.h"

namespace asg::plot {

// The same picture from fewer points: of those that fall into one column of half a unit, the first, the lowest, the
// highest and the last. A training of a million steps then makes a file of a few thousand points, and no spike is lost.
std::vector<Point> thinned(const std::vector<Point>& points);

}  // namespace asg::plot
