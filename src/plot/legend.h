#pragma once

#include <string>
#include <vector>

#include "asg/plot/plot.h"
#include "plot/canvas.h"

namespace asg::plot {

// Names of series in rows, each behind a swatch of its line.
struct Legend {
  struct Entry {
    Point at;  // where the swatch begins, on the base line
    std::string name;
  };
  std::vector<Entry> entries;  // of the first series
  Entry more;                  // "… and 12 more", without a swatch; no name where all series are there
  double height = 0;           // with the room below it; 0 where no name is needed
};

inline constexpr double kLegendSwatch = 26;  // with the gap to the name

// In a picture of `width`, from `top` on, and not higher than `room` unless one row is.
Legend legend_of(const std::vector<Series>& series, double top, double width, double room);

}  // namespace asg::plot
