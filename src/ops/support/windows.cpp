#include "ops/support/windows.h"

#include <string>

#include "ops/support/cost.h"
#include "ops/support/indexing.h"

namespace asg::ops {
namespace {

constexpr int kMostSpatial = 3;

// The values of a list attribute, one for each spatial axis: `otherwise` where it is empty.
std::vector<std::int64_t> per_axis(const AttrReader& attributes, std::string_view name, std::size_t count,
                                   std::int64_t otherwise) {
  auto values = attributes.integers(name);
  if (values.empty()) values.assign(count, otherwise);
  if (values.size() != count) {
    fail(ErrorCode::bad_attribute, std::to_string(values.size()) + " numbers for '" + std::string(name) + "'",
         std::to_string(count) + (name == "pads" ? ": the beginnings of all spatial axes, then their ends"
                                                 : ": one for each spatial axis"));
  }
  return values;
}

// How windows lie on the spatial axes, before the sizes are known.
struct Layout {
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads;  // beginnings, then ends
  bool same = false;               // pads follow from the sizes, so that output = ceil(input / stride)
  bool extra_first = false;        // of an odd number of pads the larger half comes first
};

Layout layout_of(const AttrReader& attributes, std::size_t spatial) {
  Layout layout;
  layout.strides = per_axis(attributes, "strides", spatial, 1);
  layout.dilations = per_axis(attributes, "dilations", spatial, 1);
  layout.pads = per_axis(attributes, "pads", 2 * spatial, 0);
  const std::string& auto_pad = attributes.text("auto_pad");
  if (auto_pad != "NOTSET" && !attributes.integers("pads").empty()) {
    fail(ErrorCode::bad_attribute, "'pads' together with 'auto_pad' " + auto_pad, "one of them",
         "leave 'pads' out, or set 'auto_pad' to NOTSET");
  }
  layout.same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  layout.extra_first = auto_pad == "SAME_LOWER";
  return layout;
}

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

Dim output_length(const Layout& layout, std::size_t axis, const Dim& input, const Dim& taps) {
  const std::size_t spatial = layout.strides.size();
  const Dim reach = Dim(layout.dilations[axis]) * (taps - Dim(1)) + Dim(1);
  if (layout.same) return ceil_div(input, layout.strides[axis]);
  const Dim padded = input + Dim(layout.pads[axis]) + Dim(layout.pads[spatial + axis]);
  const Dim output = floor_div(padded - reach, layout.strides[axis]) + Dim(1);
  if (output.is_known() && output.value() < 1) {
    fail(ErrorCode::bad_shape,
         "a window of " + reach.to_string() + " on spatial axis " + std::to_string(axis) + ", which has " +
             padded.to_string() + " elements with its padding",
         "a window that fits into the padded input", "pad more, or use a smaller kernel or dilation");
  }
  return output;
}

}  // namespace

std::int64_t Window::first_position(std::int64_t tap) const {
  const std::int64_t missing = pad - tap * dilation;
  return std::clamp<std::int64_t>(missing <= 0 ? 0 : (missing - 1) / stride + 1, 0, output);
}

std::int64_t Window::past_position(std::int64_t tap) const {
  const std::int64_t room = input - 1 + pad - tap * dilation;
  return std::clamp<std::int64_t>(room < 0 ? 0 : room / stride + 1, 0, output);
}

std::vector<AttrSpec> convolution_attributes() {
  return {
      {.name = "strides",
       .kind = AttrKind::integers,
       .fallback = Sizes{},
       .least = 1,
       .words = {"how far the window moves on each spatial axis; empty is 1 everywhere",
                 "шаг окна по каждой пространственной оси; пусто — везде 1"}},
      {.name = "pads",
       .kind = AttrKind::integers,
       .fallback = Sizes{},
       .least = 0,
       .words = {"zeros to add at the beginnings of all spatial axes, then at their ends; empty is none",
                 "сколько нулей добавить в начале всех пространственных осей, затем в конце; пусто — нисколько"}},
      {.name = "dilations",
       .kind = AttrKind::integers,
       .fallback = Sizes{},
       .least = 1,
       .words = {"distance between the taps of the window on each spatial axis; empty is 1 everywhere",
                 "расстояние между точками окна по каждой пространственной оси; пусто — везде 1"}},
      {.name = "group",
       .kind = AttrKind::integer,
       .fallback = 1,
       .least = 1,
       .words = {"number of groups of channels that do not see each other",
                 "число групп каналов, не видящих друг друга"}},
      {.name = "auto_pad",
       .kind = AttrKind::text,
       .fallback = "NOTSET",
       .choices = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"},
       .words = {"NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or "
                 "beginning (LOWER); VALID adds nothing",
                 "NOTSET использует `pads`; SAME сохраняет ceil(размер / шаг) позиций, лишний нуль в конце (UPPER) или "
                 "в начале (LOWER); VALID ничего не добавляет"}},
  };
}

Shape convolution_shape(const AttrReader& attributes, const Shape& x, const Shape& w) {
  const int spatial = x.rank() - 2;
  if (spatial < 1 || spatial > kMostSpatial || w.rank() != x.rank()) {
    fail(ErrorCode::bad_shape, "an input of shape " + x.to_string() + " and weights of shape " + w.to_string(),
         "an input [batch, channels, …] and weights [outputs, channels / group, …] with the same one to three spatial "
         "axes",
         "unsqueeze a missing batch or channel axis");
  }
  const Layout layout = layout_of(attributes, static_cast<std::size_t>(spatial));
  check_channels(attributes, x, w);
  std::vector<Dim> dims = {x[0], w[0]};
  for (int axis = 0; axis < spatial; ++axis) {
    dims.push_back(output_length(layout, static_cast<std::size_t>(axis), x[axis + 2], w[axis + 2]));
  }
  return Shape(std::move(dims));
}

void check_convolution_gradient(const AttrReader& attributes, const Shape& grad, const Shape& x, const Shape& w) {
  const Shape y = convolution_shape(attributes, x, w);
  bool fits = grad.rank() == y.rank();
  for (int axis = 0; fits && axis < y.rank(); ++axis) fits = !surely_differ(grad[axis], y[axis]);
  if (fits) return;
  fail(ErrorCode::bad_shape,
       "a gradient of shape " + grad.to_string() + " for a convolution with a result of shape " + y.to_string(),
       "the shape of the convolution's result");
}

Cost convolution_cost(const CostContext& ctx, const TensorType& w, const TensorType& y) {
  double taps = 1;
  for (int axis = 1; axis < w.shape.rank(); ++axis) taps *= static_cast<double>(w.shape[axis].known().value_or(1));
  return {2 * taps * ctx.elements(y), bytes_moved(ctx), true};
}

std::vector<Window> convolution_windows(const AttrReader& attributes, const Shape& x, const Shape& w) {
  const Shape y = convolution_shape(attributes, x, w);
  const auto spatial = static_cast<std::size_t>(x.rank() - 2);
  const Layout layout = layout_of(attributes, spatial);
  std::vector<Window> windows;
  for (std::size_t axis = 0; axis < spatial; ++axis) {
    const int along = static_cast<int>(axis) + 2;
    if (!x[along].is_known() || !w[along].is_known()) {
      fail(ErrorCode::not_expandable,
           "a gradient of a convolution of " + x.to_string() + " with weights of " + w.to_string(),
           "spatial lengths that are known", "only the batch may be a symbol where this op is built of smaller ones");
    }
    Window window{.input = x[along].value(),
                  .output = y[along].value(),
                  .taps = w[along].value(),
                  .stride = layout.strides[axis],
                  .dilation = layout.dilations[axis],
                  .pad = layout.pads[axis]};
    if (layout.same) {
      const std::int64_t reach = (window.output - 1) * window.stride + (window.taps - 1) * window.dilation + 1;
      const std::int64_t total = std::max<std::int64_t>(0, reach - window.input);
      window.pad = (total + (layout.extra_first ? 1 : 0)) / 2;
    }
    windows.push_back(window);
  }
  return windows;
}

Convolution convolution_of(const AttrReader& attributes, const Sizes& x, const Sizes& w) {
  const auto windows = convolution_windows(attributes, Shape::of(x), Shape::of(w));
  Convolution conv;
  conv.batch = x[0];
  conv.groups = attributes.integer("group");
  conv.group_channels = w[1];
  conv.group_outputs = w[0] / conv.groups;
  std::copy(windows.begin(), windows.end(), conv.windows.end() - static_cast<std::ptrdiff_t>(windows.size()));
  return conv;
}

void read_patches(const Convolution& conv, const double* pixels, double* patches, std::int64_t row_step,
                  std::int64_t position_step) {
  const std::int64_t stride = conv.windows[2].stride;
  for_each_patch_run(conv, [&](std::int64_t tap, std::int64_t position, std::int64_t pixel, std::int64_t count) {
    for (std::int64_t channel = 0; channel < conv.group_channels; ++channel) {
      const double* from = pixels + channel * conv.pixels() + pixel;
      double* to = patches + (channel * conv.taps() + tap) * row_step + position * position_step;
      if (stride == 1 && position_step == 1) {
        std::copy_n(from, count, to);
      } else {
        for (std::int64_t k = 0; k < count; ++k) to[k * position_step] = from[k * stride];
      }
    }
  });
}

void add_patches(const Convolution& conv, const double* patches, double* pixels) {
  const std::int64_t stride = conv.windows[2].stride;
  for_each_patch_run(conv, [&](std::int64_t tap, std::int64_t position, std::int64_t pixel, std::int64_t count) {
    for (std::int64_t channel = 0; channel < conv.group_channels; ++channel) {
      const double* from = patches + (channel * conv.taps() + tap) * conv.positions() + position;
      double* to = pixels + channel * conv.pixels() + pixel;
      for (std::int64_t k = 0; k < count; ++k) to[k * stride] += from[k];
    }
  });
}

}  // namespace asg::ops
