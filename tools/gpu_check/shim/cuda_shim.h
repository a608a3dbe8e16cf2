// Enough of CUDA to compile rendered kernels as C++ and to run them on the CPU: the threads of a block are fibers that
// go on, one after the other, from barrier to barrier. Every thread of a block has to reach the same barriers.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

inline void run_block() {
  for (Fiber& fiber : block.fibers) {
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.done = false;
    makecontext(&fiber.context, run_fiber, 0);
  }
  for (std::size_t left = block.fibers.size(); left > 0;) {
    std::size_t done = 0;
    for (std::size_t k = 0; k < block.fibers.size(); ++k) {
      Fiber& fiber = block.fibers[k];
      if (!fiber.done) {
        threadIdx.x = static_cast<unsigned>(k);
        swapcontext(&block.scheduler, &fiber.context);
      }
      done += fiber.done ? 1 : 0;
    }
    left = block.fibers.size() - done;
    for (const Fiber& fiber : block.fibers) {
      if (left > 0 && (fiber.done || fiber.barrier != block.fibers[0].barrier)) {
        std::fprintf(stderr, "threads of a block wait at different barriers\n");
        std::abort();
      }
    }
  }
}

inline void run_grid(void (*entry)(void**), void** arguments, unsigned grid, unsigned threads) {
  block.entry = entry;
  block.arguments = arguments;
  block.fibers.resize(threads);
  block.exchanged.assign(2 * static_cast<std::size_t>(threads), 0);
  blockDim.x = threads;
  gridDim.x = grid;
  for (blockIdx.x = 0; blockIdx.x < grid; ++blockIdx.x) run_block();
}

template <class... Arguments, std::size_t... numbers>
void call(void (*kernel)(Arguments...), void** arguments, std::index_sequence<numbers...>) {
  kernel(static_cast<Arguments>(arguments[numbers])...);
}
template <class... Arguments>
void call(void (*kernel)(Arguments...), void** arguments) {
  call(kernel, arguments, std::index_sequence_for<Arguments...>());
}

}  // namespace shim

// A function of a kernel, as one that takes its pointers as an array.
#define SHIM_ENTRY(kernel)                                                                             \
  extern "C" void shim_run_##kernel(void** arguments, unsigned grid, unsigned threads) {                \
    shim::run_grid([](void** each) { shim::call(kernel, each); }, arguments, grid, threads);            \
  }

inline void __syncthreads() { shim::wait_at(1); }
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
