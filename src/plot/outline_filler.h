#pragma once

#include <functional>
#include <span>
#include <vector>

#include "plot/canvas.h"

namespace asg::plot {

// Fills closed outlines: how much of each pixel lies inside, exactly. Each edge adds the area between itself and the
// right border, signed by its direction, so that sums along a row give what is inside, holes included.
class OutlineFiller {
 public:
  void add(std::span<const Point> contour);
  void fill(const std::function<void(int x, int y, float share)>& pixel) const;

 private:
  struct Edge {
    Point from, to;
  };
  std::vector<Edge> edges_;
};

}  // namespace asg::plot
