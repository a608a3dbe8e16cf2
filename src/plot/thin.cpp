#include "plot/thin.h"

#include <algorithm>
#include <cmath>

namespace asg::plot {
namespace {

constexpr double kColumn = 0.5;

void take_column(const std::vector<Point>& points, std::size_t first, std::size_t end, std::vector<Point>& out) {
  const auto by_height = [&](std::size_t a, std::size_t b) { return points[a].y < points[b].y; };
  std::size_t low = first;
  std::size_t high = first;
  for (std::size_t k = first; k < end; ++k) {
    if (by_height(k, low)) low = k;
    if (by_height(high, k)) high = k;
  }
  std::vector<std::size_t> chosen = {first, std::min(low, high), std::max(low, high), end - 1};
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  for (const std::size_t k : chosen) out.push_back(points[k]);
}

}  // namespace

std::vector<Point> thinned(const std::vector<Point>& points) {
  std::vector<Point> out;
  for (std::size_t first = 0; first < points.size();) {
    const double column = std::floor(points[first].x / kColumn);
    std::size_t end = first + 1;
    while (end < points.size() && std::floor(points[end].x / kColumn) == column) ++end;
    take_column(points, first, end, out);
    first = end;
  }
  return out;
}

}  // namespace asg::plot
