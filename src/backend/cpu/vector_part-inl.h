// Parts of vectors, and masks from the bytes that booleans are kept in, once per instruction set.

#if defined(ASG_BACKEND_CPU_VECTOR_PART_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ASG_BACKEND_CPU_VECTOR_PART_INL_H
#undef ASG_BACKEND_CPU_VECTOR_PART_INL_H
#else
#define ASG_BACKEND_CPU_VECTOR_PART_INL_H
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace asg {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Whether the processor leaves lanes in memory alone that a mask switches off. Of others the parts are copied.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
inline constexpr bool kHasMaskedMemory = true;
#else
inline constexpr bool kHasMaskedMemory = false;
#endif

// The first `count` elements; nothing beyond them is read. The other lanes are 0.
template <class D>
HWY_INLINE hn::Vec<D> load_part(D d, const hn::TFromD<D>* from, std::size_t count) {
  if constexpr (kHasMaskedMemory && sizeof(hn::TFromD<D>) >= 4) {
    return hn::MaskedLoad(hn::FirstN(d, count), d, from);
  } else {
    HWY_ALIGN hn::TFromD<D> lanes[HWY_MAX_BYTES / sizeof(hn::TFromD<D>)] = {};
    std::memcpy(lanes, from, count * sizeof(hn::TFromD<D>));
    return hn::Load(d, lanes);
  }
}

template <class D>
HWY_INLINE void store_part(hn::Vec<D> value, D d, hn::TFromD<D>* to, std::size_t count) {
  if constexpr (kHasMaskedMemory && sizeof(hn::TFromD<D>) >= 4) {
    hn::BlendedStore(value, hn::FirstN(d, count), d, to);
  } else {
    HWY_ALIGN hn::TFromD<D> lanes[HWY_MAX_BYTES / sizeof(hn::TFromD<D>)];
    hn::Store(value, d, lanes);
    std::memcpy(to, lanes, count * sizeof(hn::TFromD<D>));
  }
}

// Whether each of as many bytes as `d` has lanes is not 0.
template <class D>
HWY_INLINE hn::Mask<D> mask_of_bytes(D d, hn::Vec<hn::Rebind<std::uint8_t, D>> bytes) {
  const hn::Rebind<std::uint32_t, D> words;
  const auto wide = hn::PromoteTo(words, bytes);
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return hn::RebindMask(d, hn::Ne(wide, hn::Zero(words)));
  } else {
    const hn::Rebind<std::uint64_t, D> longs;
    return hn::RebindMask(d, hn::Ne(hn::PromoteTo(longs, wide), hn::Zero(longs)));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace asg
HWY_AFTER_NAMESPACE();

#endif
