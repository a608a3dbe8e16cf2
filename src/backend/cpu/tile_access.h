#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace asg::cpu {

// Points of a space that is split into rows: which row, and which of its elements.
struct TileBox {
  std::int64_t row = 0;
  std::int64_t rows = 0;
  std::int64_t column = 0;
  std::int64_t columns = 0;

  std::int64_t count() const { return rows * columns; }
};

// Where an array's elements lie for the points of a space: offset + Σ index · stride. Axes that the array walks as one
// are merged, so that runs along a row are as long as can be.
class TileAccess {
 public:
  TileAccess(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides, std::size_t leading_axes,
             std::int64_t offset);

  bool moves_with_rows() const;
  bool moves_along_row() const;
  // Whether a row lies in memory as it is, and then whether the next row follows it immediately.
  bool has_unit_rows() const;
  bool has_adjacent_rows() const;
  // Whether each run of `length` elements, of which rows are made, lies in memory as it is.
  bool has_unit_runs(std::int64_t length) const;

  std::int64_t place(std::int64_t row, std::int64_t column) const {
    return offset_ + sum(leading_, row) + sum(along_, column);
  }

  // Calls visit(place, stride, count) for consecutive runs of elements that cover the columns of one row.
  template <class Visit>
  void for_each_run(std::int64_t row, std::int64_t column, std::int64_t columns, Visit visit) const {
    walk(along_, offset_ + sum(leading_, row), column, columns, visit);
  }

  // The same for the first elements of consecutive rows.
  template <class Visit>
  void for_each_row_run(std::int64_t row, std::int64_t rows, Visit visit) const {
    walk(leading_, offset_, row, rows, visit);
  }

 private:
  struct Axis {
    std::int64_t size;
    std::int64_t stride;
  };
  static std::vector<Axis> merged(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides);

  static std::int64_t sum(const std::vector<Axis>& axes, std::int64_t position) {
    std::int64_t total = 0;
    for (std::size_t axis = axes.size(); axis-- > 1;) {
      total += position % axes[axis].size * axes[axis].stride;
      position /= axes[axis].size;
    }
    return axes.empty() ? total : total + position * axes.front().stride;
  }

  template <class Visit>
  static void walk(const std::vector<Axis>& axes, std::int64_t offset, std::int64_t first, std::int64_t count,
                   Visit& visit) {
    if (count <= 0) return;
    if (axes.size() <= 1) {
      const std::int64_t stride = axes.empty() ? 0 : axes.front().stride;
      visit(offset + first * stride, stride, count);
      return;
    }
    const Axis inner = axes.back();
    while (count > 0) {
      const std::int64_t run = std::min(count, inner.size - first % inner.size);
      visit(offset + sum(axes, first), inner.stride, run);
      first += run;
      count -= run;
    }
  }

  std::vector<Axis> leading_;  // outermost first
  std::vector<Axis> along_;
  std::int64_t offset_;
  std::int64_t row_length_;
};

}  // namespace asg::cpu
