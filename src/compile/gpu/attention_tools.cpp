#include "compile/gpu/attention_source.h"

namespace asg::gpu {

// KD and VD: widths of queries and values, rounded up to 16. Rows of tiles in shared memory have 8 elements more, so
// that 8 rows of a matrix lie in different banks.
const std::string_view kAttentionTools = R"(
struct Shape {
  int group, heads, queries, keys, offset;
  float scale;
  long long query[3], key[3], value[3], output[3], mask[4];
};

#ifdef __CUDA_ARCH__
inline __device__ unsigned shared_address(const void* pointer) {
  return (unsigned)__cvta_generic_to_shared(pointer);
}
// Four matrices of 8 x 8; each thread gives the address of one row.
inline __device__ void load_matrices(unsigned (&to)[4], const unsigned short* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}
inline __device__ void load_transposed(unsigned (&to)[4], const unsigned short* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}
// c += a b, of 16 x 16 and 16 x 8.
inline __device__ void multiply_add(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." SHORT_TYPE "." SHORT_TYPE
               ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
inline __device__ unsigned packed(float low, float high) {
  unsigned result;
  asm("cvt.rn." SHORT_TYPE "x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
  return result;
}
inline __device__ float power_of_2(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
// 16 bytes, or zeros.
inline __device__ void copy_later(unsigned short* to, const unsigned short* from, bool valid) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
               "r"(valid ? 16 : 0));
}
inline __device__ void end_of_copies() { asm volatile("cp.async.commit_group;"); }
template <int left>
inline __device__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(left));
}
#else
inline void load_matrices(unsigned (&to)[4], const unsigned short* row) { shim::load_matrices(to, row, false); }
inline void load_transposed(unsigned (&to)[4], const unsigned short* row) { shim::load_matrices(to, row, true); }
inline void multiply_add(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  shim::multiply_add(c, a, b0, b1, from_short);
}
inline unsigned packed(float low, float high) { return to_short(low) | (unsigned)to_short(high) << 16; }
inline float power_of_2(float x) { return exp2f(x); }
inline void copy_later(unsigned short* to, const unsigned short* from, bool valid) {
  for (int i = 0; i < 8; ++i) to[i] = valid ? from[i] : 0;
}
inline void end_of_copies() {}
template <int left>
inline void wait_for_copies() {}
#endif

constexpr int kThreads = 128;
constexpr float kLog2OfE = 1.4426950408889634f;

// Rows of a matrix in memory become a tile; what is beyond `count` rows and `width` elements becomes zeros.
template <int rows, int padded>
inline __device__ void copy_tile(unsigned short* tile, const unsigned short* from, long long stride, int count,
                                 int width) {
  constexpr int kPieces = padded / 8;
#pragma unroll
  for (int piece = (int)threadIdx.x; piece < rows * kPieces; piece += kThreads) {
    const int row = piece / kPieces, column = piece % kPieces * 8;
    unsigned short* const to = tile + row * (padded + 8) + column;
    const unsigned short* const source = from + row * stride + column;
#if ALIGNED
    const bool valid = row < count && column < width;
    copy_later(to, valid ? source : from, valid);
#else
    for (int i = 0; i < 8; ++i) to[i] = row < count && column + i < width ? source[i] : (unsigned short)0;
#endif
  }
}

// Rows of one warp, from its part of a tile to memory.
template <int rows, int padded>
inline __device__ void store_rows(unsigned short* to, const unsigned short* tile, long long stride, int count,
                                  int width) {
  constexpr int kPieces = padded / 8;
  for (int piece = (int)threadIdx.x % 32; piece < rows * kPieces; piece += 32) {
    const int row = piece / kPieces, column = piece % kPieces * 8;
    const unsigned short* const source = tile + row * (padded + 8) + column;
    if (row >= count || column >= width) continue;
#if ALIGNED
    *reinterpret_cast<uint4*>(to + row * stride + column) = *reinterpret_cast<const uint4*>(source);
#else
    for (int i = 0; i < 8 && column + i < width; ++i) to[row * stride + column + i] = source[i];
#endif
  }
}

// Accumulators of 16 rows become rows of a tile.
template <int tiles, int padded>
inline __device__ void to_tile(unsigned short* tile, const float (&sums)[tiles][4], float above, float below) {
  const int lane = (int)threadIdx.x % 32;
#pragma unroll
  for (int n = 0; n < tiles; ++n) {
    unsigned short* const to = tile + lane / 4 * (padded + 8) + n * 8 + lane % 4 * 2;
    *reinterpret_cast<unsigned*>(to) = packed(sums[n][0] * above, sums[n][1] * above);
    *reinterpret_cast<unsigned*>(to + 8 * (padded + 8)) = packed(sums[n][2] * below, sums[n][3] * below);
  }
}

// c += a b', rows of a and b are rows of tiles: the scores of 16 queries.
template <int padded, int tiles>
inline __device__ void products(float (&c)[tiles][4], const unsigned short* a, const unsigned short* b) {
  const int lane = (int)threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < padded; k += 16) {
    unsigned left[4];
    load_matrices(left, a + lane % 16 * (padded + 8) + k + lane / 16 * 8);
#pragma unroll
    for (int n = 0; n < tiles; n += 2) {
      unsigned right[4];
      load_matrices(right, b + (n * 8 + lane % 8 + lane / 16 * 8) * (padded + 8) + k + lane / 8 % 2 * 8);
      multiply_add(c[n], left, right[0], right[1]);
      multiply_add(c[n + 1], left, right[2], right[3]);
    }
  }
}

// c += a b, with a in registers as products leaves it and rows of b along its columns.
template <int padded, int inner, int tiles>
inline __device__ void sums_of_rows(float (&c)[tiles][4], const float (&a)[inner][4], const unsigned short* b) {
  const int lane = (int)threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < inner; k += 2) {
    const unsigned left[4] = {packed(a[k][0], a[k][1]), packed(a[k][2], a[k][3]), packed(a[k + 1][0], a[k + 1][1]),
                              packed(a[k + 1][2], a[k + 1][3])};
#pragma unroll
    for (int n = 0; n < tiles; n += 2) {
      unsigned right[4];
      load_transposed(right, b + (k * 8 + lane % 16) * (padded + 8) + n * 8 + lane / 16 * 8);
      multiply_add(c[n], left, right[0], right[1]);
      multiply_add(c[n + 1], left, right[2], right[3]);
    }
  }
}

inline __device__ bool may_look(const MASK_TYPE* mask, const Shape& s, int query, int key) {
  bool may = query < s.queries && key < s.keys;
#if CAUSAL
  may = may && key <= query + s.offset;
#endif
#if MASK == 1
  may = may && mask[query * s.mask[2] + key * s.mask[3]] != 0;
#endif
  return may;
}

inline __device__ float added_mask(const MASK_TYPE* mask, const Shape& s, int query, int key) {
#if MASK == 2
  if (query < s.queries && key < s.keys) return mask[query * s.mask[2] + key * s.mask[3]] * kLog2OfE;
#endif
  return 0.0f;
}
)";

}  // namespace asg::gpu
