#pragma once

#include "asg/compile/kernel.h"

// What is known of values because of how they are computed.
namespace asg::gpu {

// exp(x − max of x along the row), in f32 or shorter: at most 1, or NaN; 1 where x is largest.
bool is_falling_exponential(const Kernel& kernel, int number);

// The sum along the row of such exponentials: from 1 to the length of the row, or NaN.
bool is_sum_of_falling_exponentials(const Kernel& kernel, int number);

}  // namespace asg::gpu
