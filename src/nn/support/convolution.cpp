#include "nn/support/convolution.h"

#include "nn/support/layers.h"
#include "ops/support/pairs.h"

namespace asg::nn {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr const char* kShapes[] = {"[batch, channels, length]", "[batch, channels, height, width]",
                                   "[batch, channels, depth, height, width]"};
constexpr Words kImages[] = {{"[batch, channels, length]", "[пакет, каналы, длина]"},
                             {"[batch, channels, height, width]", "[пакет, каналы, высота, ширина]"},
                             {"[batch, channels, depth, height, width]", "[пакет, каналы, глубина, высота, ширина]"}};
constexpr Words kFiltered[] = {
    {"[batch, `channels`, length]", "[пакет, `channels`, длина]"},
    {"[batch, `channels`, height, width]", "[пакет, `channels`, высота, ширина]"},
    {"[batch, `channels`, depth, height, width]", "[пакет, `channels`, глубина, высота, ширина]"}};
constexpr Words kKernels[] = {{"length of a filter", "длина фильтра"},
                              {"height and width of a filter", "высота и ширина фильтра"},
                              {"depth, height and width of a filter", "глубина, высота и ширина фильтра"}};
constexpr Words kPads[] = {{"zeros added at the beginning and at the end", "нули в начале и в конце"},
                           {"zeros added at top, left, bottom, right", "нули сверху, слева, снизу, справа"},
                           {"zeros added at the front, top, left, and at the back, bottom, right",
                            "нули спереди, сверху, слева, затем сзади, снизу, справа"}};
constexpr const char* kKernelCounts[] = {"one: the length", "two: height and width", "three: depth, height and width"};

// `first` for the first axis, `rest` for the others.
Integers lengths(int spatial, std::int64_t first, std::int64_t rest) {
  Integers result(static_cast<std::size_t>(spatial), rest);
  result.front() = first;
  return result;
}

Integers sizes(int spatial, std::int64_t batch, std::int64_t channels) {
  Integers result = {batch, channels, 4, 5, 3};
  result.resize(static_cast<std::size_t>(spatial) + 2);
  if (spatial == 3) result = {batch, channels, 3, 4, 2};
  return result;
}

Attrs with_filter(Attrs attrs, int spatial) {
  attrs.set("channels", 2);
  attrs.set("kernel", lengths(spatial, 2, spatial == 3 ? 1 : 2));
  return attrs;
}

}  // namespace

std::vector<Port> image_port(int spatial) { return x_port(kImages[spatial - 1]); }
std::vector<Port> filtered_port(int spatial) { return y_port(kFiltered[spatial - 1]); }

void check_image(const Tensor& x, int spatial) {
  if (x.rank() == spatial + 2) return;
  fail(ErrorCode::bad_shape, "an input of shape " + x.shape().to_string(), kShapes[spatial - 1]);
}

void check_groups(std::int64_t groups, std::int64_t in_channels, std::int64_t out_channels) {
  if (in_channels % groups == 0 && out_channels % groups == 0) return;
  fail(ErrorCode::bad_attribute,
       std::to_string(groups) + " groups for " + std::to_string(in_channels) + " input and " +
           std::to_string(out_channels) + " output channels",
       "a number of groups that divides both");
}

const std::vector<std::int64_t>& kernel_of(const BodyContext& ctx, int spatial) {
  const Integers& kernel = ctx.integers("kernel");
  if (kernel.size() != static_cast<std::size_t>(spatial)) {
    fail(ErrorCode::bad_attribute, std::to_string(kernel.size()) + " kernel lengths", kKernelCounts[spatial - 1]);
  }
  return kernel;
}

void convolution_body(BodyContext& ctx, int spatial) {
  const Tensor& x = ctx.in(0);
  check_image(x, spatial);
  const std::int64_t in_channels = known_length(ctx, x, 1, "channels");
  const std::int64_t channels = ctx.integer("channels");
  const std::int64_t groups = ctx.integer("groups");
  check_groups(groups, in_channels, channels);
  std::vector<Dim> shape = {channels, in_channels / groups};
  for (const std::int64_t length : kernel_of(ctx, spatial)) shape.emplace_back(length);
  const Tensor weight = ctx.parameter("weight", Shape(shape), Initializer::kaiming_uniform());
  const Tensor bias = ctx.boolean("bias") ? ctx.parameter("bias", {channels}, Initializer::zeros()) : Tensor{};
  ctx.output(add_op("Conv", {x, weight, bias},
                    {{"strides", ctx.integers("strides")},
                     {"pads", ctx.integers("pads")},
                     {"dilations", ctx.integers("dilations")},
                     {"group", groups}}));
}

