#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "asg/core/array.h"

// Index spaces of groups of nodes. A space is a list of factors; a shape stands in it when its lengths are products of
// neighbouring factors, in order. So [6, 20] and [2, 3, 4, 5] both stand in the space 2 · 3 · 4 · 5, and a value may be
// reshaped between them without moving.
namespace asg::fusion {

struct Space {
  Sizes factors = {};          // each above 1
  std::vector<bool> row = {};  // which of them form the row; empty: not yet divided

  bool is_divided() const { return !row.empty(); }
  std::int64_t count() const;
};

Space space_of(const Sizes& sizes);

// The factors of the row, or those outside it, of a divided space.
Sizes factors_of(const Space& space, bool row);

// The space in which both stand, or nothing. Divisions carry over; two different ones do not go together.
std::optional<Space> common_space(const Space& a, const Space& b);

// For each axis of a shape the factors that it is made of: the numbers from `first` to `last` (exclusive) in the list
// of the factors that the shape walks. Nothing where the shape does not stand in them.
struct Extent {
  std::size_t first = 0;
  std::size_t last = 0;
};
std::optional<std::vector<Extent>> extents_of(const Sizes& sizes, const Sizes& factors);

}  // namespace asg::fusion
