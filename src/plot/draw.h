#pragma once

#include "asg/plot/plot.h"
#include "plot/canvas.h"

namespace asg::plot {

struct Size {
  double width = 0, height = 0;
};

void check(const Curves& curves);
void draw(const Curves& curves, Canvas& canvas);

void check(const HeatMap& map);
Size size_of(const HeatMap& map);
void draw(const HeatMap& map, Canvas& canvas);

}  // namespace asg::plot
