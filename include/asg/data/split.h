#pragma once

#include <cstdint>
#include <vector>

#include "asg/data/dataset.h"

namespace asg::data {

// The numbers 0 … count − 1 in an order that only (seed, epoch) decide.
std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t seed, std::uint64_t epoch = 0);

struct Split {
  Dataset train;
  Dataset held_out;
};

// Holds out the given share of each class (rounded to the nearest number), chosen by the seed. Both parts keep the
// order of the dataset. Throws bad_attribute on a share outside [0, 1].
Split stratified_split(const Dataset& dataset, double held_out, std::uint64_t seed);

}  // namespace asg::data
