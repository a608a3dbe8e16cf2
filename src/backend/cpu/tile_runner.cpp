#include "backend/cpu/tile_runner.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>

#include "asg/core/error.h"
#include "backend/cpu/kernel_cache.h"
#include "backend/cpu/tile_run.h"

namespace asg::cpu {

TileRunner::TileRunner(const Kernel& kernel)
    : prepared_(prepared_kernel(kernel)), kernel_(&prepared_->kernel), plan_(&prepared_->plan) {}

TileRunner::~TileRunner() = default;
TileRunner::TileRunner(TileRunner&&) noexcept = default;
TileRunner& TileRunner::operator=(TileRunner&&) noexcept = default;

bool TileRunner::supports(const Kernel& kernel) { return tiles_support(kernel); }

std::int64_t TileRunner::thread_scratch_bytes() const { return plan_->thread_bytes; }

std::int64_t TileRunner::scratch_bytes(int threads) const {
  return plan_->thread_bytes * std::max(threads, 1) + plan_->blocks * plan_->block_sum_bytes;
}

// Each thread takes the next block that nobody has taken; which thread computes a block changes nothing in it.
void TileRunner::run(std::span<std::byte* const> arguments, std::byte* scratch, ThreadPool& pool) const {
  const TilePlan& plan = *plan_;
  const std::int64_t points = plan.rows * plan.row_length;
  const std::int64_t workers = std::min<std::int64_t>(pool.threads(), plan.blocks);
  std::byte* sums = scratch + plan.thread_bytes * std::max(pool.threads(), 1);
  std::atomic<std::int64_t> next{0};
  std::atomic<std::uint32_t> faults{kNoFault};
  const auto work = [&](std::int64_t worker, std::int64_t) {
    std::int64_t block = next.fetch_add(1, std::memory_order_relaxed);
    if (block >= plan.blocks) return;
    TileRun run(*kernel_, plan, arguments, scratch + worker * plan.thread_bytes);
    run.start();
    for (; block < plan.blocks; block = next.fetch_add(1, std::memory_order_relaxed)) {
      std::byte* block_sums = sums + block * plan.block_sum_bytes;
      if (plan.block_sum_bytes > 0) std::memset(block_sums, 0, static_cast<std::size_t>(plan.block_sum_bytes));
      run.set_sums(block_sums);
      const std::int64_t first = block * plan.block_points;
      run.run_points(first, std::min(points, first + plan.block_points));
      if (plan.row_length == 0) run.run_empty_rows(0, plan.rows);
    }
    faults.fetch_or(run.faults(), std::memory_order_relaxed);
  };
  pool.for_ranges(workers, 1, std::ref(work));
  if (plan.block_sum_bytes > 0) store_sums(arguments, sums, plan.blocks);
  throw_faults(faults.load());
}

std::uint32_t TileRunner::run_block(std::span<std::byte* const> arguments, std::byte* thread_scratch, std::byte* sums,
                                    const PointBlock& block) const {
  TileRun run(*kernel_, *plan_, arguments, thread_scratch);
  run.start();
  run.set_sums(sums);
  for (std::int64_t k = 0; k < block.count; ++k) {
    const std::int64_t first = block.first + k * block.step;
    run.run_points(first, first + block.length);
  }
  return run.faults();
}

std::int64_t TileRunner::sum_bytes() const { return plan_->block_sum_bytes; }

void TileRunner::store_sums(std::span<std::byte* const> arguments, const std::byte* sums, std::int64_t pieces) const {
  TileRun(*kernel_, *plan_, arguments, nullptr).finish_sums(sums, pieces);
}

void TileRunner::throw_faults(std::uint32_t faults) {
  if ((faults & kDivisionByZero) != 0) {
    fail(ErrorCode::computation_error, "an integer division by 0", "a divisor that is not 0",
         "cast to a float dtype first");
  }
  if ((faults & kZeroToNegativePower) != 0) {
    fail(ErrorCode::computation_error, "the integer 0 to a negative power",
         "a base that is not 0, or an exponent of at least 0", "cast to a float dtype first");
  }
  if ((faults & kIndexOutOfRange) != 0) {
    fail(ErrorCode::computation_error, "an index outside the axis that it counts along",
         "indices from -length to length - 1");
  }
}

}  // namespace asg::cpu
