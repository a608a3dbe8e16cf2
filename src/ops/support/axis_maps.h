#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "asg/graph/card.h"

// Linear ops that work along one axis after the other: average pools, resizing. Each comes with its transpose, which is
// its gradient; so the two are closed under differentiation.
namespace asg::ops {

// A linear map along one axis: each output position is a weighted sum of some input positions.
struct AxisMap {
  struct Tap {
    std::int64_t from = 0;
    double weight = 0;
  };
  int axis = 0;
  std::int64_t input = 0;
  std::vector<std::vector<Tap>> taps;  // by output position; none: the output is 0 there

  std::int64_t output() const { return static_cast<std::int64_t>(taps.size()); }
};

// Input 0 after all maps becomes output 0; or after their transposes.
void apply_maps(KernelContext& ctx, const std::vector<AxisMap>& maps);
void apply_transposed_maps(KernelContext& ctx, const std::vector<AxisMap>& maps);
// The same as products with constant matrices, for bodies.
Tensor mapped(const Tensor& x, const std::vector<AxisMap>& maps);
Tensor transposed_maps(const Tensor& x, const std::vector<AxisMap>& maps);

// An op whose result is x after such maps. Both functions see the attributes and the shape of x, the second one with
// spatial lengths that are known.
struct MappedOp {
  std::string_view name;
  std::string_view gradient_name;
  std::function<Shape(const AttrReader&, const Shape&)> shape;
  std::function<std::vector<AxisMap>(const AttrReader&, const Shape&)> maps;
};

// Type rule, kernel and gradient of the op itself, in a card that has everything else.
void complete_mapped_op(OpCard& card, const MappedOp& op);
// The card of its gradient: inputs grad and the shape of x, and the attributes of the op. It lacks words and samples.
OpCard mapped_gradient(const MappedOp& op, const std::vector<AttrSpec>& attributes);
// Samples of the gradient from those of the op: the gradient has the shape of each result.
std::vector<Sample> mapped_gradient_samples(const MappedOp& op, const OpCard& forward);
// Refuses a gradient that has not the shape of the op's result.
void check_gradient_shape(const Shape& grad, const Shape& y, std::string_view op);
// The ports of such gradients.
std::vector<Port> mapped_gradient_inputs();
std::vector<Port> mapped_gradient_outputs();

}  // namespace asg::ops
