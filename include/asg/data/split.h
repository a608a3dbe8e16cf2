#pragma once

#include <cstdint>

#include "asg/data/dataset.h"

namespace asg::data {

struct Split {
  Dataset train;
  Dataset held_out;  // for tests: used for no choice
};

// Holds out the given share of each class, up to one example, and of all together to the nearest number; chosen by the
// seed. Of data without classes it is the share of all. Both parts keep the order of the data set. Throws bad_attribute
// on a share outside [0, 1], bad_shape where examples have several labels each, as those of texts.
Split stratified_split(const Dataset& dataset, double held_out, std::uint64_t seed);

}  // namespace asg::data
