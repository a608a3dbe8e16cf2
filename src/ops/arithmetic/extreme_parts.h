#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "asg/graph/card.h"

// What Max and Min have in common: at each place one of the inputs is chosen.
namespace asg::ops {

// The card with the gradient to the input that was chosen and a body of choices; a later input takes the place of an
// earlier one where `comparison`, such as Greater, says so.
OpCard extreme_op(OpCard own, std::string_view comparison);

// Samples of any number of inputs, of integers, and of ties, NaN and infinity.
std::vector<Sample> extreme_samples(const std::vector<std::int64_t>& of_integers,
                                    std::vector<double> of_special_values);

}  // namespace asg::ops
