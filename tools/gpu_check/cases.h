#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "asg/compile/kernel.h"
#include "asg/core/array.h"

namespace asg::gpu_check {

// A kernel, the arrays that it gets, and what the reference makes of them.
struct Case {
  std::string name;
  Kernel kernel;
  std::vector<Array> arguments;
  std::vector<Array> expected;
};

// How many elements an argument addresses, counted from the start of its array.
std::int64_t elements_of(const Kernel& kernel, std::size_t number);

// Of every file *.kernel of a folder, in the order of their names.
std::vector<Case> cases_in(const std::string& folder);

// A sound kernel of any form, the same of the same seed. All numbers are positive, so that sums do not cancel.
Case drawn_case(std::uint32_t seed);

// Losses, softmax and sums of rows of each length, some of which hold NaN and infinities.
std::vector<Case> sized_cases(const std::vector<std::int64_t>& lengths, std::int64_t rows);

// The largest difference of two arrays relative to the largest magnitude; infinity where one is NaN or infinite and the
// other is not.
double difference(const Array& expected, const Array& given);
double tolerance_of(DType dtype);

}  // namespace asg::gpu_check
