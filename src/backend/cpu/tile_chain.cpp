#include "backend/cpu/tile_chain.h"

#include "asg/core/dtype.h"
#include "backend/cpu/highway.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/tile_chain.cpp"
#include "hwy/foreach_target.h"
// After it:
#include "backend/cpu/vector_part-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace asg {
namespace HWY_NAMESPACE {

using cpu::ChainCode;
using cpu::ChainLink;
using cpu::ChainOperand;

// NaN of either side wins.
template <class V>
HWY_INLINE V nan_or(V a, V b, V result) {
  const auto is_number = hn::And(hn::Eq(a, a), hn::Eq(b, b));
  return hn::IfThenElse(is_number, result, hn::Add(a, b));
}

// The same for the extreme of a number and `b`, in this order: on x86 Min and Max give the second of two where one is
// NaN, so that nothing is left to do.
template <class V>
HWY_INLINE V keep_nan(V b, V result) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  (void)b;
  return result;
#else
  return hn::IfThenElse(hn::Eq(b, b), result, b);
#endif
}

template <class D, class V>
HWY_INLINE V sign_of(D d, V x) {
  const auto is_kept = hn::Or(hn::Eq(x, hn::Zero(d)), hn::IsNaN(x));
  return hn::IfThenElse(is_kept, x, hn::CopySign(hn::Set(d, hn::TFromD<D>(1)), x));
}

// The upper half of the bits, rounded to nearest even; NaN becomes quiet and stays NaN.
template <class D, class V>
HWY_INLINE V rounded_to_bf16(D d, V x) {
  const hn::Rebind<std::uint32_t, D> words;
  const auto bits = hn::BitCast(words, x);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1u));
  const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(words, 0x7FFFu)));
  const auto chosen =
      hn::IfThenElse(hn::RebindMask(words, hn::Eq(x, x)), rounded, hn::Or(bits, hn::Set(words, 0x400000u)));
  return hn::BitCast(d, hn::And(chosen, hn::Set(words, 0xFFFF0000u)));
}

template <class D, class V>
HWY_INLINE V rounded_to_f16(D d, V x) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const hn::Rebind<hwy::float16_t, D> halves;
  return hn::PromoteTo(d, hn::DemoteTo(halves, x));
#else
  HWY_ALIGN float lanes[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(x, d, lanes);
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) lanes[lane] = f16_to_f32(f32_to_f16(lanes[lane]));
  return hn::Load(d, lanes);
#endif
}

// Vectors that go through a chain side by side: `kVectors` whole ones, or a part of one.
template <class D, int kVectors, bool kPart>
class Block {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;

 public:
  HWY_INLINE Block(std::size_t first, std::size_t part) : first_(first), part_(part) {}

  HWY_INLINE void start(const T* from, std::size_t step) {
    HWY_UNROLL(8)
    for (int k = 0; k < kVectors; ++k) values_[k] = step == 0 ? hn::Set(d_, *from) : load(from, k);
  }

  HWY_INLINE void store(T* to) const {
    if constexpr (kPart) {
      store_part(values_[0], d_, to + first_, part_);
    } else {
      HWY_UNROLL(8)
      for (int k = 0; k < kVectors; ++k) hn::StoreU(values_[k], d_, to + place(k));
    }
  }

  HWY_INLINE void apply(const ChainLink& link) {
    switch (link.code) {
      case ChainCode::add:
        return binary(link, [](V a, V b) { return hn::Add(a, b); });
      case ChainCode::subtract:
        return binary(link, [](V a, V b) { return hn::Sub(a, b); });
      case ChainCode::subtract_from:
        return binary(link, [](V a, V b) { return hn::Sub(b, a); });
      case ChainCode::multiply:
        return binary(link, [](V a, V b) { return hn::Mul(a, b); });
      case ChainCode::divide:
        return binary(link, [](V a, V b) { return hn::Div(a, b); });
      case ChainCode::divide_into:
        return binary(link, [](V a, V b) { return hn::Div(b, a); });
      case ChainCode::minimum:
        return binary(link, [](V a, V b) { return nan_or(a, b, hn::Min(a, b)); });
      case ChainCode::maximum:
        return binary(link, [](V a, V b) { return nan_or(a, b, hn::Max(a, b)); });
      case ChainCode::minimum_number:
        return binary(link, [](V a, V b) { return keep_nan(a, hn::Min(b, a)); });
      case ChainCode::maximum_number:
        return binary(link, [](V a, V b) { return keep_nan(a, hn::Max(b, a)); });
      case ChainCode::choose_value:
        return choose(link, [](auto mask, V a, V b) { return hn::IfThenElse(mask, a, b); });
      case ChainCode::choose_operand:
        return choose(link, [](auto mask, V a, V b) { return hn::IfThenElse(mask, b, a); });
      default:
        return apply_unary(link.code);
    }
  }

 private:
  HWY_INLINE std::size_t place(int k) const { return first_ + static_cast<std::size_t>(k) * hn::Lanes(d_); }

  template <class OtherD>
  HWY_INLINE hn::Vec<OtherD> load_as(OtherD d, const hn::TFromD<OtherD>* from, int k) const {
    if constexpr (kPart) {
      return load_part(d, from + first_, part_);
    } else {
      return hn::LoadU(d, from + place(k));
    }
  }
  HWY_INLINE V load(const T* from, int k) const { return load_as(d_, from, k); }

