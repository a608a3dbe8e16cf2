#include "ops/shape/resize_parts.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "ops/support/indexing.h"
#include "ops/support/pairs.h"

namespace asg::ops {
namespace {

void check_count(std::size_t given, std::size_t needed, const std::string& what) {
  if (given == needed) return;
  fail(ErrorCode::bad_shape, std::to_string(given) + " " + what + " for " + std::to_string(needed) + " axes",
       what == "numbers of 'roi'" ? "the beginnings of all axes, then their ends" : "one for each axis");
}

// floor(input · scale), where that can be told.
std::optional<Dim> scaled_length(const Dim& input, double scale) {
  if (input.is_known()) return Dim(static_cast<std::int64_t>(std::floor(static_cast<double>(input.value()) * scale)));
  if (scale >= 1 && scale == std::floor(scale)) return input * Dim(static_cast<std::int64_t>(scale));
  return std::nullopt;
}

void check_scale(double scale) {
  if (scale > 0 && std::isfinite(scale)) return;
  fail(ErrorCode::bad_shape, "a scale of " + Attr(scale).to_string(), "scales above 0");
}

// One scale for all axes, such that none is larger, or smaller, than its wanted size.
double common_scale(const Shape& x, const std::vector<int>& axes, const std::vector<Dim>& sizes, bool not_larger) {
  std::optional<double> common;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const Dim& input = x[axes[k]];
    if (!input.is_known() || !sizes[k].is_known() || input.value() == 0) {
      fail(ErrorCode::missing_value, "sizes " + Shape(sizes).to_string() + " for an input of " + x.to_string(),
           "lengths that are known and not 0, to keep the aspect ratio", "use keep_aspect_ratio_policy stretch");
    }
    const double scale = static_cast<double>(sizes[k].value()) / static_cast<double>(input.value());
    common = !common ? scale : not_larger ? std::min(*common, scale) : std::max(*common, scale);
  }
  return common.value_or(1);
}

void set_by_scales(std::vector<ResizedAxis>& axes, const Shape& x, const std::vector<double>& scales,
                   const std::function<Dim()>& fresh_symbol) {
  check_count(scales.size(), axes.size(), "scales");
  for (std::size_t k = 0; k < axes.size(); ++k) {
    check_scale(scales[k]);
    const auto length = scaled_length(x[axes[k].axis], scales[k]);
    axes[k].output = length ? *length : fresh_symbol();
    axes[k].scale = scales[k];
  }
}

void set_by_sizes(std::vector<ResizedAxis>& axes, const Shape& x, const std::vector<Dim>& sizes,
                  const std::string& policy) {
  check_count(sizes.size(), axes.size(), "sizes");
  std::vector<int> numbers;
  for (const ResizedAxis& axis : axes) numbers.push_back(axis.axis);
  std::optional<double> common;
  if (policy != "stretch") common = common_scale(x, numbers, sizes, policy == "not_larger");
  for (std::size_t k = 0; k < axes.size(); ++k) {
    axes[k].output = sizes[k];
    axes[k].scale = common;
    if (common) {
      const double length = static_cast<double>(x[axes[k].axis].value()) * *common;
      axes[k].output = static_cast<std::int64_t>(std::floor(length + 0.5));
    }
    if (axes[k].output.is_known() && axes[k].output.value() < 0) {
      fail(ErrorCode::bad_shape, "a size of " + axes[k].output.to_string(), "sizes of 0 or more");
    }
  }
}

// An axis that keeps its length is left alone, whatever the coordinates; unless a region of it is cut out.
bool is_unchanged(const ResizedAxis& axis, const Dim& input) {
  return axis.output == input && axis.scale.value_or(1) == 1 && axis.roi_begin == 0 && axis.roi_end == 1;
}

// The place in the input that an output position looks at.
double source_of(const std::string& mode, std::int64_t position, const ResizedAxis& axis, std::int64_t length) {
  const auto input = static_cast<double>(length);
  const auto whole = static_cast<double>(axis.output.value());
  const double output = axis.scale ? *axis.scale * input : whole;  // may be a fraction where scales are given
  const double scale = axis.scale ? *axis.scale : whole / input;
  const auto at = static_cast<double>(position);
  if (mode == "asymmetric") return at / scale;
  if (mode == "tf_half_pixel_for_nn") return (at + 0.5) / scale;
  if (mode == "align_corners") return output == 1 ? 0 : at * (input - 1) / (output - 1);
  if (mode == "tf_crop_and_resize") {
    const double span = (axis.roi_end - axis.roi_begin) * (input - 1);
    return axis.roi_begin * (input - 1) + (output == 1 ? span / 2 : at * span / (output - 1));
  }
  if (mode == "pytorch_half_pixel" && output == 1) return -0.5;
  // The middle of what is looked at is the middle of the input, also where the output was cut to a whole number.
  const double offset = mode == "half_pixel_symmetric" ? input / 2 * (1 - whole / output) : 0;
  return offset + (at + 0.5) / scale - 0.5;
}

double nearest(const std::string& mode, double source) {
  if (mode == "floor") return std::floor(source);
  if (mode == "ceil") return std::ceil(source);
  return mode == "round_prefer_ceil" ? std::floor(source + 0.5) : std::ceil(source - 0.5);
}

// The weight of a pixel at a distance: a triangle, or Keys' cubic.
double weight_at(double distance, bool cubic, double a) {
  const double d = std::abs(distance);
  if (!cubic) return std::max(0.0, 1 - d);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

// The pixels around a place with their weights; beyond the border stands the last pixel, or nothing.
std::vector<AxisMap::Tap> taps_around(const AttrReader& attributes, double source, double scale, std::int64_t input) {
  const bool cubic = attributes.text("mode") == "cubic";
  const bool exclude = attributes.boolean("exclude_outside");
  // A shrinking window widens with antialias, so that no pixel is skipped.
  const double narrow = attributes.boolean("antialias") ? std::min(scale, 1.0) : 1;
  const double reach = (cubic ? 2 : 1) / narrow;
  std::vector<AxisMap::Tap> taps;
  double sum = 0;
  for (auto pixel = static_cast<std::int64_t>(std::floor(source - reach)) + 1;
       pixel <= static_cast<std::int64_t>(std::floor(source + reach)); ++pixel) {
    const bool inside = pixel >= 0 && pixel < input;
    const double distance = (static_cast<double>(pixel) - source) * narrow;
    const double weight = weight_at(distance, cubic, attributes.real("cubic_coeff_a"));
    if (weight == 0 || (exclude && !inside)) continue;
    sum += weight;
    taps.push_back({std::clamp<std::int64_t>(pixel, 0, input - 1), weight});
  }
  for (AxisMap::Tap& tap : taps) tap.weight /= sum;
  // Far outside nothing is left to weigh: there the last pixel stands.
  if (taps.empty()) taps.push_back({source < 0 ? 0 : input - 1, 1});
  return taps;
}

AxisMap resize_map(const AttrReader& attributes, std::int64_t input, const ResizedAxis& axis) {
  const std::string& coordinates = attributes.text("coordinate_transformation_mode");
  const bool is_nearest = attributes.text("mode") == "nearest";
  AxisMap map{.axis = axis.axis, .input = input, .taps = {}};
  const std::int64_t output = axis.output.value();
  const double scale = axis.scale ? *axis.scale : static_cast<double>(output) / static_cast<double>(input);
  for (std::int64_t position = 0; position < output; ++position) {
    map.taps.emplace_back();
    const double source = source_of(coordinates, position, axis, input);
    const bool outside = source < 0 || source > static_cast<double>(input - 1);
    if (outside && coordinates == "tf_crop_and_resize") continue;
    if (is_nearest) {
      const auto pixel = static_cast<std::int64_t>(nearest(attributes.text("nearest_mode"), source));
      map.taps.back().push_back({std::clamp<std::int64_t>(pixel, 0, input - 1), 1});
    } else {
      map.taps.back() = taps_around(attributes, source, scale, input);
    }
  }
  return map;
}

// Which operands a case has, beside its attributes.
constexpr const char* kWithRoi = "with_roi";
constexpr const char* kBySizes = "by_sizes";

bool has_region(const Attrs& attrs) {
  const Attr* coordinates = attrs.find("coordinate_transformation_mode");
  const Attr* with_roi = attrs.find(kWithRoi);
  return coordinates == nullptr || with_roi == nullptr || with_roi->as_boolean() ||
         coordinates->as_text() != "tf_crop_and_resize";
}

}  // namespace

std::vector<int> resize_axes(const AttrReader& attributes, int rank) {
  const auto& given = attributes.integers("axes");
  if (!given.empty()) return distinct_axes(given, rank);
  std::vector<int> axes;
  for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

std::vector<ResizedAxis> resized_axes(const AttrReader& attributes, const Shape& x, const ResizeOperands& operands,
                                      const std::function<Dim()>& fresh_symbol) {
  std::vector<ResizedAxis> axes;
  for (int axis : resize_axes(attributes, x.rank())) axes.push_back({.axis = axis, .output = {}, .scale = {}});
  if (attributes.text("coordinate_transformation_mode") == "tf_crop_and_resize") {
    check_count(operands.roi.size(), 2 * axes.size(), "numbers of 'roi'");
    for (std::size_t k = 0; k < axes.size(); ++k) {
      axes[k].roi_begin = operands.roi[k];
      axes[k].roi_end = operands.roi[k + axes.size()];
    }
  }
  if (operands.scales) {
    set_by_scales(axes, x, *operands.scales, fresh_symbol);
  } else if (operands.sizes) {
    set_by_sizes(axes, x, *operands.sizes, attributes.text("keep_aspect_ratio_policy"));
  } else {
    for (ResizedAxis& axis : axes) axis.output = fresh_symbol();
  }
  std::vector<ResizedAxis> changed;
  for (ResizedAxis& axis : axes) {
    const Dim& input = x[axis.axis];
    if (is_unchanged(axis, input)) continue;
    if (input == Dim(0) && axis.output != Dim(0)) {
      fail(ErrorCode::bad_shape, "an input of shape " + x.to_string(), "at least one element along each resized axis");
    }
    changed.push_back(std::move(axis));
  }
  return changed;
}

Shape resized_shape(const Shape& x, const std::vector<ResizedAxis>& axes) {
  std::vector<Dim> dims = x.dims();
  for (const ResizedAxis& axis : axes) dims[static_cast<std::size_t>(axis.axis)] = axis.output;
  return Shape(std::move(dims));
}

std::vector<AxisMap> resize_maps(const AttrReader& attributes, const Shape& x, const std::vector<ResizedAxis>& axes) {
  std::vector<AxisMap> maps;
  for (const ResizedAxis& axis : axes) maps.push_back(resize_map(attributes, x[axis.axis].value(), axis));
  return maps;
}

std::vector<AttrSpec> resize_attributes() {
  return {
      {.name = "mode",
       .kind = AttrKind::text,
       .fallback = "nearest",
       .choices = {"nearest", "linear", "cubic"},
       .words = {"copies the nearest element, or mixes two (linear) or four (cubic) along each axis",
                 "копировать ближайший элемент или смешивать по каждой оси два (linear) либо четыре (cubic)"}},
      {.name = "coordinate_transformation_mode",
       .kind = AttrKind::text,
       .fallback = "half_pixel",
       .choices = {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
                   "tf_half_pixel_for_nn", "tf_crop_and_resize"},
       .words = {"which place of the input an output position looks at: elements as areas (half_pixel and its "
                 "relatives), first and last as fixed points (align_corners), multiples of the step (asymmetric), a "
                 "region of interest (tf_crop_and_resize)",
                 "на какое место входа смотрит позиция выхода: элементы как площадки (half_pixel и родственные), "
                 "неподвижные первый и последний (align_corners), кратные шага (asymmetric), область интереса "
                 "(tf_crop_and_resize)"}},
      {.name = "nearest_mode",
       .kind = AttrKind::text,
       .fallback = "round_prefer_floor",
       .choices = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"},
       .words = {"how `nearest` rounds a place between two elements",
                 "как `nearest` округляет место между двумя элементами"}},
      {.name = "cubic_coeff_a",
       .kind = AttrKind::real,
       .fallback = -0.75,
       .words = {"the slope of the cubic's tail: -0.75 as in PyTorch, -0.5 as in TensorFlow",
                 "наклон хвоста кубической функции: -0.75, как в PyTorch, или -0.5, как в TensorFlow"}},
      {.name = "exclude_outside",
       .kind = AttrKind::boolean,
       .fallback = Attr(false),
       .words = {"whether elements beyond the border weigh nothing; else the last element is repeated there",
                 "не учитывать ли то, что за краем; иначе там повторяется последний элемент"}},
      {.name = "antialias",
       .kind = AttrKind::boolean,
       .fallback = Attr(false),
       .words = {"whether shrinking with linear or cubic mixes all elements in between instead of skipping some",
                 "смешивать ли при уменьшении в режимах linear и cubic все промежуточные элементы, не пропуская их"}},
      {.name = "axes",
       .kind = AttrKind::integers,
       .fallback = Sizes{},
       .words = {"the axes that scales, sizes and roi speak of; empty is all",
                 "оси, к которым относятся scales, sizes и roi; пусто — все"}},
      {.name = "keep_aspect_ratio_policy",
       .kind = AttrKind::text,
       .fallback = "stretch",
       .choices = {"stretch", "not_larger", "not_smaller"},
       .words =
           {"whether sizes are met exactly, or all axes take the scale with which none is larger, or smaller, than "
            "asked",
            "соблюдать ли размеры точно или взять для всех осей масштаб, при котором ни одна не больше либо не "
            "меньше заданной"}},
  };
}

std::vector<ResizeCase> resize_cases() {
  const std::vector<AttrValues> values = {
      {"mode", {"nearest", "linear", "cubic"}},
      {"coordinate_transformation_mode",
       {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
        "tf_half_pixel_for_nn", "tf_crop_and_resize"}},
      {"nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}},
      {"cubic_coeff_a", {-0.75, -0.5}},
      {"exclude_outside", {false, true}},
      {"antialias", {false, true}},
      {"axes", {Sizes{}, Sizes{2}}},
      {"keep_aspect_ratio_policy", {"stretch", "not_larger", "not_smaller"}},
      {"extrapolation_value", {0.0, 1.5}},
      {kWithRoi, {false, true}},
      {kBySizes, {false, true}},
  };
  std::vector<ResizeCase> cases;
  for (Attrs& attrs : all_pairs(values, has_region)) {
    ResizeCase row{.name = "pairs_" + std::to_string(cases.size()), .attrs = {}, .roi = {}, .scales = {}, .sizes = {}};
    const bool all_axes = attrs.find("axes")->as_integers().empty();
    const bool shrink = cases.size() % 2 == 1;
    if (attrs.find(kWithRoi)->as_boolean()) {
      row.roi = all_axes ? std::vector<double>{0, 0, 0.2, 1, 1, 0.7} : std::vector<double>{0.3, 1.2};
    }
    if (attrs.find(kBySizes)->as_boolean()) {
      row.sizes = all_axes ? Sizes{3, 4, 7} : Sizes{shrink ? 3 : 8};
    } else {
      row.scales = all_axes ? std::vector<double>{1, 1, 1.5} : std::vector<double>{shrink ? 0.55 : 1.7};
    }
    attrs.erase(kWithRoi);
    attrs.erase(kBySizes);
    row.attrs = std::move(attrs);
    cases.push_back(std::move(row));
  }
  return cases;
}

}  // namespace asg::ops
