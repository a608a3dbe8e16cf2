#pragma once

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "asg/graph/card.h"
#include "ops/support/kernels.h"

// What ArgMax and ArgMin have in common: they differ in the comparison and in their words.
namespace asg::ops {

// The card with everything but kernel, mappings, words and samples with numbers.
OpCard arg_card(std::string name);
// A vector and the position that is chosen in it.
Sample arg_sample(std::string name, std::vector<double> values, Attrs attrs, std::int64_t expected);

template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

// The position of the extreme of a lane: the first or the last of equal ones. NaN counts as more extreme than any
// number.
template <class T, class Better>
std::int64_t position_of_extreme(const T* lane, std::int64_t length, std::int64_t step, bool last, Better better) {
  std::int64_t best = 0;
  for (std::int64_t k = 1; k < length; ++k) {
    const T value = lane[k * step];
    const T champion = lane[best * step];
    const bool equal = is_nan(champion) ? is_nan(value) : value == champion;
    const bool wins = !is_nan(champion) && (is_nan(value) || better(value, champion));
    if (wins || (last && equal)) best = k;
  }
  return best;
}

template <class Better>
void arg_kernel(KernelContext& ctx, Better better) {
  const Array& x = ctx.in(0);
  const auto lanes = lanes_of(x.sizes(), normalize_axis(ctx.integer("axis"), x.rank()));
  const bool last = ctx.boolean("select_last_index");
  std::int64_t* to = ctx.out().mutable_data<std::int64_t>().data();
  dispatch_numeric(x, [&]<class T>() {
    const T* from = x.data<T>().data();
    for_each_lane(lanes, [&](std::int64_t first) {
      *to++ = position_of_extreme(from + first, lanes.length, lanes.after_count, last, better);
    });
  });
}

}  // namespace asg::ops
