#pragma once

#include <cstddef>
#include <cstdint>

namespace asg::cpu {

// The blocks of a product. A block of b [inner, columns] stays in the second-level cache and one of a in the first, as
// long as they are used. Sizes in bytes of elements, so that both types need the same memory.
inline constexpr std::int64_t kGemmInner = 320;
inline constexpr std::int64_t kGemmColumnBytes = 2048;
inline constexpr std::int64_t kGemmRowBytes = 384;

// Packed blocks of a and b, one pair for each thread: static, so that a product never allocates.
struct GemmMemory {
  alignas(64) std::byte a[kGemmInner * kGemmRowBytes];
  alignas(64) std::byte b[kGemmInner * (kGemmColumnBytes + 128)];  // the last strip may be padded
};
GemmMemory& gemm_memory();

}  // namespace asg::cpu
