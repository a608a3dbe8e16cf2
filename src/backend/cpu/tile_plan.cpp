#include "backend/cpu/tile_plan.h"

#include <algorithm>

#include "backend/cpu/tile_chain_plan.h"
#include "backend/cpu/tile_maths.h"
#include "backend/cpu/tile_plan_builder.h"

namespace asg::cpu {
namespace {

constexpr std::int64_t kCacheBytes = 24 * 1024;  // of the first cache, that tiles may fill
constexpr std::int64_t kLeastPoints = 256;       // fewer, and going from step to step costs more than the steps
constexpr std::int64_t kMostPoints = 4096;       // more gains nothing
constexpr std::int64_t kLongestRow = 16 * 1024;  // of a row with reductions that is one tile
constexpr std::int64_t kAloneRow = 512;          // rows with values of their own are tiles by themselves from here on
constexpr std::int64_t kBlockCost = 1 << 18;     // points times cost of a block: some ten microseconds
constexpr std::int64_t kMostSumBlocks = 16;
constexpr std::int64_t kMostSumBytes = 8 << 20;  // of all partial sums

std::int64_t product(std::span<const std::int64_t> sizes) {
  std::int64_t total = 1;
  for (const std::int64_t size : sizes) total *= size;
  return total;
}

std::int64_t rounded_up(std::int64_t count, std::int64_t unit) { return (count + unit - 1) / unit * unit; }

}  // namespace

bool tiles_support(const Kernel& kernel) {
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.dtype == DType::u64) return false;
  }
  for (const KernelInstruction& made : kernel.instructions) {
    if (made.dtype == DType::u64) return false;
  }
  return true;
}

PlanBuilder::PlanBuilder(const Kernel& kernel, std::int64_t tile_points) : kernel_(kernel), tile_points_(tile_points) {
  for (const KernelInstruction& made : kernel.instructions) {
    has_reductions_ = has_reductions_ || made.kind == Kind::reduce;
  }
  for (const KernelStore& store : kernel.stores) {
    has_sums_ = has_sums_ || store.sum_over_leading;
    const auto& strides = kernel.arguments[static_cast<std::size_t>(store.argument)].strides;
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      has_row_stores_ = has_row_stores_ || (strides[axis] == 0 && kernel.space[axis] > 1);
    }
  }
}

// How many reductions, one after the other, come before each value.
void PlanBuilder::find_stages() {
  const std::vector<bool> per_row = values_per_row(kernel_);
  stage_.assign(kernel_.instructions.size(), 0);
  elements_first_ = true;
  for (std::size_t k = 0; k < kernel_.instructions.size(); ++k) {
    const KernelInstruction& made = kernel_.instructions[k];
    for (const int operand : made.operands) {
      if (operand >= 0) stage_[k] = std::max(stage_[k], stage_[static_cast<std::size_t>(operand)]);
    }
    if (made.kind != Kind::reduce) continue;
    elements_first_ = elements_first_ && stage_[k] == 0;
    ++stage_[k];
  }
  for (const KernelStore& store : kernel_.stores) {
    const auto value = static_cast<std::size_t>(store.value);
    elements_first_ = elements_first_ && (per_row[value] || stage_[value] == 0);
  }
}

// Whether all arguments walk the axes from `first` on as one.
bool PlanBuilder::is_one_run(std::size_t first) const {
  const auto follows = [&](const std::vector<std::int64_t>& strides) {
    std::size_t outer = sizes_.size();
    for (std::size_t axis = first; axis < sizes_.size(); ++axis) {
      if (sizes_[axis] == 1) continue;
      if (outer < axis && strides[outer] != strides[axis] * sizes_[axis]) return false;
      outer = axis;
    }
    return true;
  };
  const auto& instructions = kernel_.instructions;
  return std::all_of(kernel_.arguments.begin(), kernel_.arguments.end(),
                     [&](const KernelArgument& argument) { return follows(argument.strides); }) &&
         std::all_of(instructions.begin(), instructions.end(), [&](const KernelInstruction& made) {
           return made.kind != Kind::position || follows(made.strides);
         });
}

// Rows matter to reductions, to sums over them and to what is stored once for each. Else as many trailing axes as all
// arguments walk as one make a row, so that runs are long.
void PlanBuilder::split_space() {
  plan_.kernel_row_length = kernel_.row_length();
  sizes_ = kernel_.space;
  std::size_t run = sizes_.size();
  while (run > 0 && is_one_run(run - 1)) --run;
  leading_axes_ = run;
  if (has_reductions_ || has_sums_ || has_row_stores_) {
    leading_axes_ = kernel_.space.size() - static_cast<std::size_t>(kernel_.row_axes);
  }
  plan_.run_length = product(std::span(sizes_).subspan(std::max(run, leading_axes_)));
  plan_.rows = product(std::span(sizes_).first(leading_axes_));
  plan_.row_length = product(std::span(sizes_).subspan(leading_axes_));
  plan_.by_rows = has_reductions_;
}

