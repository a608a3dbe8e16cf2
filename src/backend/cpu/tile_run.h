#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backend/cpu/tile_compare.h"
#include "backend/cpu/tile_plan.h"

namespace asg::cpu {

// One thread at work on a plan. It lives on the stack and allocates nothing.
class TileRun {
 public:
  // `sums`: where the partial sums of the block at work go.
  TileRun(const Kernel& kernel, const TilePlan& plan, std::span<std::byte* const> arguments, std::byte* scratch)
      : kernel_(kernel), plan_(plan), arguments_(arguments), scratch_(scratch) {}

  void start();  // what is the same in all tiles
  void set_sums(std::byte* sums) { sums_ = sums; }
  void run_empty_rows(std::int64_t first, std::int64_t last);  // of rows without elements: what they have as a whole
  void run_points(std::int64_t first, std::int64_t last);      // in row-major order; whole rows where rows are reduced
  std::uint32_t faults() const { return faults_; }

  // Adds the partial sums of the blocks, in order, and stores them.
  void finish_sums(const std::byte* sums, std::int64_t blocks);

 private:
  void run_tile(const TileBox& box);
  void run_staged_row(std::int64_t row);
  void run_step(const PlannedStep& step, const TileBox& box);
  void store_all(std::size_t pass, const TileBox& box);
  void store(const PlannedStore& store, const TileBox& box);
  void add_to_sums(const PlannedStore& store, const TileBox& box);

  void run_constant(const PlannedStep& step);
  void run_load(const PlannedStep& step, const TileBox& box);
  void run_gather(const PlannedStep& step, const TileBox& box);
  void run_position(const PlannedStep& step, const TileBox& box);
  void run_random(const PlannedStep& step, const TileBox& box);
  void run_chain_step(const PlannedStep& step, const TileBox& box);
  void run_elementary(const PlannedStep& step, const TileBox& box);
  void run_compare(const PlannedStep& step, const TileBox& box);
  void run_choose(const PlannedStep& step, const TileBox& box);
  void run_reduce(const PlannedStep& step, const TileBox& box);
  void run_expand(const PlannedStep& step, const TileBox& box);
  void round_result(const PlannedStep& step, std::size_t count, const TileBox& box);

  // The index, counted from 0, or 0 with a fault noted.
  std::int64_t checked_index(std::int64_t index, std::int64_t length);

  const KernelInstruction& instruction(const PlannedStep& step) const {
    return kernel_.instructions[static_cast<std::size_t>(step.instruction)];
  }
  const PlannedValue& value(int number) const { return plan_.values[static_cast<std::size_t>(number)]; }
  const TileAccess& access(int number) const { return plan_.accesses[static_cast<std::size_t>(number)]; }
  static std::size_t count_of(Level level, const TileBox& box);

  std::byte* address(int number, const TileBox& box) const;
  template <class T>
  T* result(const PlannedStep& step, const TileBox& box) const {
    return reinterpret_cast<T*>(address(step.result, box));
  }
  template <class T>
  TileOperand<T> operand(PlannedOperand from, const TileBox& box) const {
    return {reinterpret_cast<const T*>(address(from.value, box)), from.single ? std::size_t{0} : std::size_t{1}};
  }

  const Kernel& kernel_;
  const TilePlan& plan_;
  std::span<std::byte* const> arguments_;
  std::byte* scratch_;
  std::byte* sums_ = nullptr;
  std::uint32_t faults_ = kNoFault;
  bool first_part_ = true;  // of a staged row
};

}  // namespace asg::cpu
