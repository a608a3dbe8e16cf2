#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "asg/core/array.h"
#include "asg/graph/attributes.h"

// Wrong gradients of other systems, each a row of its own name: an op and the right gradient, worked out by hand.
namespace asg::test {

inline Array reals(Sizes sizes, const std::vector<double>& values) {
  return Array::of<double>(std::move(sizes), values);
}

// An op, the weights of the elements of its first output in the loss, and the gradient of input `by`.
struct Mistake {
  const char* name;
  const char* op;
  std::vector<Array> inputs;  // integers become constants
  Attrs attrs;
  Array weights;
  std::size_t by;
  Array gradient;
};

inline void PrintTo(const Mistake& row, std::ostream* out) { *out << row.name; }

class Mistakes : public testing::TestWithParam<Mistake> {};

inline std::string name_of_mistake(const testing::TestParamInfo<Mistake>& row) { return row.param.name; }

}  // namespace asg::test
