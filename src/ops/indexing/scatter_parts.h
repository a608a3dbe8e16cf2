#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/card.h"
#include "ops/support/kernels.h"

// What ScatterElements and ScatterND have in common. They differ in how an index names a place.
namespace asg::ops {

// An op that scatters, and the one that gathers from the same places, by the same attributes.
struct ScatterFamily {
  std::string_view scatter;
  std::string_view gather;
  Attrs place;
};
// Gradient rule of a scatter with the inputs x, indices, updates and the attribute `reduction`.
void scatter_gradient(GradientContext& ctx, const ScatterFamily& family);

AttrSpec scatter_reduction();

// Two updates of one place contradict each other where nothing reduces them: neither is right, and no gradient would
// be.
void claim(std::vector<bool>& taken, std::int64_t offset);

// Writes the updates into a copy of x. for_each(visit) calls visit(position of the update, offset in x).
template <class ForEach>
void scatter_kernel(KernelContext& ctx, ForEach for_each) {
  const std::string& reduction = ctx.text("reduction");
  Array& out = ctx.out();
  out.assign(ctx.in(0));
  dispatch_numeric(out, [&]<class T>() {
    const T* updates = ctx.in(2).data<T>().data();
    T* to = out.mutable_data<T>().data();
    const auto combine = [&](auto fold) {
      for_each([&](std::int64_t position, std::int64_t offset) { to[offset] = fold(to[offset], updates[position]); });
    };
    if (reduction == "add") return combine(wrapping_add<T>);
    if (reduction == "mul") return combine(wrapping_mul<T>);
    if (reduction == "max") return combine(larger<T>);
    if (reduction == "min") return combine(smaller<T>);
    std::vector<bool> taken(static_cast<std::size_t>(out.count()), false);
    for_each([&](std::int64_t position, std::int64_t offset) {
      claim(taken, offset);
      to[offset] = updates[position];
    });
  });
}

}  // namespace asg::ops
