// The innermost part of a product, compiled once for each set of vector instructions. No include guard of the usual
// kind: Highway includes this once per target.
#if defined(ASG_GEMM_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASG_GEMM_KERNEL_INL_H_
#undef ASG_GEMM_KERNEL_INL_H_
#else
#define ASG_GEMM_KERNEL_INL_H_
#endif

#include <array>
#include <cstdint>
#include <utility>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace asg::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sums of a block of c stay in registers over the whole inner axis: rows times two vectors, of 32 or of 16 registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM
inline constexpr int kBlockRows = 12;
#else
inline constexpr int kBlockRows = 6;
#endif
inline constexpr int kBlockVectors = 2;

template <class T>
using Vectors = hn::ScalableTag<T>;
template <class T>
inline constexpr std::int64_t kStrip = kBlockVectors * static_cast<std::int64_t>(hn::MaxLanes(Vectors<T>()));

// What a block of the product reads and writes. a holds the rows of a block side by side, element after element of the
// inner axis; b is a strip of columns whose inner elements stand b_step apart.
template <class T>
struct Block {
  std::int64_t inner;
  const T* a;
  const T* b;
  std::int64_t b_step;
  T* c;
  std::int64_t c_step;
  bool add;
};

template <class T, int rows, int vectors>
HWY_NOINLINE void multiply_block(const Block<T>& block) {
  const Vectors<T> d;
  using V = hn::Vec<Vectors<T>>;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(Vectors<T>()));
  V sums[rows][vectors];
#pragma GCC unroll 16
  for (int row = 0; row < rows; ++row) {
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) sums[row][v] = hn::Zero(d);
  }
  const T* HWY_RESTRICT a = block.a;
  const T* HWY_RESTRICT b = block.b;
  for (std::int64_t k = 0; k < block.inner; ++k) {
    V right[vectors];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) right[v] = hn::LoadU(d, b + v * kLanes);
#pragma GCC unroll 16
    for (int row = 0; row < rows; ++row) {
      const V left = hn::Set(d, a[row]);
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) sums[row][v] = hn::MulAdd(left, right[v], sums[row][v]);
    }
    a += rows;
    b += block.b_step;
  }
#pragma GCC unroll 16
  for (int row = 0; row < rows; ++row) {
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
      T* to = block.c + row * block.c_step + v * kLanes;
      hn::StoreU(block.add ? hn::Add(hn::LoadU(d, to), sums[row][v]) : sums[row][v], d, to);
    }
  }
}

template <class T>
using BlockFunction = void (*)(const Block<T>&);

template <class T, int vectors, std::size_t... rows>
constexpr std::array<BlockFunction<T>, sizeof...(rows)> block_functions(std::index_sequence<rows...>) {
  return {&multiply_block<T, static_cast<int>(rows) + 1, vectors>...};
}
// By the number of vectors and of rows, both less 1.
template <class T>
inline constexpr std::array<std::array<BlockFunction<T>, kBlockRows>, kBlockVectors> kBlockFunctions = {
    block_functions<T, 1>(std::make_index_sequence<kBlockRows>()),
    block_functions<T, 2>(std::make_index_sequence<kBlockRows>())};

// A block whose columns end before a whole vector does: computed aside, then copied.
template <class T>
void multiply_narrow_block(BlockFunction<T> function, Block<T> block, int rows, std::int64_t columns) {
  alignas(64) T aside[kBlockRows * kStrip<T>];
  T* c = block.c;
  const std::int64_t c_step = block.c_step;
  const bool add = block.add;
  block.c = aside;
  block.c_step = kStrip<T>;
  block.add = false;
  function(block);
  for (int row = 0; row < rows; ++row) {
    const T* from = aside + row * kStrip<T>;
    T* to = c + row * c_step;
    for (std::int64_t column = 0; column < columns; ++column) to[column] = (add ? to[column] : T(0)) + from[column];
  }
}

// `rows` times `columns` elements, columns up to a strip.
template <class T>
void multiply(const Block<T>& block, int rows, std::int64_t columns) {
  constexpr std::int64_t kLanes = kStrip<T> / kBlockVectors;
  const std::size_t vectors = columns <= kLanes ? 1 : 2;
  const BlockFunction<T> function = kBlockFunctions<T>[vectors - 1][static_cast<std::size_t>(rows) - 1];
  if (columns == static_cast<std::int64_t>(vectors) * kLanes) return function(block);
  multiply_narrow_block(function, block, rows, columns);
}

}  // namespace asg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASG_GEMM_KERNEL_INL_H_
