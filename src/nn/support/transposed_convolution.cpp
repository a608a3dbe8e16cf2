#include "nn/support/transposed_convolution.h"

#include <algorithm>

#include "nn/support/convolution.h"
#include "nn/support/layers.h"
#include "ops/support/pairs.h"

namespace asg::nn {
namespace {

using Integers = std::vector<std::int64_t>;

Integers first_then(int spatial, std::int64_t first, std::int64_t rest) {
  Integers result(static_cast<std::size_t>(spatial), rest);
  result.front() = first;
  return result;
}

// Several input lengths of a convolution give one output length; the padding says which of them is meant, so it is less
// than a step.
bool padding_fits(const Integers& padding, const Integers& strides, const Integers& dilations) {
  if (padding.size() != strides.size() || padding.size() != dilations.size()) return false;
  for (std::size_t axis = 0; axis < padding.size(); ++axis) {
    if (padding[axis] != 0 && padding[axis] >= std::max(strides[axis], dilations[axis])) return false;
  }
  return true;
}

}  // namespace

void transposed_convolution_body(BodyContext& ctx, int spatial) {
  const Tensor& x = ctx.in(0);
  check_image(x, spatial);
  const std::int64_t in_channels = known_length(ctx, x, 1, "channels");
  const std::int64_t channels = ctx.integer("channels");
  const std::int64_t groups = ctx.integer("groups");
  check_groups(groups, in_channels, channels);
  const Integers& padding = ctx.integers("output_padding");
  if (!padding_fits(padding, ctx.integers("strides"), ctx.integers("dilations"))) {
    fail(ErrorCode::bad_attribute, "an output padding of " + Attr(padding).to_string(),
         "on each axis a number below its stride or its dilation");
  }
  std::vector<Dim> shape = {in_channels, channels / groups};
  for (const std::int64_t length : kernel_of(ctx, spatial)) shape.emplace_back(length);
  const Tensor weight = ctx.parameter("weight", Shape(shape), Initializer::kaiming_uniform());
  const Tensor bias = ctx.boolean("bias") ? ctx.parameter("bias", {channels}, Initializer::zeros()) : Tensor{};
  ctx.output(add_op("ConvTranspose", {x, weight, bias},
                    {{"strides", ctx.integers("strides")},
                     {"pads", ctx.integers("pads")},
                     {"output_padding", padding},
                     {"dilations", ctx.integers("dilations")},
                     {"group", groups}}));
}

std::vector<AttrSpec> transposed_convolution_attributes(int spatial) {
  std::vector<AttrSpec> attributes = filter_attributes(spatial);
  for (AttrSpec& spec : attributes) {
    if (spec.name == "strides")
      spec.words = {"how far apart the filter's copies are laid", "как далеко друг от друга кладутся копии фильтра"};
    if (spec.name == "pads")
      spec.words = {"elements cut off at the beginnings of the axes, then at their ends",
                    "сколько элементов отрезать в начале осей, затем в конце"};
  }
  attributes.push_back(
      window_attribute("output_padding", Integers(static_cast<std::size_t>(spatial), 0), 0,
                       {"elements added at the end of each axis", "сколько элементов добавить в конце каждой оси"}));
  for (AttrSpec& spec : group_attributes()) attributes.push_back(std::move(spec));
  return attributes;
}

std::vector<Sample> transposed_convolution_samples(int spatial) {
  const Integers ones = first_then(spatial, 1, 1);
  const Integers twos = first_then(spatial, 2, 1);
  const Integers none(static_cast<std::size_t>(spatial), 0);
  Integers pads(static_cast<std::size_t>(2 * spatial), 0);
  pads.front() = 1;
  const auto fits = [](const Attrs& attrs) {
    const auto list = [&](const char* name) { return attrs.find(name); };
    if (list("output_padding") == nullptr || list("strides") == nullptr || list("dilations") == nullptr) return true;
    return padding_fits(list("output_padding")->as_integers(), list("strides")->as_integers(),
                        list("dilations")->as_integers());
  };
  Sizes sizes = {1, 2, 3, 2};
  sizes.resize(static_cast<std::size_t>(spatial) + 2);
  std::vector<Sample> samples;
  for (Attrs& setting : ops::all_pairs({{"strides", {ones, twos}},
                                        {"pads", {Integers(pads.size(), 0), pads}},
                                        {"output_padding", {none, first_then(spatial, 1, 0)}},
                                        {"dilations", {ones, twos}},
                                        {"groups", {1, 2}},
                                        {"bias", {true, false}}},
                                       fits)) {
    setting.set("channels", 2);
    setting.set("kernel", first_then(spatial, 2, 2));
    samples.push_back(
        {.name = "mixed_" + std::to_string(samples.size() + 1), .inputs = {in(sizes)}, .attrs = std::move(setting)});
  }
  sizes = {2, 3, 4, 5};
  sizes.resize(static_cast<std::size_t>(spatial) + 2);
  samples.push_back({.name = "different_lengths",
                     .inputs = {in(sizes)},
                     .attrs = {{"channels", 2}, {"kernel", first_then(spatial, 3, 2)}},
                     .gradient = false});
  return samples;
}

std::vector<BadSample> bad_transposed_convolutions(int spatial) {
  Sizes sizes = {1, 3, 4, 2};
  sizes.resize(static_cast<std::size_t>(spatial) + 2);
  const Attrs plain = {{"channels", 2}, {"kernel", first_then(spatial, 2, 2)}};
  Attrs grouped = plain;
  grouped.set("groups", 2);
  Attrs padded = plain;
  padded.set("output_padding", first_then(spatial, 1, 0));
  return {{.name = "groups",
           .inputs = {in(sizes)},
           .attrs = grouped,
           .code = ErrorCode::bad_attribute,
           .contains = "divides both"},
          {.name = "padding_of_a_whole_step",
           .inputs = {in(sizes)},
           .attrs = padded,
           .code = ErrorCode::bad_attribute,
           .contains = "below its stride"},
          {.name = "rank_2",
           .inputs = {in({3, 4})},
           .attrs = plain,
           .code = ErrorCode::bad_shape,
           .contains = "[batch, channels, "}};
}

}  // namespace asg::nn
