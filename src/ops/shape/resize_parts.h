#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asg/graph/card.h"
#include "ops/support/axis_maps.h"

// What Resize and its gradient share: both are linear maps along single axes.
namespace asg::ops {

// Mode, coordinates and the other choices, but for the value outside the input, of which the gradient knows nothing.
std::vector<AttrSpec> resize_attributes();
// The axes that the operands speak of, in their order.
std::vector<int> resize_axes(const AttrReader& attributes, int rank);

// The operands of a Resize as numbers. Absent: neither given, or not known while building.
struct ResizeOperands {
  std::vector<double> roi;  // beginnings of all axes, then ends
  std::optional<std::vector<double>> scales;
  std::optional<std::vector<Dim>> sizes;
};

// One axis that a Resize works on.
struct ResizedAxis {
  int axis = 0;
  Dim output;
  std::optional<double> scale;  // nothing where only the sizes tell it
  double roi_begin = 0;
  double roi_end = 1;
};

// The axes that change, for an input of that shape. A length that cannot be told becomes a fresh symbol. Throws
// bad_shape and bad_attribute where operands and attributes do not fit.
std::vector<ResizedAxis> resized_axes(const AttrReader& attributes, const Shape& x, const ResizeOperands& operands,
                                      const std::function<Dim()>& fresh_symbol);
Shape resized_shape(const Shape& x, const std::vector<ResizedAxis>& axes);

// Choices of attributes in which all pairs meet, each with operands for an input of [2, 3, 5].
struct ResizeCase {
  std::string name;
  Attrs attrs;
  std::vector<double> roi;
  std::vector<double> scales;
  std::vector<std::int64_t> sizes;
};
std::vector<ResizeCase> resize_cases();

// The maps along them; their lengths must be known. A position outside the region of interest has no taps.
std::vector<AxisMap> resize_maps(const AttrReader& attributes, const Shape& x, const std::vector<ResizedAxis>& axes);

}  // namespace asg::ops
