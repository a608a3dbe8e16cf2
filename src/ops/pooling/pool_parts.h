#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "asg/graph/card.h"
#include "ops/support/windows.h"

// What pools have in common: an op that looks at windows of [batch, channels, …], channel by channel.
namespace asg::ops {

// The attributes kernel_shape, strides, pads, auto_pad and ceil_mode.
std::vector<AttrSpec> pool_attributes();

// Refuses what is not [batch, channels, …] with one to three spatial axes.
void check_pool_input(const Shape& x);
// The shape of a pool's result. Throws bad_shape and bad_attribute; also where a window would see nothing but padding.
Shape pool_shape(const AttrReader& attributes, const Shape& x);
// The windows on the spatial axes of x, whose lengths must be known (not_expandable).
std::vector<Window> pool_windows(const AttrReader& attributes, const Shape& x);
// Refuses spatial lengths that are not known, which a body cannot do without.
void need_spatial_lengths(const AttrReader& attributes, const Shape& x);

// The input of pools, and their result.
std::vector<Port> pool_inputs(DTypeSet dtypes = kFloats);
std::vector<Port> pool_outputs(DTypeSet dtypes = kFloats);
// The output that says where each maximum stood.
Port indices_port(Words words);

// Sets `best` and where it stood to a candidate that is larger; NaN is larger than all. Starts with place -1.
template <class T>
void choose_larger(T candidate, std::int64_t place, T& best, std::int64_t& best_place) {
  bool better = best_place < 0 || candidate > best;
  if constexpr (std::is_floating_point_v<T>) better = better || (std::isnan(candidate) && !std::isnan(best));
  if (!better) return;
  best = candidate;
  best_place = place;
}

// The gradient of an op that picks elements of x by their places in it: each goes back to where it was picked.
Tensor back_to_places(const Tensor& grad, const Tensor& places, const Tensor& x);

// Bad samples that all pools with windows refuse.
std::vector<BadSample> bad_pools();

}  // namespace asg::ops
