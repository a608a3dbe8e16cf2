#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "asg/compile/kernel.h"
#include "asg/core/thread_pool.h"

namespace asg::cpu {

struct TilePlan;
struct PreparedKernel;

// Points of a kernel in the order in which they are counted, rows one after the other: `count` runs of `length` points
// that begin `step` apart.
struct PointBlock {
  std::int64_t first = 0;
  std::int64_t length = 0;
  std::int64_t step = 0;
  std::int64_t count = 1;
};

// Computes a fused kernel on the CPU, tile by tile: values of some hundred points at a time stay in the first cache
// while the instructions go over them by vectors. Prepared once; then it runs any number of times, from any number of
// threads at once, and allocates nothing.
//
// Floats are computed in f32 (f16 and bf16 too, rounded after each instruction) or f64, integers in i64. An output may
// overwrite an input element by element, as may_overwrite (compile/accesses.h) says; nothing else may overlap.
class TileRunner {
 public:
  explicit TileRunner(const Kernel& kernel);  // one that `supports` allows
  ~TileRunner();
  TileRunner(TileRunner&&) noexcept;
  TileRunner& operator=(TileRunner&&) noexcept;

  // False where tiles cannot hold what it computes (u64): the caller has another way then.
  static bool supports(const Kernel& kernel);

  const Kernel& kernel() const { return *kernel_; }

  // Scratch memory, aligned to 64 bytes: of one thread, and of a whole run with so many threads.
  std::int64_t thread_scratch_bytes() const;
  std::int64_t scratch_bytes(int threads) const;

  // All points. `arguments` are the addresses from which the kernel's offsets count, in its order; `scratch` has
  // scratch_bytes(pool.threads()). The same bits come out on any number of threads. Throws computation_error when all
  // is done if there was a division by zero or an index out of range.
  void run(std::span<std::byte* const> arguments, std::byte* scratch, ThreadPool& pool) const;

  // Some points, in the calling thread: the epilogue of something that has just made them. Whole rows where the kernel
  // reduces. `sums` has sum_bytes(), zeros at first: what a piece of the space adds to sums over the leading axes; each
  // piece has its own. Returns the faults met, for throw_faults.
  std::uint32_t run_block(std::span<std::byte* const> arguments, std::byte* thread_scratch, std::byte* sums,
                          const PointBlock& block) const;
  std::int64_t sum_bytes() const;
  // Adds the sums of so many pieces, which lie one after the other, in their order, and stores them.
  void store_sums(std::span<std::byte* const> arguments, const std::byte* sums, std::int64_t pieces) const;
  static void throw_faults(std::uint32_t faults);  // nothing where there are none

 private:
  std::shared_ptr<const PreparedKernel> prepared_;
  const Kernel* kernel_;  // both of what is prepared
  const TilePlan* plan_;
};

}  // namespace asg::cpu
