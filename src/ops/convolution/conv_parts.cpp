#include "ops/convolution/conv_parts.h"

#include <string>

#include "ops/support/cost.h"
#include "ops/support/indexing.h"

namespace asg::ops {
namespace {

void check_channels(const AttrReader& attributes, const Shape& x, const Shape& w) {
  const Dim group = attributes.integer("group");
  if (surely_differ(w[1] * group, x[1])) {
    fail(ErrorCode::bad_shape,
         "an input of " + x[1].to_string() + " channels, weights for " + w[1].to_string() + " channels, and " +
             group.to_string() + (group == Dim(1) ? " group" : " groups"),
         "as many input channels as weight channels times groups");
  }
  if (w[0].is_known() && mod(w[0], group) != Dim(0)) {
    fail(ErrorCode::bad_shape, w[0].to_string() + " output channels in " + group.to_string() + " groups",
         "a number of output channels that the groups divide");
  }
}

}  // namespace

std::vector<AttrSpec> convolution_attributes() {
  return {
      strides_attribute(),
      pads_attribute({"zeros to add at the beginnings of all spatial axes, then at their ends; empty is none",
                      "сколько нулей добавить в начале всех пространственных осей, затем в конце; пусто — нисколько"}),
      dilations_attribute(),
      {.name = "group",
       .kind = AttrKind::integer,
       .fallback = 1,
       .least = 1,
       .words =
           {"number of groups of channels that do not see each other; one per channel makes a depthwise convolution",
            "число групп каналов, не видящих друг друга; по группе на канал — поканальная (depthwise) свёртка"}},
      auto_pad_attribute(),
      {.name = "kernel_shape",
       .kind = AttrKind::integers,
       .fallback = Sizes{},
       .least = 1,
       .words = {"the spatial lengths of the filters, which tell it themselves; where it is given it must agree",
                 "пространственные длины фильтров; они известны и так, но заданное значение должно совпадать"}},
  };
}

void check_spatial_axes(const Shape& x, const Shape& w, std::string_view weights) {
  const int spatial = x.rank() - 2;
  if (spatial >= 1 && spatial <= kMostSpatial && w.rank() == x.rank()) return;
  fail(ErrorCode::bad_shape, "an input of shape " + x.to_string() + " and weights of shape " + w.to_string(),
       "an input [batch, channels, …] and weights " + std::string(weights) + " with the same one to three spatial axes",
       "unsqueeze a missing batch or channel axis");
}

void check_kernel_shape(const AttrReader& attributes, const Shape& w) {
  const auto& kernel = attributes.integers("kernel_shape");
  if (kernel.empty()) return;
  const Shape given = Shape::of(kernel);
  const Shape lengths(std::vector<Dim>(w.begin() + 2, w.end()));
  bool fits = given.rank() == lengths.rank();
  for (int axis = 0; fits && axis < given.rank(); ++axis) fits = !surely_differ(given[axis], lengths[axis]);
  if (fits) return;
  fail(ErrorCode::bad_attribute, "a kernel_shape of " + given.to_string() + " and filters of " + lengths.to_string(),
       "the same of both", "leave 'kernel_shape' out: the filters tell it");
}

void check_bias(const InferContext& ctx, const Dim& channels) {
  if (!ctx.has(2) || ctx.shape(2) == Shape{channels}) return;
  fail(ErrorCode::bad_shape, "a bias of shape " + ctx.shape(2).to_string(),
       "one number for each of the " + channels.to_string() + " output channels");
}

Shape convolution_shape(const AttrReader& attributes, const Shape& x, const Shape& w) {
  check_spatial_axes(x, w, "[outputs, channels / group, …]");
  const WindowLayout layout = window_layout(attributes, x.rank() - 2);
  check_channels(attributes, x, w);
  check_kernel_shape(attributes, w);
  std::vector<Dim> dims = {x[0], w[0]};
  for (int axis = 0; axis < layout.spatial(); ++axis) {
    dims.push_back(window_positions(layout, axis, x[axis + 2], w[axis + 2]));
  }
  return Shape(std::move(dims));
}

Cost convolution_cost(const CostContext& ctx, const TensorType& w, const TensorType& y) {
  double taps = 1;
  for (int axis = 1; axis < w.shape.rank(); ++axis) taps *= static_cast<double>(w.shape[axis].known().value_or(1));
  return {2 * taps * ctx.elements(y), bytes_moved(ctx), true};
}

std::vector<Window> convolution_windows(const AttrReader& attributes, const Shape& x, const Shape& w) {
  const WindowLayout layout = window_layout(attributes, x.rank() - 2);
  std::vector<Window> windows;
  for (int axis = 0; axis < layout.spatial(); ++axis) {
    const Dim& input = x[axis + 2];
    const Dim& taps = w[axis + 2];
    if (!input.is_known() || !taps.is_known()) {
      fail(ErrorCode::not_expandable,
           "a gradient of a convolution of " + x.to_string() + " with weights of " + w.to_string(),
           "spatial lengths that are known", "only the batch may be a symbol where this op is built of smaller ones");
    }
    windows.push_back(window_on(layout, axis, input.value(), taps.value()));
  }
  return windows;
}

Convolution convolution_of(const AttrReader& attributes, const Sizes& x, const Sizes& w) {
  Convolution conv;
  conv.batch = x[0];
  conv.groups = attributes.integer("group");
  conv.group_channels = w[1];
  conv.group_outputs = w[0] / conv.groups;
  conv.windows = three_axes(convolution_windows(attributes, Shape::of(x), Shape::of(w)));
  return conv;
}

void read_patches(const Convolution& conv, const double* pixels, double* patches, std::int64_t row_step,
                  std::int64_t position_step) {
  const std::int64_t stride = conv.windows[2].stride;
  const auto copy = [&](std::int64_t tap, std::int64_t position, std::int64_t pixel, std::int64_t count) {
    for (std::int64_t channel = 0; channel < conv.group_channels; ++channel) {
      const double* from = pixels + channel * conv.pixels() + pixel;
      double* to = patches + (channel * conv.taps() + tap) * row_step + position * position_step;
      if (stride == 1 && position_step == 1) {
        std::copy_n(from, count, to);
      } else {
        for (std::int64_t k = 0; k < count; ++k) to[k * position_step] = from[k * stride];
      }
    }
  };
  for_each_patch_run(conv.windows, copy);
}

void add_patches(const Convolution& conv, const double* patches, double* pixels) {
  const std::int64_t stride = conv.windows[2].stride;
  const auto add = [&](std::int64_t tap, std::int64_t position, std::int64_t pixel, std::int64_t count) {
    for (std::int64_t channel = 0; channel < conv.group_channels; ++channel) {
      const double* from = patches + (channel * conv.taps() + tap) * conv.positions() + position;
      double* to = pixels + channel * conv.pixels() + pixel;
      for (std::int64_t k = 0; k < count; ++k) to[k * stride] += from[k];
    }
  };
  for_each_patch_run(conv.windows, add);
}

}  // namespace asg::ops