AttrSpec window_attribute(std::string_view name, std::vector<std::int64_t> fallback, double least, Words words) {
  return {.name = name, .kind = AttrKind::integers, .fallback = std::move(fallback), .least = least, .words = words};
}

std::vector<AttrSpec> filter_attributes(int spatial) {
  return {{.name = "channels", .least = 1, .words = {"number of filters", "число фильтров"}},
          {.name = "kernel", .kind = AttrKind::integers, .least = 1, .words = kKernels[spatial - 1]},
          window_attribute("strides", lengths(spatial, 1, 1), 1, {"step of the window", "шаг окна"}),
          window_attribute("pads", Integers(static_cast<std::size_t>(2 * spatial), 0), 0, kPads[spatial - 1]),
          window_attribute("dilations", lengths(spatial, 1, 1), 1,
                           {"distance between taps of a filter", "расстояние между точками фильтра"})};
}

std::vector<AttrSpec> group_attributes() {
  return {
      {.name = "groups",
       .fallback = 1,
       .least = 1,
       .words = {"channels are split into so many independent parts", "на сколько независимых частей делятся каналы"}},
      bias_attribute({"whether a bias is added", "прибавлять ли смещение"})};
}

std::vector<AttrSpec> convolution_layer_attributes(int spatial) {
  std::vector<AttrSpec> attributes = filter_attributes(spatial);
  for (AttrSpec& spec : group_attributes()) attributes.push_back(std::move(spec));
  return attributes;
}

std::vector<Sample> convolution_layer_samples(int spatial) {
  Integers pads(static_cast<std::size_t>(2 * spatial), 0);
  pads.front() = 1;
  pads.back() = 1;
  std::vector<Sample> samples;
  for (Attrs& setting : ops::all_pairs({{"strides", {lengths(spatial, 1, 1), lengths(spatial, 2, 1)}},
                                        {"pads", {Integers(pads.size(), 0), pads}},
                                        {"dilations", {lengths(spatial, 1, 1), lengths(spatial, 2, 1)}},
                                        {"groups", {1, 2}},
                                        {"bias", {true, false}}})) {
    samples.push_back({.name = "mixed_" + std::to_string(samples.size() + 1),
                       .inputs = {in(sizes(spatial, 1, 2))},
                       .attrs = with_filter(std::move(setting), spatial)});
  }
  Sizes different = {2, 3, 4, 6, 5};
  different.resize(static_cast<std::size_t>(spatial) + 2);
  samples.push_back(
      {.name = "different_lengths", .inputs = {in(different)}, .attrs = with_filter({}, spatial), .gradient = false});
  samples.push_back({.name = "batch", .inputs = {in(sizes(spatial, 2, 3))}, .attrs = with_filter({}, spatial)});
  samples.push_back(
      {.name = "no_batch", .inputs = {in(sizes(spatial, 0, 1))}, .attrs = with_filter({}, spatial), .gradient = false});
  return samples;
}

std::vector<BadSample> bad_convolution_layers(int spatial) {
  Sizes flat = sizes(spatial, 1, 3);
  flat.pop_back();
  Attrs wide = with_filter({}, spatial);
  wide.set("kernel", Integers(static_cast<std::size_t>(spatial), 9));
  Attrs too_many = with_filter({}, spatial);
  too_many.set("kernel", Integers(static_cast<std::size_t>(spatial) + 1, 2));
  return {{.name = "an_axis_too_few",
           .inputs = {in(flat)},
           .attrs = with_filter({}, spatial),
           .code = ErrorCode::bad_shape,
           .contains = kShapes[spatial - 1]},
          {.name = "groups",
           .inputs = {in(sizes(spatial, 1, 3))},
           .attrs = with_filter({{"groups", 2}}, spatial),
           .code = ErrorCode::bad_attribute,
           .contains = "divides both"},
          {.name = "kernel_too_long",
           .inputs = {in(sizes(spatial, 1, 3))},
           .attrs = wide,
           .code = ErrorCode::bad_shape,
           .contains = ""},
          {.name = "kernel_of_other_rank",
           .inputs = {in(sizes(spatial, 1, 3))},
           .attrs = too_many,
           .code = ErrorCode::bad_attribute,
           .contains = kKernelCounts[spatial - 1]}};
}

}  // namespace asg::nn
