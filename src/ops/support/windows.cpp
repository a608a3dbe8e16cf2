#include "ops/support/windows.h"

#include <string>

namespace asg::ops {

std::int64_t Window::first_position(std::int64_t tap) const {
  const std::int64_t missing = pad - tap * dilation;
  return std::clamp<std::int64_t>(missing <= 0 ? 0 : (missing - 1) / stride + 1, 0, output);
}

std::int64_t Window::past_position(std::int64_t tap) const {
  const std::int64_t room = input - 1 + pad - tap * dilation;
  return std::clamp<std::int64_t>(room < 0 ? 0 : room / stride + 1, 0, output);
}

Windows three_axes(const std::vector<Window>& windows) {
  Windows all;
  std::copy(windows.begin(), windows.end(), all.end() - static_cast<std::ptrdiff_t>(windows.size()));
  return all;
}

std::int64_t taps_of(const Windows& windows) { return windows[0].taps * windows[1].taps * windows[2].taps; }
std::int64_t positions_of(const Windows& windows) { return windows[0].output * windows[1].output * windows[2].output; }
std::int64_t pixels_of(const Windows& windows) { return windows[0].input * windows[1].input * windows[2].input; }

std::vector<std::int64_t> per_axis(const AttrReader& attributes, std::string_view name, int spatial,
                                   std::int64_t otherwise) {
  const bool pads = name == "pads";
  const auto count = static_cast<std::size_t>(pads ? 2 * spatial : spatial);
  std::vector<std::int64_t> values;
  if (attributes.op().find_attribute(name) != nullptr) values = attributes.integers(name);
  if (values.empty()) values.assign(count, otherwise);
  if (values.size() != count) {
    fail(ErrorCode::bad_attribute, std::to_string(values.size()) + " numbers for '" + std::string(name) + "'",
         std::to_string(count) +
             (pads ? ": the beginnings of all spatial axes, then their ends" : ": one for each spatial axis"));
  }
  return values;
}

WindowLayout window_layout(const AttrReader& attributes, int spatial) {
  WindowLayout layout;
  layout.strides = per_axis(attributes, "strides", spatial, 1);
  layout.dilations = per_axis(attributes, "dilations", spatial, 1);
  layout.pads = per_axis(attributes, "pads", spatial, 0);
  const std::string& auto_pad = attributes.text("auto_pad");
  if (auto_pad != "NOTSET" && !attributes.integers("pads").empty()) {
    fail(ErrorCode::bad_attribute, "'pads' together with 'auto_pad' " + auto_pad, "one of them",
         "leave 'pads' out, or set 'auto_pad' to NOTSET");
  }
  layout.same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  layout.extra_first = auto_pad == "SAME_LOWER";
  // Automatic padding fixes the number of positions, as ONNX defines it.
  const bool may_ceil = auto_pad == "NOTSET" && attributes.op().find_attribute("ceil_mode") != nullptr;
  layout.ceil = may_ceil && attributes.boolean("ceil_mode");
  return layout;
}

Dim window_positions(const WindowLayout& layout, int axis, const Dim& input, const Dim& taps) {
  const auto at = static_cast<std::size_t>(axis);
  const Dim stride = layout.strides[at];
  const Dim reach = Dim(layout.dilations[at]) * (taps - Dim(1)) + Dim(1);
  if (layout.same) return ceil_div(input, stride);
  const Dim before = input + Dim(layout.pads[at]);
  const Dim padded = before + Dim(layout.pads[layout.strides.size() + at]);
  const Dim room = padded - reach;
  // A last window that would begin in the padding at the end is left out, since it would see nothing.
  const Dim output =
      layout.ceil ? min(ceil_div(room, stride) + Dim(1), ceil_div(before, stride)) : floor_div(room, stride) + Dim(1);
  if ((room.is_known() && room.value() < 0) || (output.is_known() && output.value() < 1)) {
    fail(ErrorCode::bad_shape,
         "a window of " + reach.to_string() + " on spatial axis " + std::to_string(axis) + ", which has " +
             padded.to_string() + " elements with its padding",
         "a window that fits into the padded input", "pad more, or use a smaller kernel or dilation");
  }
  return output;
}

Window window_on(const WindowLayout& layout, int axis, std::int64_t input, std::int64_t taps) {
  const auto at = static_cast<std::size_t>(axis);
  Window window{.input = input,
                .output = window_positions(layout, axis, input, taps).value(),
                .taps = taps,
                .stride = layout.strides[at],
                .dilation = layout.dilations[at],
                .pad = layout.pads[at],
                .pad_after = layout.pads[layout.strides.size() + at]};
  if (layout.same) {
    const std::int64_t total = std::max<std::int64_t>(0, window.exact_pad_after());
    window.pad = (total + (layout.extra_first ? 1 : 0)) / 2;
    window.pad_after = total - window.pad;
  }
  return window;
}

AttrSpec strides_attribute() {
  return {.name = "strides",
          .kind = AttrKind::integers,
          .fallback = Sizes{},
          .least = 1,
          .words = {"how far the window moves on each spatial axis; empty is 1 everywhere",
                    "шаг окна по каждой пространственной оси; пусто — везде 1"}};
}

AttrSpec dilations_attribute() {
  return {.name = "dilations",
          .kind = AttrKind::integers,
          .fallback = Sizes{},
          .least = 1,
          .words = {"distance between the taps of the window on each spatial axis; empty is 1 everywhere",
                    "расстояние между точками окна по каждой пространственной оси; пусто — везде 1"}};
}

AttrSpec pads_attribute(Words words) {
  return {.name = "pads", .kind = AttrKind::integers, .fallback = Sizes{}, .least = 0, .words = words};
}

AttrSpec auto_pad_attribute() {
  return {.name = "auto_pad",
          .kind = AttrKind::text,
          .fallback = "NOTSET",
          .choices = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"},
          .words = {"NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or "
                    "beginning (LOWER); VALID adds nothing",
                    "NOTSET использует `pads`; SAME сохраняет ceil(размер / шаг) позиций, лишний нуль в конце (UPPER) "
                    "или в начале (LOWER); VALID ничего не добавляет"}};
}

AttrSpec ceil_mode_attribute() {
  return {.name = "ceil_mode",
          .kind = AttrKind::boolean,
          .fallback = Attr(false),
          .words = {"whether a last window that only partly covers the padded input counts too; one that would begin "
                    "in the padding at the end does not. Without effect beside `auto_pad`",
                    "учитывать ли последнее окно, лишь частично лежащее на дополненном входе; окно, начинающееся в "
                    "дополнении в конце, не учитывается. Рядом с `auto_pad` не действует"}};
}

bool no_pads_beside_auto_pad(const Attrs& attrs) {
  const Attr* pads = attrs.find("pads");
  const Attr* auto_pad = attrs.find("auto_pad");
  return pads == nullptr || auto_pad == nullptr || pads->as_integers().empty() || auto_pad->as_text() == "NOTSET";
}

std::vector<BadSample> pads_and_auto_pad(const std::vector<SampleInput>& inputs, const Attrs& attrs) {
  std::vector<BadSample> samples;
  for (const char* mode : {"SAME_UPPER", "SAME_LOWER", "VALID"}) {
    BadSample sample{.name = std::string("pads_and_") + mode,
                     .inputs = inputs,
                     .attrs = attrs,
                     .code = ErrorCode::bad_attribute,
                     .contains = "leave 'pads' out"};
    sample.attrs.set("auto_pad", mode);
    sample.attrs.set("pads", Sizes{1, 1});
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace asg::ops
