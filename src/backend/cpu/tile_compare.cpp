#include "backend/cpu/tile_compare.h"

#include <functional>

#include "asg/core/error.h"
#include "backend/cpu/highway.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/tile_compare.cpp"
#include "hwy/foreach_target.h"
// After it:
#include "backend/cpu/vector_part-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace asg {
namespace HWY_NAMESPACE {

using cpu::TileOperand;

// A byte of 0 or 1 for each lane.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<std::uint8_t, D>> bytes_of_mask(D d, hn::Mask<D> mask) {
  const hn::Rebind<std::uint8_t, D> bytes;
  using Word = hwy::MakeUnsigned<hn::TFromD<D>>;
  const hn::Rebind<Word, D> words;
  const auto ones = hn::IfThenElseZero(hn::RebindMask(words, mask), hn::Set(words, Word{1}));
  (void)d;
  return hn::TruncateTo(bytes, ones);
}

template <class D, class F>
HWY_INLINE void compare_loop(D d, TileOperand<hn::TFromD<D>> a, TileOperand<hn::TFromD<D>> b, std::uint8_t* to,
                             std::size_t count, F compare) {
  const hn::Rebind<std::uint8_t, D> bytes;
  const std::size_t lanes = hn::Lanes(d);
  const auto load = [&](TileOperand<hn::TFromD<D>> from, std::size_t k) {
    return from.step == 0 ? hn::Set(d, *from.values) : hn::LoadU(d, from.values + k);
  };
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) {
    hn::StoreU(bytes_of_mask(d, compare(load(a, k), load(b, k))), bytes, to + k);
  }
  if (k == count) return;
  const auto load_rest = [&](TileOperand<hn::TFromD<D>> from) {
    return from.step == 0 ? hn::Set(d, *from.values) : load_part(d, from.values + k, count - k);
  };
  store_part(bytes_of_mask(d, compare(load_rest(a), load_rest(b))), bytes, to + k, count - k);
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void compare_floats(ScalarOp op, D d, TileOperand<T> a, TileOperand<T> b, std::uint8_t* to,
                               std::size_t count) {
  using V = hn::Vec<D>;
  switch (op) {
    case ScalarOp::equal:
      return compare_loop(d, a, b, to, count, [](V x, V y) { return hn::Eq(x, y); });
    case ScalarOp::less:
      return compare_loop(d, a, b, to, count, [](V x, V y) { return hn::Lt(x, y); });
    case ScalarOp::less_or_equal:
      return compare_loop(d, a, b, to, count, [](V x, V y) { return hn::Le(x, y); });
    case ScalarOp::greater:
      return compare_loop(d, a, b, to, count, [](V x, V y) { return hn::Gt(x, y); });
    case ScalarOp::greater_or_equal:
      return compare_loop(d, a, b, to, count, [](V x, V y) { return hn::Ge(x, y); });
    default:
      return compare_loop(d, a, a, to, count, [](V x, V) { return hn::IsNaN(x); });
  }
}

HWY_NOINLINE void compare_f32(ScalarOp op, TileOperand<float> a, TileOperand<float> b, std::uint8_t* to,
                              std::size_t count) {
  compare_floats(op, hn::ScalableTag<float>(), a, b, to, count);
}

HWY_NOINLINE void compare_f64(ScalarOp op, TileOperand<double> a, TileOperand<double> b, std::uint8_t* to,
                              std::size_t count) {
  compare_floats(op, hn::ScalableTag<double>(), a, b, to, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace asg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asg {

HWY_EXPORT(compare_f32);
HWY_EXPORT(compare_f64);

namespace cpu {
namespace {

template <class T, class F>
void flag_loop(TileOperand<T> a, TileOperand<T> b, std::uint8_t* to, std::size_t count, F function) {
  for (std::size_t k = 0; k < count; ++k) to[k] = function(a[k], b[k]) ? 1 : 0;
}

template <class T>
void compare_whole(ScalarOp op, TileOperand<T> a, TileOperand<T> b, std::uint8_t* to, std::size_t count) {
  switch (op) {
    case ScalarOp::equal:
      return flag_loop(a, b, to, count, std::equal_to<T>());
    case ScalarOp::less:
      return flag_loop(a, b, to, count, std::less<T>());
    case ScalarOp::less_or_equal:
      return flag_loop(a, b, to, count, std::less_equal<T>());
    case ScalarOp::greater:
      return flag_loop(a, b, to, count, std::greater<T>());
    case ScalarOp::greater_or_equal:
      return flag_loop(a, b, to, count, std::greater_equal<T>());
    default:
      return flag_loop(a, a, to, count, [](T, T) { return false; });
  }
}

}  // namespace

void compare_tiles(ScalarOp op, TileOperand<float> a, TileOperand<float> b, std::uint8_t* to, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(compare_f32)(op, a, b, to, count);
}

void compare_tiles(ScalarOp op, TileOperand<double> a, TileOperand<double> b, std::uint8_t* to, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(compare_f64)(op, a, b, to, count);
}

void compare_tiles(ScalarOp op, TileOperand<std::int64_t> a, TileOperand<std::int64_t> b, std::uint8_t* to,
                   std::size_t count) {
  compare_whole(op, a, b, to, count);
}

void compare_tiles(ScalarOp op, TileOperand<std::uint8_t> a, TileOperand<std::uint8_t> b, std::uint8_t* to,
                   std::size_t count) {
  compare_whole(op, a, b, to, count);
}

void join_flags(ScalarOp op, TileOperand<std::uint8_t> a, TileOperand<std::uint8_t> b, std::uint8_t* to,
                std::size_t count) {
  using Flag = std::uint8_t;
  switch (op) {
    case ScalarOp::logical_not:
      return flag_loop(a, a, to, count, [](Flag x, Flag) { return x == 0; });
    case ScalarOp::logical_and:
      return flag_loop(a, b, to, count, [](Flag x, Flag y) { return (x & y) != 0; });
    case ScalarOp::logical_or:
      return flag_loop(a, b, to, count, [](Flag x, Flag y) { return (x | y) != 0; });
    case ScalarOp::logical_xor:
      return flag_loop(a, b, to, count, [](Flag x, Flag y) { return x != y; });
    default:
      fail_internal("no logic of booleans");
  }
}

}  // namespace cpu
}  // namespace asg
#endif  // HWY_ONCE