void PlanBuilder::make_accesses() {
  for (const KernelArgument& argument : kernel_.arguments) {
    plan_.accesses.emplace_back(sizes_, argument.strides, leading_axes_, argument.offset);
  }
  plan_.position_access.assign(kernel_.instructions.size(), -1);
  for (std::size_t k = 0; k < kernel_.instructions.size(); ++k) {
    if (kernel_.instructions[k].kind != Kind::position) continue;
    plan_.position_access[k] = static_cast<int>(plan_.accesses.size());
    plan_.accesses.emplace_back(sizes_, kernel_.instructions[k].strides, leading_axes_, 0);
  }
}

// A row that is read only once is best cut into tiles. They end where runs do, so that nothing need be copied.
void PlanBuilder::choose_tile() {
  const std::int64_t length = std::max<std::int64_t>(plan_.row_length, 1);
  plan_.columns = plan_.row_length;
  plan_.group = 1;
  const bool has_runs = has_reductions_ && plan_.run_length < length && plan_.run_length >= kLeastPoints;
  const bool is_cut =
      has_reductions_ && (length > kLongestRow || (elements_first_ && (length > tile_points_ || has_runs)));
  if (!is_cut || !has_runs) plan_.run_length = length;
  if (length > tile_points_ || is_cut) {
    if (has_reductions_ && !is_cut) return;
    plan_.staged = is_cut;
    // Parts of equal length, so that none is short.
    const std::int64_t run = plan_.run_length;
    const std::int64_t parts = (run + tile_points_ - 1) / tile_points_;
    plan_.columns = std::min(run, rounded_up((run + parts - 1) / parts, 64));
    return;
  }
  if (has_reductions_ && length >= kAloneRow) return;
  plan_.group = std::max<std::int64_t>(1, std::min(plan_.rows, tile_points_ / length));
}

std::int64_t PlanBuilder::cost_per_point() const {
  std::int64_t cost = 1;
  const auto count = [&](const std::vector<PlannedStep>& steps) {
    for (const PlannedStep& step : steps) {
      if (step.level != Level::element && step.kind != StepKind::reduce) continue;
      switch (step.kind) {
        case StepKind::chain:
          cost += 2 + static_cast<std::int64_t>(step.links.size()) / 2;
          break;
        case StepKind::elementary:
          cost += 12;
          break;
        case StepKind::power:
        case StepKind::random:
          cost += 100;
          break;
        default:
          cost += 4;
      }
    }
  };
  for (const PlannedPass& pass : plan_.passes) count(pass.steps);
  return cost;
}

// Blocks follow from the shape alone, so that sums and splits are the same on any number of threads.
void PlanBuilder::choose_blocks() {
  const std::int64_t length = std::max<std::int64_t>(plan_.row_length, 1);
  const std::int64_t points = plan_.rows * plan_.row_length;
  const std::int64_t wanted = std::max(kBlockCost / cost_per_point(), kLeastPoints);
  if (has_sums_) {
    std::int64_t blocks = std::clamp<std::int64_t>(points / wanted, 1, kMostSumBlocks);
    blocks = std::clamp<std::int64_t>(kMostSumBytes / std::max<std::int64_t>(plan_.block_sum_bytes, 1), 1, blocks);
    plan_.block_points = rounded_up((plan_.rows + blocks - 1) / blocks, plan_.group) * length;
  } else if (length > wanted && !plan_.by_rows) {
    plan_.block_points = rounded_up(wanted, plan_.columns);
  } else {
    plan_.block_points = rounded_up(wanted, plan_.group * length);
  }
  plan_.block_points = std::max<std::int64_t>(plan_.block_points, 1);
  plan_.blocks = (points + plan_.block_points - 1) / plan_.block_points;
  if (plan_.row_length == 0 && plan_.rows > 0) plan_.blocks = 1;
}

TilePlan PlanBuilder::build() {
  find_stages();
  split_space();
  make_accesses();
  choose_tile();
  plan_.values.resize(kernel_.instructions.size());
  find_needed();
  find_levels();
  place_loads();
  build_prologue();
  build_passes();
  build_stores();
  place_values();
  choose_blocks();
  return std::move(plan_);
}

TilePlan make_tile_plan(const Kernel& kernel) {
  PlanBuilder first(kernel, kMostPoints);
  first.build();
  const std::int64_t fitting = kCacheBytes / std::max<std::int64_t>(first.bytes_per_point(), 1);
  const std::int64_t points = std::clamp(fitting / 64 * 64, kLeastPoints, kMostPoints);
  return PlanBuilder(kernel, points).build();
}

}  // namespace asg::cpu
