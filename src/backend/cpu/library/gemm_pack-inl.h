// Packing of the operands of a product; see gemm_kernel-inl.h.
#if defined(ASG_GEMM_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASG_GEMM_PACK_INL_H_
#undef ASG_GEMM_PACK_INL_H_
#else
#define ASG_GEMM_PACK_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace asg::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
inline constexpr std::int64_t kSquareBytes = 0;
template <class T>
void turn_square(const T* from, std::int64_t, T* to, std::int64_t) {
  *to = *from;
}
#else
// Four lines of four numbers (of doubles two of two), turned by the exchanges that every processor has.
inline constexpr std::int64_t kSquareBytes = 16;
inline void turn_square(const float* from, std::int64_t from_step, float* to, std::int64_t to_step) {
  const hn::FixedTag<float, 4> d;
  const hn::Repartition<double, decltype(d)> pairs;
  const auto r0 = hn::LoadU(d, from);
  const auto r1 = hn::LoadU(d, from + from_step);
  const auto r2 = hn::LoadU(d, from + 2 * from_step);
  const auto r3 = hn::LoadU(d, from + 3 * from_step);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, to + to_step);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, to + 2 * to_step);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, to + 3 * to_step);
}
inline void turn_square(const double* from, std::int64_t from_step, double* to, std::int64_t to_step) {
  const hn::FixedTag<double, 2> d;
  const auto r0 = hn::LoadU(d, from);
  const auto r1 = hn::LoadU(d, from + from_step);
  hn::StoreU(hn::InterleaveLower(d, r0, r1), d, to);
  hn::StoreU(hn::InterleaveUpper(d, r0, r1), d, to + to_step);
}
#endif

// to[inner * step + line] = from[line * line_step + inner], where the inner axis is dense in memory.
template <class T>
void pack_turned(const T* from, std::int64_t line_step, std::int64_t lines, std::int64_t inner, T* to,
                 std::int64_t step) {
  constexpr std::int64_t kSquare = std::max<std::int64_t>(1, kSquareBytes / static_cast<std::int64_t>(sizeof(T)));
  const auto rest = static_cast<int>(lines % kSquare);
  for (std::int64_t line = 0; line < lines - rest; line += kSquare) {
    const T* source = from + line * line_step;
    std::int64_t k = 0;
    for (; k + kSquare <= inner; k += kSquare) turn_square(source + k, line_step, to + k * step + line, step);
    for (; k < inner; ++k) {
      for (std::int64_t j = 0; j < kSquare; ++j) to[k * step + line + j] = source[j * line_step + k];
    }
  }
  for (int j = 0; j < rest; ++j) {
    const T* source = from + (lines - rest + j) * line_step;
    T* target = to + lines - rest + j;
    for (std::int64_t k = 0; k < inner; ++k, target += step) *target = source[k];
  }
}

template <class T>
void copy_lines(const T* from, std::int64_t lines, T* to) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 16 / sizeof(T)> part;  // rows of a fill no whole vector
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  constexpr auto kPart = static_cast<std::int64_t>(hn::MaxLanes(part));
  std::int64_t line = 0;
  for (; line + kLanes <= lines; line += kLanes) hn::StoreU(hn::LoadU(d, from + line), d, to + line);
  for (; line + kPart <= lines; line += kPart) hn::StoreU(hn::LoadU(part, from + line), part, to + line);
  if (line < lines) std::copy_n(from + line, lines - line, to + line);
}

// `lines` rows of a, or columns of b, side by side for each inner element; the places between `lines` and `step` become
// zero.
template <class T>
void pack(const T* from, std::int64_t line_step, std::int64_t inner_step, std::int64_t lines, std::int64_t inner, T* to,
          std::int64_t step) {
  if (line_step == 1) {
    for (std::int64_t k = 0; k < inner; ++k) copy_lines(from + k * inner_step, lines, to + k * step);
  } else if (inner_step == 1) {
    pack_turned(from, line_step, lines, inner, to, step);
  } else {
    for (std::int64_t k = 0; k < inner; ++k) {
      for (std::int64_t line = 0; line < lines; ++line) {
        to[k * step + line] = from[line * line_step + k * inner_step];
      }
    }
  }
  if (lines == step) return;
  for (std::int64_t k = 0; k < inner; ++k) std::fill(to + k * step + lines, to + (k + 1) * step, T(0));
}

// Panels of `panel` lines one after the other. Lines that stand side by side are read in whole, not panel by panel:
// their memory is touched once. The last panel may be shorter; its step is `last_step`.
template <class T>
void pack_panels(const T* from, std::int64_t line_step, std::int64_t inner_step, std::int64_t lines, std::int64_t inner,
                 T* to, std::int64_t panel, std::int64_t last_step) {
  const std::int64_t whole = lines / panel * panel;
  if (line_step == 1) {
    for (std::int64_t k = 0; k < inner; ++k) {
      const T* source = from + k * inner_step;
      for (std::int64_t line = 0; line < whole; line += panel) {
        copy_lines(source + line, panel, to + line * inner + k * panel);
      }
    }
  } else {
    for (std::int64_t line = 0; line < whole; line += panel) {
      pack(from + line * line_step, line_step, inner_step, panel, inner, to + line * inner, panel);
    }
  }
  if (whole == lines) return;
  pack(from + whole * line_step, line_step, inner_step, lines - whole, inner, to + whole * inner, last_step);
}

}  // namespace asg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASG_GEMM_PACK_INL_H_
