#pragma once

#include <gtest/gtest.h>

#include "asg/core/array.h"
#include "asg/graph/card.h"

namespace asg::test {

// Largest difference allowed for values of this dtype; 0 for integers and bools.
double tolerance_for(const Tolerance& tolerance, DType dtype);

// Whether `actual` has the sizes of `expected` and differs from it by at most tolerance · max(1, largest finite
// magnitude of `expected`). NaN must meet NaN, and an infinity the same infinity. The dtypes may differ.
testing::AssertionResult near(const Array& actual, const Array& expected, double tolerance);
// Whether the array is of the type; a length that only data decide may be any.
bool is_of(const TensorType& type, const Array& array);
// The same bits.
testing::AssertionResult identical(const Array& actual, const Array& expected);

}  // namespace asg::test
