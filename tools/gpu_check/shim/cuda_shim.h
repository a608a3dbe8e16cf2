// Enough of CUDA to compile rendered kernels as C++ and to run them on the CPU: the threads of a block are fibers that
// go on, one after the other, from barrier to barrier. Threads of a warp have to reach the same barriers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include <ucontext.h>

#define __global__
#define __device__
#define __shared__ thread_local
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(threads)

namespace shim {

struct Index {
  unsigned x = 0;
  unsigned y = 0;
  unsigned z = 0;
};

struct Fiber {
  ucontext_t context = {};
  bool done = false;
  int barrier = 0;  // at which it waits
  std::vector<char> stack = std::vector<char>(64 * 1024);
};

struct Block {
  std::vector<Fiber> fibers;
  std::vector<double> exchanged;
  ucontext_t scheduler = {};
  void (*entry)(void**) = nullptr;
  void** arguments = nullptr;
};

inline thread_local Block block;

}  // namespace shim

inline thread_local shim::Index threadIdx;
inline thread_local shim::Index blockIdx;
inline thread_local shim::Index blockDim;
inline thread_local shim::Index gridDim;

namespace shim {

inline void wait_at(int barrier) {
  Fiber& self = block.fibers[threadIdx.x];
  self.barrier = barrier;
  const unsigned number = threadIdx.x;
  swapcontext(&self.context, &block.scheduler);
  threadIdx.x = number;
}

inline void run_fiber() {
  const unsigned number = threadIdx.x;
  block.entry(block.arguments);
  block.fibers[number].done = true;
  swapcontext(&block.fibers[number].context, &block.scheduler);
}

constexpr int kBlockBarrier = 1;  // of all threads; others are of a warp

// Runs the threads of a warp from barrier to barrier until they wait for the whole block. Whether any is left.
inline bool run_warp(std::size_t begin, std::size_t end) {
  for (;;) {
    std::size_t left = 0;
    int barrier = 0;
    for (std::size_t k = begin; k < end; ++k) {
      Fiber& fiber = block.fibers[k];
      if (fiber.done) continue;
      threadIdx.x = static_cast<unsigned>(k);
      swapcontext(&block.scheduler, &fiber.context);
      if (fiber.done) continue;
      if (left++ == 0) barrier = fiber.barrier;
      if (fiber.barrier != barrier) {
        std::fprintf(stderr, "threads of a warp wait at different barriers\n");
        std::abort();
      }
    }
    if (left == 0 || barrier == kBlockBarrier) return left > 0;
  }
}

inline void run_block() {
  for (Fiber& fiber : block.fibers) {
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.done = false;
    makecontext(&fiber.context, run_fiber, 0);
  }
  for (bool left = true; left;) {
    left = false;
    for (std::size_t begin = 0; begin < block.fibers.size(); begin += 32) {
      left = run_warp(begin, std::min(begin + 32, block.fibers.size())) || left;
    }
  }
}

inline void run_grid(void (*entry)(void**), void** arguments, const unsigned* grid, unsigned threads) {
  block.entry = entry;
  block.arguments = arguments;
  block.fibers.resize(threads);
  block.exchanged.assign(2 * static_cast<std::size_t>(threads), 0);
  blockDim = {threads, 1, 1};
  gridDim = {grid[0], grid[1], grid[2]};
  for (blockIdx.z = 0; blockIdx.z < grid[2]; ++blockIdx.z) {
    for (blockIdx.y = 0; blockIdx.y < grid[1]; ++blockIdx.y) {
      for (blockIdx.x = 0; blockIdx.x < grid[0]; ++blockIdx.x) run_block();
    }
  }
}

// Pointers stand in the array themselves, of other parameters their addresses.
template <class T>
T parameter(void* given) {
  if constexpr (std::is_pointer_v<T>) {
    return static_cast<T>(given);
  } else {
    return *static_cast<T*>(given);
  }
}

template <class... Arguments, std::size_t... numbers>
void call(void (*kernel)(Arguments...), void** arguments, std::index_sequence<numbers...>) {
  kernel(parameter<Arguments>(arguments[numbers])...);
}
template <class... Arguments>
void call(void (*kernel)(Arguments...), void** arguments) {
  call(kernel, arguments, std::index_sequence_for<Arguments...>());
}

}  // namespace shim

// A function of a kernel, as one that takes its parameters as an array.
#define SHIM_ENTRY(kernel)                                                                      \
  extern "C" void shim_run_##kernel(void** arguments, const unsigned* grid, unsigned threads) { \
    shim::run_grid([](void** each) { shim::call(kernel, each); }, arguments, grid, threads);    \
  }

inline void __syncthreads() { shim::wait_at(shim::kBlockBarrier); }
inline void __syncwarp() { shim::wait_at(2); }

template <class T>
T __shfl_xor_sync(unsigned, T value, int mask) {
  auto* places = reinterpret_cast<char*>(shim::block.exchanged.data());
  std::memcpy(places + threadIdx.x * sizeof(double), &value, sizeof(T));
  shim::wait_at(3);
  T other;
  std::memcpy(&other, places + (threadIdx.x ^ static_cast<unsigned>(mask)) * sizeof(double), sizeof(T));
  shim::wait_at(4);
  return other;
}

namespace shim {

// What every thread of a warp gives, for all of them.
template <class T>
T* gathered(const T& mine) {
  static thread_local std::vector<T> all;
  wait_at(5);
  if (all.size() < block.fibers.size()) all.resize(block.fibers.size());
  all[threadIdx.x] = mine;
  wait_at(6);
  return all.data() + threadIdx.x / 32 * 32;
}

// Of `ldmatrix`: each thread gives the address of a row of 8 numbers, 8 threads those of a matrix.
inline void load_matrices(unsigned (&to)[4], const unsigned short* row, bool transposed) {
  const unsigned short* const* const rows = gathered(row);
  const unsigned lane = threadIdx.x % 32;
  unsigned found[4];
  for (unsigned m = 0; m < 4; ++m) {
    const unsigned a = lane / 4, b = lane % 4 * 2;
    const unsigned low = transposed ? rows[m * 8 + b][a] : rows[m * 8 + a][b];
    const unsigned high = transposed ? rows[m * 8 + b + 1][a] : rows[m * 8 + a][b + 1];
    found[m] = low | high << 16;
  }
  wait_at(7);
  for (unsigned m = 0; m < 4; ++m) to[m] = found[m];
}

struct Fragments {
  unsigned a[4];
  unsigned b[2];
};

// Of `mma.m16n8k16`: c += a b.
inline void multiply_add(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1,
                         float (*number)(unsigned short)) {
  const Fragments* const all = gathered(Fragments{{a[0], a[1], a[2], a[3]}, {b0, b1}});
  const unsigned lane = threadIdx.x % 32;
  const auto half = [&](unsigned pair, unsigned which) { return number((unsigned short)(pair >> 16 * which)); };
  float sums[4] = {};
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned of_a = all[row % 8 * 4 + k % 8 / 2].a[row / 8 + k / 8 * 2];
      const unsigned of_b = all[column * 4 + k % 8 / 2].b[k / 8];
      sums[i] += half(of_a, k % 2) * half(of_b, k % 2);
    }
  }
  wait_at(8);
  for (unsigned i = 0; i < 4; ++i) c[i] += sums[i];
}

}  // namespace shim

struct uint4 {
  unsigned x, y, z, w;
};

inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fsqrt_rn(float a) { return std::sqrt(a); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double a) { return std::sqrt(a); }

inline float __int_as_float(int bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
inline int __float_as_int(float value) {
  int bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline double __longlong_as_double(long long bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
