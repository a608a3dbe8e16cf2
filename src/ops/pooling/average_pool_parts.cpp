#include "ops/pooling/average_pool_parts.h"

#include <algorithm>

#include "ops/pooling/adaptive_parts.h"
#include "ops/pooling/pool_parts.h"

namespace asg::ops {
namespace {

// Of the padding only what lies within the padded input counts, never what ceil_mode reaches beyond it.
AxisMap average_along(const Window& window, int axis, bool count_padding) {
  AxisMap map{.axis = axis, .input = window.input, .taps = {}};
  for (std::int64_t position = 0; position < window.output; ++position) {
    std::vector<AxisMap::Tap> taps;
    std::int64_t counted = 0;
    for (std::int64_t tap = 0; tap < window.taps; ++tap) {
      const std::int64_t read = window.read_by(position, tap);
      const bool inside = read >= 0 && read < window.input;
      if (inside) taps.push_back({read, 0});
      counted += inside || (count_padding && read < window.input + window.pad_after) ? 1 : 0;
    }
    for (AxisMap::Tap& tap : taps) tap.weight = 1 / static_cast<double>(counted);
    map.taps.push_back(std::move(taps));
  }
  return map;
}

std::vector<AxisMap> average_maps(const AttrReader& attributes, const Shape& x) {
  std::vector<AxisMap> maps;
  for (const Window& window : pool_windows(attributes, x)) {
    maps.push_back(average_along(window, static_cast<int>(maps.size()) + 2, attributes.boolean("count_include_pad")));
  }
  return maps;
}

std::vector<AxisMap> adaptive_maps(const AttrReader& attributes, const Shape& x) {
  std::vector<AxisMap> maps;
  for (const AdaptiveAxis& axis : adaptive_axes(attributes, x)) {
    AxisMap map{.axis = static_cast<int>(maps.size()) + 2, .input = axis.input, .taps = {}};
    for (std::int64_t position = 0; position < axis.output; ++position) {
      const double weight = 1 / static_cast<double>(axis.end(position) - axis.begin(position));
      map.taps.emplace_back();
      for (std::int64_t read = axis.begin(position); read < axis.end(position); ++read) {
        map.taps.back().push_back({read, weight});
      }
    }
    maps.push_back(std::move(map));
  }
  return maps;
}

}  // namespace

MappedOp average_pool() { return {"AveragePool", "AveragePoolGrad", pool_shape, average_maps}; }

std::vector<AttrSpec> average_pool_attributes() {
  auto attributes = pool_attributes();
  attributes.push_back({.name = "count_include_pad",
                        .kind = AttrKind::boolean,
                        .fallback = Attr(false),
                        .words = {"whether padding counts as zeros in the average; else only elements of the input do",
                                  "входит ли дополнение в среднее как нули; иначе считаются только элементы входа"}});
  return attributes;
}

MappedOp adaptive_average_pool() {
  return {"AdaptiveAveragePool", "AdaptiveAveragePoolGrad", adaptive_shape, adaptive_maps};
}

}  // namespace asg::ops
