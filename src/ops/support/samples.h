#pragma once

#include <limits>
#include <string>
#include <vector>

#include "asg/graph/samples.h"

// Ready sets of samples. Numbers are drawn from the given ranges, which a card chooses away from kinks and poles.
namespace asg::ops {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Several sets, one after the other.
std::vector<Sample> join(std::vector<std::vector<Sample>> sets);
// The same samples with the given attributes.
std::vector<Sample> with_attrs(std::vector<Sample> samples, const Attrs& attrs);

// One input: rank 0, one element, all dims different, no elements.
std::vector<Sample> unary_samples(double low = -1, double high = 1);
// The same for a function with a kink at 0: the random numbers are positive, and numbers of both signs, all clearly
// apart from 0, are given.
std::vector<Sample> kinked_samples();
SampleInput both_signs();  // [2, 3, 4], magnitudes from 0.2 to 1.35

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
Sample exact3(std::string name, std::vector<double> first, std::vector<double> second, std::vector<double> third,
              std::vector<double> expected);
// f64 and bool arrays of rank 1.
Array reals(const std::vector<double>& values);
Array bools(const std::vector<bool>& values);

// Reductions along several choices of axes, kept and dropped; all elements differ clearly.
std::vector<Sample> reduction_samples();

// Inputs that must be refused.
BadSample refuse_integers();       // by one input of floats
BadSample refuse_bools();          // by one input of numbers
BadSample refuse_bool_operands();  // by two
BadSample refuse_mixed_dtypes();   // by two inputs of one dtype
BadSample refuse_broadcast();      // by two inputs that are broadcast
BadSample refuse_integer_zero();   // as a divisor, by two inputs of integers
std::vector<BadSample> bad_reductions();

}  // namespace asg::ops
