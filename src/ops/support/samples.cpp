#include "ops/support/samples.h"

#include <string>
#include <utility>

namespace asg::ops {

std::vector<Sample> join(std::vector<std::vector<Sample>> sets) {
  std::vector<Sample> all;
  for (auto& set : sets) {
    for (auto& sample : set) all.push_back(std::move(sample));
  }
  return all;
}

std::vector<Sample> unary_samples(double low, double high) {
  return {
      {.name = "scalar", .inputs = {in({}, low, high)}, .gradient = false},
      {.name = "one_element", .inputs = {in({1, 1}, low, high)}, .gradient = false},
      {.name = "rank_3", .inputs = {in({2, 3, 4}, low, high)}},
      {.name = "no_elements", .inputs = {in({2, 0, 3}, low, high)}, .gradient = false},
  };
}

std::vector<Sample> one_sided_samples(double least, double most) {
  auto samples = unary_samples(least, most);
  samples.push_back({.name = "below_zero", .inputs = {in({2, 3, 4}, -most, -least)}});
  return samples;
}

std::vector<Sample> binary_samples(Range left, Range right, bool gradient) {
  const auto pair = [&](std::string name, Sizes a, Sizes b, bool with_gradient) {
    return Sample{.name = std::move(name),
                  .inputs = {in(std::move(a), left.low, left.high), in(std::move(b), right.low, right.high)},
                  .gradient = with_gradient && gradient};
  };
  return {
      pair("equal_shapes", {2, 3, 4}, {2, 3, 4}, true),
      pair("broadcast_right", {2, 3, 4}, {3, 1}, true),
      pair("broadcast_left", {4}, {2, 3, 4}, true),
      pair("broadcast_both", {2, 1, 4}, {3, 1}, true),
      pair("scalar_right", {2, 3, 4}, {}, true),
      pair("scalar_left", {}, {3, 2}, true),
      pair("scalars", {}, {}, false),
      pair("no_elements", {2, 0, 3}, {3}, false),
  };
}

Sample exact(std::string name, std::vector<double> input, std::vector<double> expected, Attrs attrs) {
  return {.name = std::move(name),
          .inputs = {in_exact(reals(input))},
          .attrs = std::move(attrs),
          .gradient = false,
          .expected = {reals(expected)}};
}

Sample exact2(std::string name, std::vector<double> left, std::vector<double> right, std::vector<double> expected) {
  return {.name = std::move(name),
          .inputs = {in_exact(reals(left)), in_exact(reals(right))},
          .gradient = false,
          .expected = {reals(expected)}};
}

Array reals(const std::vector<double>& values) {
  return Array::of<double>({static_cast<std::int64_t>(values.size())}, values);
}

Array bools(const std::vector<bool>& values) {
  Array result(DType::boolean, {static_cast<std::int64_t>(values.size())});
  for (std::size_t k = 0; k < values.size(); ++k) result.set_i64(static_cast<std::int64_t>(k), values[k] ? 1 : 0);
  return result;
}

}  // namespace asg::ops
