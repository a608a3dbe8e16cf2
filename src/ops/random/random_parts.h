#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "asg/core/random.h"
#include "asg/graph/card.h"

// What random ops have in common: they are pure functions of (seed, step, stream of the node, place).
namespace asg::ops {

// The inputs `seed` and `step`, in this order.
std::vector<Port> random_ports();
// Checks that inputs `first` and the next, seed and step, are scalars.
void check_random_inputs(const InferContext& ctx, int first);
// The numbers of a node whose seed is input `first`.
RandomStream random_stream(const KernelContext& ctx, int first);

// Fills output 0 with draw(stream, position).
using Draw = std::function<double(const KernelContext& ctx, const RandomStream& random, std::uint64_t position)>;
std::function<void(KernelContext&)> random_kernel(int first, Draw draw);

// Cards of ops that fill a tensor: of a given shape and dtype (`RandomNormal`), or like another (`RandomNormalLike`).
// `parameters` are the real attributes of the distribution, with the value that the samples try besides the default.
struct Parameter {
  std::string_view name;
  double fallback;
  double other;
  Words words;
};
void fill_by_shape(OpCard& card, const std::vector<Parameter>& parameters, const Draw& draw);
void fill_like(OpCard& card, const std::vector<Parameter>& parameters, const Draw& draw);

SampleInput random_number(std::uint64_t value);  // a scalar seed or step

}  // namespace asg::ops
