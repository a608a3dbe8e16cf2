#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "asg/core/array.h"
#include "asg/graph/contexts.h"

// What the reference kernels share. They see dense arrays of f64, i64, u64 or bool and write dense arrays of the
// same; so a walk over strides is needed only where operands are broadcast or axes are reduced.
namespace asg::ops {

// Calls f.operator()<T>() with the C++ type of a number array: double, int64_t or uint64_t.
template <class F>
void dispatch_numeric(const Array& array, F&& f) {
  switch (array.dtype()) {
    case DType::f64:
      return f.template operator()<double>();
    case DType::i64:
      return f.template operator()<std::int64_t>();
    case DType::u64:
      return f.template operator()<std::uint64_t>();
    default:
      fail_internal("a reference kernel got " + array.type_string());
  }
}

// The same for bool arrays too.
template <class F>
void dispatch_any(const Array& array, F&& f) {
  if (array.dtype() == DType::boolean) return f.template operator()<bool>();
  dispatch_numeric(array, std::forward<F>(f));
}

// N arrays walked together over common sizes, in the fewest and longest runs: axes of size 1 are left out, axes
// that follow each other in all arrays are merged. So equal shapes, and a scalar beside an array, are one run.
template <std::size_t N>
struct Walk {
  Sizes sizes;
  std::array<Sizes, N> strides;  // in elements; 0 along axes that are broadcast or reduced
};

template <std::size_t N>
Walk<N> make_walk(const Sizes& sizes, const std::array<Sizes, N>& strides) {
  Walk<N> walk;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    if (sizes[axis] == 1) continue;
    bool follows = !walk.sizes.empty();
    for (std::size_t k = 0; k < N && follows; ++k) {
      follows = strides[k][axis] == walk.strides[k].back() * walk.sizes.back();
    }
    if (follows) {
      walk.sizes.back() *= sizes[axis];
      continue;
    }
    walk.sizes.push_back(sizes[axis]);
    for (std::size_t k = 0; k < N; ++k) walk.strides[k].push_back(strides[k][axis]);
  }
  std::reverse(walk.sizes.begin(), walk.sizes.end());
  for (auto& row : walk.strides) std::reverse(row.begin(), row.end());
  return walk;
}

// Strides of a dense array of `from` when it is broadcast to `to`.
Sizes broadcast_strides(const Sizes& from, const Sizes& to);

// Calls visit(offsets, steps, count) for every run along the innermost axis, in row-major order.
template <std::size_t N, class Visit>
void for_each_run(const Walk<N>& walk, Visit visit) {
  for (std::int64_t size : walk.sizes) {
    if (size == 0) return;
  }
  std::array<std::int64_t, N> offsets{};
  std::array<std::int64_t, N> steps{};
  if (walk.sizes.empty()) return visit(offsets, steps, std::int64_t{1});
  const std::size_t inner = walk.sizes.size() - 1;
  for (std::size_t k = 0; k < N; ++k) steps[k] = walk.strides[k][inner];
  Sizes index(inner, 0);
  for (;;) {
    visit(offsets, steps, walk.sizes[inner]);
    std::size_t axis = inner;
    for (; axis > 0; --axis) {
      const std::size_t outer = axis - 1;
      for (std::size_t k = 0; k < N; ++k) offsets[k] += walk.strides[k][outer];
      if (++index[outer] < walk.sizes[outer]) break;
      for (std::size_t k = 0; k < N; ++k) offsets[k] -= walk.strides[k][outer] * walk.sizes[outer];
      index[outer] = 0;
    }
    if (axis == 0) return;
  }
}

// out = f(in), element by element.
template <class In, class Out = In, class F>
void unary(KernelContext& ctx, F f) {
  const auto from = ctx.in(0).data<In>();
  const auto to = ctx.out().mutable_data<Out>();
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = f(from[k]);
}

// out = f(a, b) with NumPy broadcasting of both to the sizes of `out`, which may be `a` itself.
template <class A, class B, class Out, class F>
void binary_broadcast(const Array& a, const Array& b, Array& out, F f) {
  const A* left = a.data<A>().data();
  const B* right = b.data<B>().data();
  Out* to = out.mutable_data<Out>().data();
  const auto walk =
      make_walk<2>(out.sizes(), {broadcast_strides(a.sizes(), out.sizes()), broadcast_strides(b.sizes(), out.sizes())});
  for_each_run(walk, [&](const auto& offsets, const auto& steps, std::int64_t count) {
    const A* x = left + offsets[0];
    const B* y = right + offsets[1];
    if (steps[0] == 1 && steps[1] == 1) {
      for (std::int64_t k = 0; k < count; ++k) to[k] = f(x[k], y[k]);
    } else if (steps[0] == 1 && steps[1] == 0) {
      for (std::int64_t k = 0; k < count; ++k) to[k] = f(x[k], *y);
    } else {
      for (std::int64_t k = 0; k < count; ++k) to[k] = f(x[k * steps[0]], y[k * steps[1]]);
    }
    to += count;
  });
}

// The same over inputs 0 and 1 of a kernel.
template <class In, class Out = In, class F>
void binary(KernelContext& ctx, F f) {
  binary_broadcast<In, In, Out>(ctx.in(0), ctx.in(1), ctx.out(), f);
}