  template <class F>
  HWY_INLINE void unary(F function) {
    HWY_UNROLL(8)
    for (int k = 0; k < kVectors; ++k) values_[k] = function(values_[k]);
  }

  HWY_INLINE void apply_unary(ChainCode code) {
    const D d = d_;
    switch (code) {
      case ChainCode::negate:
        return unary([](V a) { return hn::Neg(a); });
      case ChainCode::absolute:
        return unary([](V a) { return hn::Abs(a); });
      case ChainCode::square_root:
        return unary([](V a) { return hn::Sqrt(a); });
      case ChainCode::floor:
        return unary([](V a) { return hn::Floor(a); });
      case ChainCode::ceiling:
        return unary([](V a) { return hn::Ceil(a); });
      case ChainCode::round:
        return unary([](V a) { return hn::Round(a); });
      case ChainCode::sign:
        return unary([d](V a) { return sign_of(d, a); });
      case ChainCode::to_f16:
        if constexpr (sizeof(T) == 4) unary([d](V a) { return rounded_to_f16(d, a); });
        return;
      default:
        if constexpr (sizeof(T) == 4) unary([d](V a) { return rounded_to_bf16(d, a); });
        return;
    }
  }

  template <class F>
  HWY_INLINE void binary(const ChainLink& link, F function) {
    const auto* operand = static_cast<const T*>(link.operand);
    if (link.kind == ChainOperand::scalar) {
      const V b = hn::Set(d_, *operand);
      HWY_UNROLL(8)
      for (int k = 0; k < kVectors; ++k) values_[k] = function(values_[k], b);
    } else if (link.kind == ChainOperand::tile) {
      HWY_UNROLL(8)
      for (int k = 0; k < kVectors; ++k) values_[k] = function(values_[k], load(operand, k));
    } else {
      HWY_UNROLL(8)
      for (int k = 0; k < kVectors; ++k) values_[k] = function(values_[k], values_[k]);
    }
  }

  HWY_INLINE hn::Mask<D> mask(const ChainLink& link, int k) const {
    const hn::Rebind<std::uint8_t, D> bytes;
    if (link.condition_step == 0) return mask_of_bytes(d_, hn::Set(bytes, *link.condition));
    return mask_of_bytes(d_, load_as(bytes, link.condition, k));
  }

  template <class F>
  HWY_INLINE void choose(const ChainLink& link, F function) {
    const auto* operand = static_cast<const T*>(link.operand);
    HWY_UNROLL(8)
    for (int k = 0; k < kVectors; ++k) {
      V b = values_[k];
      if (link.kind == ChainOperand::scalar) b = hn::Set(d_, *operand);
      if (link.kind == ChainOperand::tile) b = load(operand, k);
      values_[k] = function(mask(link, k), values_[k], b);
    }
  }

  D d_;
  std::size_t first_;
  std::size_t part_;
  V values_[kVectors];
};

template <int kVectors, bool kPart, class D>
HWY_INLINE void run_block(D, const hn::TFromD<D>* from, std::size_t step, std::span<const ChainLink> links,
                          hn::TFromD<D>* to, std::size_t first, std::size_t part) {
  Block<D, kVectors, kPart> block(first, part);
  block.start(from, step);
  for (const ChainLink& link : links) block.apply(link);
  block.store(to);
}

// Enough to hide the latency of an addition; AVX2 has registers for as many.
constexpr int kSideBySide = 8;

template <class D>
HWY_INLINE void chain(D d, const hn::TFromD<D>* from, std::size_t step, std::span<const ChainLink> links,
                      hn::TFromD<D>* to, std::size_t count) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t k = 0;
  for (; k + kSideBySide * lanes <= count; k += kSideBySide * lanes) {
    run_block<kSideBySide, false>(d, from, step, links, to, k, 0);
  }
  for (; k + lanes <= count; k += lanes) run_block<1, false>(d, from, step, links, to, k, 0);
  if (k < count) run_block<1, true>(d, from, step, links, to, k, count - k);
}

HWY_NOINLINE void chain_f32(const float* from, std::size_t step, std::span<const ChainLink> links, float* to,
                            std::size_t count) {
  chain(hn::ScalableTag<float>(), from, step, links, to, count);
}

HWY_NOINLINE void chain_f64(const double* from, std::size_t step, std::span<const ChainLink> links, double* to,
                            std::size_t count) {
  chain(hn::ScalableTag<double>(), from, step, links, to, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace asg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asg {

HWY_EXPORT(chain_f32);
HWY_EXPORT(chain_f64);

namespace cpu {

void run_chain(const float* from, std::size_t from_step, std::span<const ChainLink> links, float* to,
               std::size_t count) {
  HWY_DYNAMIC_DISPATCH(chain_f32)(from, from_step, links, to, count);
}

void run_chain(const double* from, std::size_t from_step, std::span<const ChainLink> links, double* to,
               std::size_t count) {
  HWY_DYNAMIC_DISPATCH(chain_f64)(from, from_step, links, to, count);
}

}  // namespace cpu
}  // namespace asg
#endif  // HWY_ONCE
