#pragma once

#include <vector>

#include "asg/graph/samples.h"

// Ready sets of samples. Numbers are drawn from the given ranges, which a card chooses away from kinks and poles.
namespace asg::ops {

// Several sets, one after the other.
std::vector<Sample> join(std::vector<std::vector<Sample>> sets);

// One input: rank 0, one element, all dims different, no elements. Where low < 0 < high and the function has a kink
// at 0, use one_sided_samples instead.
std::vector<Sample> unary_samples(double low = -1, double high = 1);
// The same for a function with a kink at 0: numbers from [least, most] and from [-most, -least].
std::vector<Sample> one_sided_samples(double least = 0.2, double most = 1.5);

// Two inputs: equal shapes, broadcasting of either side, of both at once and of scalars, no elements.
struct Range {
  double low = -1;
  double high = 1;
};
std::vector<Sample> binary_samples(Range left = {}, Range right = {}, bool gradient = true);

// One exact case, forward only: f64 values in, f64 values out, rank 1.
Sample exact(std::string name, std::vector<double> input, std::vector<double> expected, Attrs attrs = {});
// The same with two inputs.
Sample exact2(std::string name, std::vector<double> left, std::vector<double> right, std::vector<double> expected);
// f64 and i64 arrays of rank 1 and bool ones, for expected values.
Array reals(const std::vector<double>& values);
Array bools(const std::vector<bool>& values);

}  // namespace asg::ops