// out = fold(… fold(x0, x1) …, xn) over all inputs of a kernel, with NumPy broadcasting.
template <class T, class F>
void fold_inputs(KernelContext& ctx, F fold) {
  binary_broadcast<T, T, T>(ctx.in(0), ctx.in(0), ctx.out(), [](T x, T) { return x; });
  for (int index = 1; index < ctx.input_count(); ++index) {
    binary_broadcast<T, T, T>(ctx.out(), ctx.in(index), ctx.out(), fold);
  }
}

// out = f(a, b, c) with NumPy broadcasting of all to the sizes of `out`.
template <class A, class B, class C, class Out, class F>
void ternary_broadcast(const Array& a, const Array& b, const Array& c, Array& out, F f) {
  const A* first = a.data<A>().data();
  const B* second = b.data<B>().data();
  const C* third = c.data<C>().data();
  Out* to = out.mutable_data<Out>().data();
  const Sizes& sizes = out.sizes();
  const auto walk = make_walk<3>(sizes, {broadcast_strides(a.sizes(), sizes), broadcast_strides(b.sizes(), sizes),
                                         broadcast_strides(c.sizes(), sizes)});
  for_each_run(walk, [&](const auto& offsets, const auto& steps, std::int64_t count) {
    const A* x = first + offsets[0];
    const B* y = second + offsets[1];
    const C* z = third + offsets[2];
    for (std::int64_t k = 0; k < count; ++k) to[k] = f(x[k * steps[0]], y[k * steps[1]], z[k * steps[2]]);
    to += count;
  });
}

// Strides, by input axis, of the dense result of a reduction: 0 along the reduced axes.
Sizes reduced_strides(const Sizes& sizes, std::span<const int> axes);

// Folds `in` along `axes` (normalised): every element of `out` becomes fold(… fold(start, x0) …, xn) over its
// elements in row-major order. Whether `out` keeps the reduced axes makes no difference to its memory.
template <class T, class F>
void fold_axes(const Array& in, std::span<const int> axes, Array& out, T start, F fold) {
  const T* from = in.data<T>().data();
  const auto to = out.mutable_data<T>();
  std::fill(to.begin(), to.end(), start);
  const auto walk = make_walk<2>(in.sizes(), {dense_strides(in.sizes()), reduced_strides(in.sizes(), axes)});
  for_each_run(walk, [&](const auto& offsets, const auto& steps, std::int64_t count) {
    const T* x = from + offsets[0];
    T* y = to.data() + offsets[1];
    if (steps[1] == 0) {
      T folded = *y;
      for (std::int64_t k = 0; k < count; ++k) folded = fold(folded, x[k * steps[0]]);
      *y = folded;
    } else {
      for (std::int64_t k = 0; k < count; ++k) y[k * steps[1]] = fold(y[k * steps[1]], x[k * steps[0]]);
    }
  });
}

// An array seen from one axis: the element (before, along, after) stands at (before * length + along) * after_count +
// after.
struct Lanes {
  std::int64_t before_count = 1;  // product of the sizes before the axis
  std::int64_t length = 1;        // of the axis
  std::int64_t after_count = 1;   // product of the sizes after it
};
Lanes lanes_of(const Sizes& sizes, int axis);

// Calls visit(first) with the position of the first element of every lane; the others follow in steps of after_count.
template <class Visit>
void for_each_lane(const Lanes& lanes, Visit visit) {
  for (std::int64_t before = 0; before < lanes.before_count; ++before) {
    for (std::int64_t after = 0; after < lanes.after_count; ++after) {
      visit(before * lanes.length * lanes.after_count + after);
    }
  }
}

// The contents of an i64 array, for operands such as axes and shapes.
std::vector<std::int64_t> ints_of(const Array& array);
// The axes that a kernel works on: those of input `index`, or all of input 0 where it is absent or empty.
std::vector<int> kernel_axes(const KernelContext& ctx, int index);

// Integer arithmetic wraps modulo 2^64 and so, after rounding to the storage type, modulo 2^bits; floats follow
// IEEE 754.
template <class T>
T wrapping_add(T a, T b) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  } else {
    return a + b;
  }
}
template <class T>
T wrapping_sub(T a, T b) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  } else {
    return a - b;
  }
}
template <class T>
T wrapping_mul(T a, T b) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  } else {
    return a * b;
  }
}

// Integers have no infinity to answer a division by 0 with. Throws computation_error.
[[noreturn]] void fail_division_by_zero();
template <class T>
void check_integer_divisor(T divisor) {
  if (divisor == 0) fail_division_by_zero();
}

// The larger and the smaller of two numbers; NaN wins over both.
template <class T>
T larger(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(b)) return b;
  }
  return b > a ? b : a;
}
template <class T>
T smaller(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(b)) return b;
  }
  return b < a ? b : a;
}

// The least and the greatest value of a storage dtype, infinite for floats: where maxima and minima start from.
template <class T>
T lowest_of(DType storage) {
  if constexpr (std::is_floating_point_v<T>) {
    return -std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::min() >> (64 - bits_of(storage));
  }
}
template <class T>
T highest_of(DType storage) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::max() >> (64 - bits_of(storage));
  }
}

// Without overflow on either side: the exponent is never positive.
inline double sigmoid(double x) {
  const double decay = std::exp(-std::fabs(x));
  return (x < 0 ? decay : 1) / (1 + decay);
}
// The same for log(1 + exp(x)); log1p keeps the small values of negative x.
inline double softplus(double x) { return larger(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

}  // namespace asg::ops
