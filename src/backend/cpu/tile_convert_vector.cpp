#include "backend/cpu/tile_convert_vector.h"

#include "asg/core/dtype.h"
#include "backend/cpu/highway.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/tile_convert_vector.cpp"
#include "hwy/foreach_target.h"
// After it:
#include "backend/cpu/vector_part-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace asg {
namespace HWY_NAMESPACE {

// to[k] = convert(from[k]) of vectors with as many lanes on both sides.
template <class From, class To, class F>
HWY_INLINE void convert(From from_d, To to_d, const hn::TFromD<From>* from, hn::TFromD<To>* to, std::size_t count,
                        F function) {
  const std::size_t lanes = hn::Lanes(to_d);
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) hn::StoreU(function(hn::LoadU(from_d, from + k)), to_d, to + k);
  if (k < count) store_part(function(load_part(from_d, from + k, count - k)), to_d, to + k, count - k);
}

HWY_NOINLINE void f16_to_f32_loop(const std::uint16_t* from, float* to, std::size_t count) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const hn::ScalableTag<float> wide;
  const hn::Rebind<std::uint16_t, decltype(wide)> narrow;
  const hn::Rebind<hwy::float16_t, decltype(wide)> halves;
  convert(narrow, wide, from, to, count, [&](auto bits) { return hn::PromoteTo(wide, hn::BitCast(halves, bits)); });
#else
  for (std::size_t k = 0; k < count; ++k) to[k] = f16_to_f32(from[k]);
#endif
}

HWY_NOINLINE void f32_to_f16_loop(const float* from, std::uint16_t* to, std::size_t count) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const hn::ScalableTag<float> wide;
  const hn::Rebind<std::uint16_t, decltype(wide)> narrow;
  const hn::Rebind<hwy::float16_t, decltype(wide)> halves;
  convert(wide, narrow, from, to, count, [&](auto value) { return hn::BitCast(narrow, hn::DemoteTo(halves, value)); });
#else
  for (std::size_t k = 0; k < count; ++k) to[k] = f32_to_f16(from[k]);
#endif
}

HWY_NOINLINE void bf16_to_f32_loop(const std::uint16_t* from, float* to, std::size_t count) {
  const hn::ScalableTag<float> wide;
  const hn::Rebind<std::uint16_t, decltype(wide)> narrow;
  const hn::Rebind<std::uint32_t, decltype(wide)> words;
  convert(narrow, wide, from, to, count,
          [&](auto bits) { return hn::BitCast(wide, hn::ShiftLeft<16>(hn::PromoteTo(words, bits))); });
}

// Nearest even: just under half of the last kept bit is added, and all of it where that bit is 1.
HWY_NOINLINE void f32_to_bf16_loop(const float* from, std::uint16_t* to, std::size_t count) {
  const hn::ScalableTag<float> wide;
  const hn::Rebind<std::uint16_t, decltype(wide)> narrow;
  const hn::Rebind<std::int32_t, decltype(wide)> words;
  const hn::Rebind<std::uint32_t, decltype(wide)> unsigned_words;
  convert(wide, narrow, from, to, count, [&](auto value) {
    const auto bits = hn::BitCast(unsigned_words, value);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(unsigned_words, 1u));
    const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(unsigned_words, 0x7FFFu)));
    const auto chosen = hn::IfThenElse(hn::RebindMask(unsigned_words, hn::Eq(value, value)), rounded,
                                       hn::Or(bits, hn::Set(unsigned_words, 0x400000u)));
    return hn::DemoteTo(narrow, hn::BitCast(words, hn::ShiftRight<16>(chosen)));
  });
}

HWY_NOINLINE void f32_to_f64_loop(const float* from, double* to, std::size_t count) {
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  convert(narrow, wide, from, to, count, [&](auto value) { return hn::PromoteTo(wide, value); });
}

HWY_NOINLINE void f64_to_f32_loop(const double* from, float* to, std::size_t count) {
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  convert(wide, narrow, from, to, count, [&](auto value) { return hn::DemoteTo(narrow, value); });
}

HWY_NOINLINE void flags_to_f32_loop(const std::uint8_t* from, float* to, std::size_t count) {
  const hn::ScalableTag<float> wide;
  const hn::Rebind<std::uint8_t, decltype(wide)> bytes;
  convert(bytes, wide, from, to, count,
          [&](auto flags) { return hn::IfThenElseZero(mask_of_bytes(wide, flags), hn::Set(wide, 1.0f)); });
}

HWY_NOINLINE void fill_f32_loop(float value, float* to, std::size_t count) {
  const hn::ScalableTag<float> d;
  const auto all = hn::Set(d, value);
  const std::size_t lanes = hn::Lanes(d);
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) hn::StoreU(all, d, to + k);
  for (; k < count; ++k) to[k] = value;
}

}  // namespace HWY_NAMESPACE
}  // namespace asg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asg {

HWY_EXPORT(f16_to_f32_loop);
HWY_EXPORT(f32_to_f16_loop);
HWY_EXPORT(bf16_to_f32_loop);
HWY_EXPORT(f32_to_bf16_loop);
HWY_EXPORT(f32_to_f64_loop);
HWY_EXPORT(f64_to_f32_loop);
HWY_EXPORT(flags_to_f32_loop);
HWY_EXPORT(fill_f32_loop);

namespace cpu {

void widen_f16(const std::uint16_t* from, float* to, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(f16_to_f32_loop)(from, to, count);
}
void widen_bf16(const std::uint16_t* from, float* to, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(bf16_to_f32_loop)(from, to, count);
}
void narrow_f16(const float* from, std::uint16_t* to, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(f32_to_f16_loop)(from, to, count);
}
void narrow_bf16(const float* from, std::uint16_t* to, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(f32_to_bf16_loop)(from, to, count);
}
void widen_f32(const float* from, double* to, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(f32_to_f64_loop)(from, to, count);
}
void narrow_f64(const double* from, float* to, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(f64_to_f32_loop)(from, to, count);
}
void flags_to_f32(const std::uint8_t* from, float* to, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(flags_to_f32_loop)(from, to, count);
}

void fill_f32(float value, float* to, std::size_t count) { HWY_DYNAMIC_DISPATCH(fill_f32_loop)(value, to, count); }

}  // namespace cpu
}  // namespace asg
#endif  // HWY_ONCE
