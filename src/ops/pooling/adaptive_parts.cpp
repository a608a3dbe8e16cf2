#include "ops/pooling/adaptive_parts.h"

#include <string>

#include "ops/pooling/pool_parts.h"

namespace asg::ops {

std::vector<AttrSpec> adaptive_attributes() {
  return {{.name = "output_size",
           .kind = AttrKind::integers,
           .least = 1,
           .words = {"the spatial lengths of the result, one for each spatial axis",
                     "пространственные длины результата, по одной на каждую пространственную ось"}}};
}

Shape adaptive_shape(const AttrReader& attributes, const Shape& x) {
  check_pool_input(x);
  std::vector<Dim> dims = {x[0], x[1]};
  for (std::int64_t length : per_axis(attributes, "output_size", x.rank() - 2, 1)) dims.emplace_back(length);
  for (int axis = 2; axis < x.rank(); ++axis) {
    if (x[axis] != Dim(0)) continue;
    fail(ErrorCode::bad_shape, "an input of shape " + x.to_string(), "spatial axes with at least one element");
  }
  return Shape(std::move(dims));
}

std::vector<AdaptiveAxis> adaptive_axes(const AttrReader& attributes, const Shape& x) {
  need_spatial_lengths(attributes, x);
  const auto lengths = per_axis(attributes, "output_size", x.rank() - 2, 1);
  std::vector<AdaptiveAxis> axes;
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    axes.push_back({x[static_cast<int>(axis) + 2].value(), lengths[axis]});
  }
  return axes;
}

std::vector<Sample> adaptive_samples() {
  const auto sample = [](std::string name, Sizes x, Sizes output) {
    return Sample{
        .name = std::move(name), .inputs = {distinct(std::move(x))}, .attrs = {{"output_size", std::move(output)}}};
  };
  std::vector<Sample> samples = {
      sample("size_that_divides", {2, 3, 4}, {2}),
      sample("size_that_does_not_divide", {2, 3, 5}, {4}),
      sample("size_larger_than_the_input", {1, 1, 2}, {3}),
      sample("one_number_of_all", {1, 2, 3, 2}, {1, 1}),
      sample("two_axes", {1, 1, 3, 5}, {2, 4}),
      sample("three_axes", {1, 1, 2, 3, 2}, {1, 2, 2}),
      sample("no_pictures", {0, 2, 4}, {3}),
  };
  samples.back().gradient = false;
  return samples;
}

std::vector<BadSample> bad_adaptive_pools() {
  return {
      {.name = "no_channel_axis",
       .inputs = {in({2, 3})},
       .attrs = {{"output_size", Sizes{2}}},
       .code = ErrorCode::bad_shape,
       .contains = "unsqueeze a missing batch or channel axis"},
      {.name = "one_size_for_two_axes",
       .inputs = {in({1, 1, 3, 3})},
       .attrs = {{"output_size", Sizes{2}}},
       .code = ErrorCode::bad_attribute,
       .contains = "1 numbers for 'output_size'"},
      {.name = "no_elements",
       .inputs = {in({1, 1, 0})},
       .attrs = {{"output_size", Sizes{2}}},
       .code = ErrorCode::bad_shape,
       .contains = "at least one element"},
  };
}

}  // namespace asg::ops
