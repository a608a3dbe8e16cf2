#pragma once

#include <cstddef>
#include <cstdint>

#include "asg/core/array.h"

// Walks over strided arrays, for the sources of Array only.
namespace asg::strided {

// How two arrays of the same sizes are walked together, in the fewest and longest runs.
struct Walk {
  Sizes sizes;         // without axes of size 1; axes that follow each other in both arrays are merged
  Sizes from_strides;  // in elements
  Sizes to_strides;
};

Walk make_walk(const Sizes& sizes, const Sizes& from_strides, const Sizes& to_strides);

// One run along the innermost axis.
struct Run {
  std::int64_t from;  // of its first element, in elements
  std::int64_t to;
  std::int64_t count;
  std::int64_t from_step;
  std::int64_t to_step;
};

// Calls visit(run) for all runs in row-major order. There must be at least one element.
template <class Visit>
void for_each_run(const Walk& walk, Visit visit) {
  const std::size_t rank = walk.sizes.size();
  if (rank == 0) return visit(Run{0, 0, 1, 1, 1});
  const std::size_t inner = rank - 1;
  Run run{0, 0, walk.sizes[inner], walk.from_strides[inner], walk.to_strides[inner]};
  Sizes index(inner, 0);
  for (;;) {
    visit(run);
    std::size_t axis = inner;
    for (; axis > 0; --axis) {
      const std::size_t k = axis - 1;
      run.from += walk.from_strides[k];
      run.to += walk.to_strides[k];
      if (++index[k] < walk.sizes[k]) break;
      run.from -= walk.from_strides[k] * walk.sizes[k];
      run.to -= walk.to_strides[k] * walk.sizes[k];
      index[k] = 0;
    }
    if (axis == 0) return;
  }
}

// Copies all elements, of `element_bytes` each, between memory that does not overlap.
void copy(const Walk& walk, std::int64_t element_bytes, const std::byte* from, std::byte* to);

// Converts `count` elements with a step in elements into consecutive ones, by the rules of Array::cast.
void convert(DType from_dtype, const std::byte* from, std::int64_t from_step, DType to_dtype, std::byte* to,
             std::int64_t count);

}  // namespace asg::strided
