#include "plot/outline_filler.h"

#include <algorithm>
#include <cmath>

namespace asg::plot {
namespace {

// The sums of one row of pixels at a time would need the edges sorted; a text is small, so all rows are held.
class Sums {
 public:
  Sums(int left, int top, int right, int bottom)
      : left_(left), top_(top), width_(right - left + 2), height_(bottom - top + 1) {
    cells_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
  }

  void add_edge(Point a, Point b) {
    if (a.y == b.y) return;
    const double sign = a.y < b.y ? 1 : -1;
    if (a.y > b.y) std::swap(a, b);
    const double slope = (b.x - a.x) / (b.y - a.y);
    for (int row = static_cast<int>(std::floor(a.y)); row < b.y; ++row) {
      const double from = std::max<double>(a.y, row);
      const double to = std::min<double>(b.y, row + 1);
      if (to <= from) continue;
      const double x = a.x + slope * (from - a.y);
      const double next = a.x + slope * (to - a.y);
      add_in_row(row, std::min(x, next), std::max(x, next), sign * (to - from));
    }
  }

  void tell(const std::function<void(int, int, float)>& pixel) const {
    for (int row = 0; row < height_; ++row) {
      double inside = 0;
      for (int column = 0; column < width_; ++column) {
        inside +=
            cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(column)];
        if (std::abs(inside) > 1e-4) pixel(left_ + column, top_ + row, static_cast<float>(std::abs(inside)));
      }
    }
  }

 private:
  void add_in_row(int row, double low, double high, double height) {
    for (int column = static_cast<int>(std::floor(low)); column <= high; ++column) {
      const double from = std::max<double>(low, column);
      const double to = std::min<double>(high, column + 1);
      const double part = high > low ? height * (to - from) / (high - low) : height;
      const double centre = (from + to) / 2 - column;
      cell(row, column) += part * (1 - centre);
      cell(row, column + 1) += part * centre;
    }
  }

  double& cell(int row, int column) {
    return cells_[static_cast<std::size_t>(row - top_) * static_cast<std::size_t>(width_) +
                  static_cast<std::size_t>(std::min(column - left_, width_ - 1))];
  }

  int left_, top_, width_, height_;
  std::vector<double> cells_;
};

}  // namespace

void OutlineFiller::add(std::span<const Point> contour) {
  for (std::size_t k = 0; k < contour.size(); ++k) {
    edges_.push_back({contour[k], contour[(k + 1) % contour.size()]});
  }
}

void OutlineFiller::fill(const std::function<void(int x, int y, float share)>& pixel) const {
  if (edges_.empty()) return;
  Point low = edges_[0].from;
  Point high = low;
  for (const Edge& edge : edges_) {
    low = {std::min(low.x, edge.from.x), std::min(low.y, edge.from.y)};
    high = {std::max(high.x, edge.from.x), std::max(high.y, edge.from.y)};
  }
  Sums sums(static_cast<int>(std::floor(low.x)), static_cast<int>(std::floor(low.y)),
            static_cast<int>(std::ceil(high.x)), static_cast<int>(std::ceil(high.y)));
  for (const Edge& edge : edges_) sums.add_edge(edge.from, edge.to);
  sums.tell(pixel);
}

}  // namespace asg::plot
