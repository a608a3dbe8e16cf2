// Products of the small matrices of attention, which lie in the first caches: nothing is packed. Compiled once for each
// set of vector instructions. No include guard of the usual kind: Highway includes this once per target.
#if defined(ASG_ATTENTION_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASG_ATTENTION_PRODUCT_INL_H_
#undef ASG_ATTENTION_PRODUCT_INL_H_
#else
#define ASG_ATTENTION_PRODUCT_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <hwy/highway.h>

#include "backend/cpu/vector_part-inl.h"

HWY_BEFORE_NAMESPACE();
namespace asg::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using FloatVector = hn::Vec<Floats>;
inline constexpr auto kFloatLanes = static_cast<std::int64_t>(hn::MaxLanes(Floats()));

// Sums of a tile of c stay in registers over the whole inner axis: of 32 registers, or of 16.
inline constexpr int kTileRows = 6;
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM
inline constexpr int kTileVectors = 4;
#else
inline constexpr int kTileVectors = 2;
#endif
// So many elements of the inner axis at a time: their part of b stays in the first-level cache.
inline constexpr std::int64_t kInnerPart = 64;

// c[m, n] = a · b, or c += a · b, with a[m, inner] and b[inner, n]. The rows of b and c are dense. The element (row, k)
// of a stands at a[row * a_step + k], or where it is turned at a[k * a_step + row].
struct SmallProduct {
  std::int64_t m;
  std::int64_t n;
  std::int64_t inner;
  const float* a;
  std::int64_t a_step;
  const float* b;
  std::int64_t b_step;
  float* c;
  std::int64_t c_step;
  bool add;
};

// Some of a vector's lanes, without touching memory beyond them.
inline FloatVector load_some(const float* from, std::int64_t count) {
  const Floats d;
#if HWY_TARGET <= HWY_AVX2
  return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, from);
#else
  return asg::HWY_NAMESPACE::load_part(d, from, static_cast<std::size_t>(count));
#endif
}
inline void store_some(FloatVector value, float* to, std::int64_t count) {
  const Floats d;
#if HWY_TARGET <= HWY_AVX2
  hn::BlendedStore(value, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
#else
  asg::HWY_NAMESPACE::store_part(value, d, to, static_cast<std::size_t>(count));
#endif
}

// `rows` of the product times `vectors` vectors; where they are partial, there is one with n elements.
template <bool turned, int rows, int vectors, bool partial>
HWY_NOINLINE void multiply_tile(const SmallProduct& tile) {
  const Floats d;
  FloatVector sums[rows][vectors];
#pragma GCC unroll 8
  for (int row = 0; row < rows; ++row) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) sums[row][v] = hn::Zero(d);
  }
  const float* HWY_RESTRICT b = tile.b;
  const float* HWY_RESTRICT a = tile.a;
  const std::int64_t a_step = tile.a_step;
  for (std::int64_t k = 0; k < tile.inner; ++k) {
    FloatVector right[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) right[v] = partial ? load_some(b, tile.n) : hn::LoadU(d, b + v * kFloatLanes);
#pragma GCC unroll 8
    for (int row = 0; row < rows; ++row) {
      const FloatVector left = hn::Set(d, turned ? a[row] : a[row * a_step]);
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sums[row][v] = hn::MulAdd(left, right[v], sums[row][v]);
    }
    a += turned ? a_step : 1;
    b += tile.b_step;
  }
#pragma GCC unroll 8
  for (int row = 0; row < rows; ++row) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      float* to = tile.c + row * tile.c_step + v * kFloatLanes;
      if constexpr (partial) {
        store_some(tile.add ? hn::Add(load_some(to, tile.n), sums[row][v]) : sums[row][v], to, tile.n);
      } else {
        hn::StoreU(tile.add ? hn::Add(hn::LoadU(d, to), sums[row][v]) : sums[row][v], d, to);
      }
    }
  }
}

using TileFunction = void (*)(const SmallProduct&);
using TileFunctions = std::array<TileFunction, kTileRows>;  // by the number of rows less 1

template <bool turned, int vectors, bool partial, std::size_t... rows>
constexpr TileFunctions tile_functions(std::index_sequence<rows...>) {
  return {&multiply_tile<turned, static_cast<int>(rows) + 1, vectors, partial>...};
}
template <bool turned, int vectors, bool partial>
inline constexpr TileFunctions kTileFunctions =
    tile_functions<turned, vectors, partial>(std::make_index_sequence<kTileRows>());

// The columns of a strip, all rows.
template <bool turned>
void multiply_strip(const SmallProduct& strip, const TileFunctions& functions) {
  SmallProduct tile = strip;
  for (std::int64_t row = 0; row < strip.m; row += kTileRows) {
    tile.m = std::min<std::int64_t>(kTileRows, strip.m - row);
    tile.a = strip.a + (turned ? row : row * strip.a_step);
    tile.c = strip.c + row * strip.c_step;
    functions[static_cast<std::size_t>(tile.m) - 1](tile);
  }
}

template <bool turned>
void multiply_part(const SmallProduct& part) {
  SmallProduct strip = part;
  for (std::int64_t column = 0; column < part.n;) {
    const std::int64_t left = part.n - column;
    strip.b = part.b + column;
    strip.c = part.c + column;
    if (left >= kTileVectors * kFloatLanes) {
      strip.n = kTileVectors * kFloatLanes;
      multiply_strip<turned>(strip, kTileFunctions<turned, kTileVectors, false>);
    } else if (left >= 2 * kFloatLanes) {
      strip.n = 2 * kFloatLanes;
      multiply_strip<turned>(strip, kTileFunctions<turned, 2, false>);
    } else if (left >= kFloatLanes) {
      strip.n = kFloatLanes;
      multiply_strip<turned>(strip, kTileFunctions<turned, 1, false>);
    } else {
      strip.n = left;
      multiply_strip<turned>(strip, kTileFunctions<turned, 1, true>);
    }
    column += strip.n;
  }
}

template <bool turned>
void multiply(const SmallProduct& product) {
  if (product.inner == 0) {
    for (std::int64_t row = 0; row < product.m && !product.add; ++row) {
      std::fill_n(product.c + row * product.c_step, product.n, 0.0F);
    }
    return;
  }
  SmallProduct part = product;
  for (std::int64_t k = 0; k < product.inner; k += kInnerPart) {
    part.inner = std::min(kInnerPart, product.inner - k);
    part.a = product.a + (turned ? k * product.a_step : k);
    part.b = product.b + k * product.b_step;
    part.add = product.add || k > 0;
    multiply_part<turned>(part);
  }
}

}  // namespace asg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASG_ATTENTION_PRODUCT_INL_H_
