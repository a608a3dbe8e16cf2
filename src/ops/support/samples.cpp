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

std::vector<Sample> with_attrs(std::vector<Sample> samples, const Attrs& attrs) {
  for (Sample& sample : samples) sample.attrs = attrs;
  return samples;
}

std::vector<Sample> unary_samples(double low, double high) {
  return {
      {.name = "scalar", .inputs = {in({}, low, high)}, .gradient = false},
      {.name = "one_element", .inputs = {in({1, 1}, low, high)}, .gradient = false},
      {.name = "rank_3", .inputs = {in({2, 3, 4}, low, high)}},
      {.name = "no_elements", .inputs = {in({2, 0, 3}, low, high)}, .gradient = false},
  };
}

SampleInput both_signs() {
  std::vector<double> values;
  for (int k = 0; k < 24; ++k) values.push_back((k % 2 == 0 ? 1 : -1) * (0.2 + 0.05 * k));
  return in_exact(Array::of<double>({2, 3, 4}, values));
}

std::vector<Sample> kinked_samples() {
  return join({unary_samples(0.2, 1.5), {{.name = "both_signs", .inputs = {both_signs()}}}});
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

Sample exact3(std::string name, std::vector<double> first, std::vector<double> second, std::vector<double> third,
              std::vector<double> expected) {
  Sample sample = exact2(std::move(name), std::move(first), std::move(second), std::move(expected));
  sample.inputs.push_back(in_exact(reals(third)));
  return sample;
}

Array reals(const std::vector<double>& values) {
  return Array::of<double>({static_cast<std::int64_t>(values.size())}, values);
}

Array bools(const std::vector<bool>& values) {
  Array result(DType::boolean, {static_cast<std::int64_t>(values.size())});
  for (std::size_t k = 0; k < values.size(); ++k) result.set_i64(static_cast<std::int64_t>(k), values[k] ? 1 : 0);
  return result;
}

std::vector<Sample> reduction_samples() {
  // Few elements where several axes go, so that the gradient of a mean is not small.
  const auto along = [](std::string name, Sizes sizes, std::vector<std::int64_t> axes, bool keep) {
    const auto count = static_cast<std::int64_t>(axes.size());
    return Sample{.name = std::move(name),
                  .inputs = {distinct(std::move(sizes)), in_ints({count}, std::move(axes))},
                  .attrs = {{"keepdims", keep}}};
  };
  return {
      along("last_axis", {2, 3, 4}, {2}, true),
      along("middle_axis_dropped", {2, 3, 4}, {1}, false),
      along("first_axis", {2, 3, 4}, {0}, true),
      along("outer_axes_dropped", {2, 3, 2}, {0, 2}, false),
      along("negative_axes", {3, 2, 2}, {-1, -2}, true),
      along("empty_axes_mean_all", {2, 1, 2}, {}, false),
      {.name = "all", .inputs = {distinct({2, 1, 2})}},
      {.name = "all_dropped", .inputs = {distinct({2, 1, 2})}, .attrs = {{"keepdims", false}}},
      {.name = "empty_axes_mean_none",
       .inputs = {distinct({2, 2}), in_ints({0}, {})},
       .attrs = {{"noop_with_empty_axes", true}}},
      {.name = "no_axes_mean_none_dropped",
       .inputs = {distinct({3})},
       .attrs = {{"keepdims", false}, {"noop_with_empty_axes", true}}},
      {.name = "given_axes_count_all_the_same",
       .inputs = {distinct({2, 3}), in_ints({1}, {0})},
       .attrs = {{"noop_with_empty_axes", true}}},
      {.name = "scalar", .inputs = {in({})}, .gradient = false},
      {.name = "no_elements_left", .inputs = {in({0, 3}), in_ints({1}, {1})}, .gradient = false},
  };
}

BadSample refuse_integers() {
  return {.name = "integers",
          .inputs = {in_ints({2}, {1, 2})},
          .code = ErrorCode::bad_dtype,
          .contains = "i64 for input 'x'"};
}

BadSample refuse_bools() {
  return {.name = "bools",
          .inputs = {in_bools({2}, {true, false})},
          .code = ErrorCode::bad_dtype,
          .contains = "bool for input 'x'"};
}

BadSample refuse_bool_operands() {
  return {.name = "bools",
          .inputs = {in_bools({2}, {true, false}), in_bools({2}, {true, true})},
          .code = ErrorCode::bad_dtype,
          .contains = "bool for input 'a'"};
}

BadSample refuse_mixed_dtypes() {
  return {.name = "mixed_dtypes",
          .inputs = {in({2}), in_ints({2}, {1, 2})},
          .code = ErrorCode::type_mismatch,
          .contains = "the same dtype"};
}

BadSample refuse_broadcast() {
  return {.name = "shapes_that_do_not_broadcast",
          .inputs = {in({2, 3}), in({2})},
          .code = ErrorCode::broadcast_mismatch,
          .contains = "shapes [2, 3] and [2]"};
}

BadSample refuse_integer_zero() {
  return {.name = "integers_by_zero",
          .inputs = {in_ints({2}, {1, 2}), in_ints({2}, {1, 0})},
          .code = ErrorCode::computation_error,
          .contains = "an integer divided by 0"};
}

std::vector<BadSample> bad_reductions() {
  const auto along = [](std::string name, std::vector<std::int64_t> axes, std::string contains) {
    const auto count = static_cast<std::int64_t>(axes.size());
    return BadSample{.name = std::move(name),
                     .inputs = {in({2, 3}), in_ints({count}, std::move(axes))},
                     .code = ErrorCode::bad_index,
                     .contains = std::move(contains)};
  };
  return {along("axis_beyond_the_rank", {2}, "axis 2 of a tensor of rank 2"),
          along("axis_twice", {0, -2}, "axis 0 twice"),
          {.name = "bools",
           .inputs = {in_bools({2}, {true, false})},
           .code = ErrorCode::bad_dtype,
           .contains = "bool for input 'x'"}};
}

}  // namespace asg::ops
