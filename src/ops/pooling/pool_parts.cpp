#include "ops/pooling/pool_parts.h"

#include <string>

#include "ops/support/gradients.h"

namespace asg::ops {
namespace {

// With pads smaller than the kernel a window always begins and ends close enough; one with gaps may still miss a short
// input.
void check_window_sees_input(const Window& window, int axis) {
  if (window.dilation == 1) return;
  for (std::int64_t position = 0; position < window.output; ++position) {
    bool sees = false;
    for (std::int64_t tap = 0; !sees && tap < window.taps; ++tap) {
      const std::int64_t read = window.read_by(position, tap);
      sees = read >= 0 && read < window.input;
    }
    if (!sees) {
      fail(ErrorCode::bad_shape,
           "a window on spatial axis " + std::to_string(axis) + " that sees only padding at position " +
               std::to_string(position),
           "windows that see at least one element each", "pad less, or use a smaller dilation");
    }
  }
}

void check_pads(const WindowLayout& layout, const std::vector<std::int64_t>& kernel) {
  for (std::size_t side = 0; side < layout.pads.size(); ++side) {
    const std::int64_t taps = kernel[side % kernel.size()];
    if (layout.pads[side] < taps) continue;
    fail(ErrorCode::bad_attribute,
         "a padding of " + std::to_string(layout.pads[side]) + " beside a window of " + std::to_string(taps),
         "pads smaller than the window, so that no window sees only padding");
  }
}

}  // namespace

std::vector<AttrSpec> pool_attributes() {
  return {
      {.name = "kernel_shape",
       .kind = AttrKind::integers,
       .least = 1,
       .words = {"the lengths of the window, one for each spatial axis",
                 "длины окна, по одной на каждую пространственную ось"}},
      strides_attribute(),
      pads_attribute({"how far windows may reach beyond the beginnings of all spatial axes, then beyond their ends; "
                      "empty is not at all",
                      "насколько окна могут выходить за начало каждой пространственной оси, затем за конец; пусто — "
                      "нисколько"}),
      auto_pad_attribute(),
      ceil_mode_attribute(),
  };
}

void check_pool_input(const Shape& x) {
  if (x.rank() >= 3 && x.rank() <= kMostSpatial + 2) return;
  fail(ErrorCode::bad_shape, "an input of shape " + x.to_string(),
       "[batch, channels, …] with one to three spatial axes", "unsqueeze a missing batch or channel axis");
}

Shape pool_shape(const AttrReader& attributes, const Shape& x) {
  check_pool_input(x);
  const WindowLayout layout = window_layout(attributes, x.rank() - 2);
  const auto kernel = per_axis(attributes, "kernel_shape", layout.spatial(), 1);
  check_pads(layout, kernel);
  std::vector<Dim> dims = {x[0], x[1]};
  for (int axis = 0; axis < layout.spatial(); ++axis) {
    const std::int64_t taps = kernel[static_cast<std::size_t>(axis)];
    const Dim& input = x[axis + 2];
    dims.push_back(window_positions(layout, axis, input, taps));
    if (input.is_known()) check_window_sees_input(window_on(layout, axis, input.value(), taps), axis);
  }
  return Shape(std::move(dims));
}

void need_spatial_lengths(const AttrReader& attributes, const Shape& x) {
  for (int axis = 2; axis < x.rank(); ++axis) {
    if (x[axis].is_known()) continue;
    fail(ErrorCode::not_expandable, attributes.op().name + " of " + x.to_string(), "spatial lengths that are known",
         "only batch and channels may be symbols where this op is built of smaller ones");
  }
}

std::vector<Window> pool_windows(const AttrReader& attributes, const Shape& x) {
  need_spatial_lengths(attributes, x);
  const WindowLayout layout = window_layout(attributes, x.rank() - 2);
  const auto kernel = per_axis(attributes, "kernel_shape", layout.spatial(), 1);
  std::vector<Window> windows;
  for (int axis = 0; axis < layout.spatial(); ++axis) {
    windows.push_back(window_on(layout, axis, x[axis + 2].value(), kernel[static_cast<std::size_t>(axis)]));
  }
  return windows;
}

std::vector<Port> pool_inputs(DTypeSet dtypes) {
  return {{.name = "x",
           .dtypes = dtypes,
           .words = {"[batch, channels, …] with one to three spatial axes",
                     "[пакет, каналы, …] с одной–тремя пространственными осями"}}};
}

std::vector<Port> pool_outputs(DTypeSet dtypes) {
  return {{.name = "y",
           .dtypes = dtypes,
           .words = {"one number for each position of the window, [batch, channels, …]",
                     "по числу на каждое положение окна, [пакет, каналы, …]"}}};
}

Port indices_port(Words words) {
  return {.name = "indices", .dtypes = kInt64, .type = "", .words = words, .differentiable = false};
}

Tensor back_to_places(const Tensor& grad, const Tensor& places, const Tensor& x) {
  return add_op("MaxPoolGrad", {grad, places, shape_of(x)});
}

std::vector<BadSample> bad_pools() {
  std::vector<BadSample> samples = pads_and_auto_pad({in({1, 1, 3})}, {{"kernel_shape", Sizes{2}}});
  samples.push_back({.name = "no_spatial_axis",
                     .inputs = {in({2, 3})},
                     .attrs = {{"kernel_shape", Sizes{2}}},
                     .code = ErrorCode::bad_shape,
                     .contains = "one to three spatial axes"});
  samples.push_back({.name = "window_too_large",
                     .inputs = {in({1, 1, 3})},
                     .attrs = {{"kernel_shape", Sizes{4}}},
                     .code = ErrorCode::bad_shape,
                     .contains = "a window of 4 on spatial axis 0, which has 3 elements"});
  samples.push_back({.name = "one_length_for_two_axes",
                     .inputs = {in({1, 1, 3, 3})},
                     .attrs = {{"kernel_shape", Sizes{2}}},
                     .code = ErrorCode::bad_attribute,
                     .contains = "1 numbers for 'kernel_shape'"});
  samples.push_back({.name = "padding_as_large_as_the_window",
                     .inputs = {in({1, 1, 3})},
                     .attrs = {{"kernel_shape", Sizes{2}}, {"pads", Sizes{0, 2}}},
                     .code = ErrorCode::bad_attribute,
                     .contains = "a padding of 2 beside a window of 2"});
  return samples;
}

}  // namespace asg::ops
