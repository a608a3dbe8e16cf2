#include <algorithm>
#include <cmath>

#include "asg/compile/gpu_plan.h"
#include "compile/gpu/passes.h"
#include "compile/gpu/vectors.h"
#include "compile/gpu/workspace.h"

namespace asg {
namespace {

constexpr int kBlock = 256;                     // threads, where nothing asks for more
constexpr int kColumnsBlock = 512;              // threads that sum over rows
constexpr int kFinishBlock = 1024;              // threads that add up what those found
constexpr std::int64_t kLongestChain = 512;     // numbers that one thread adds up one after the other, in f32
constexpr std::int64_t kFewRows = 96;           // too few for a block each
constexpr std::int64_t kLongRow = 8192;         // long enough to be divided among blocks
constexpr std::int64_t kSumBlocks = 8;          // times the usual ones, where each gives no more than its part of a sum
constexpr std::int64_t kDividedBlocks = 2;      // times the usual ones, where each reads the parts of all others
constexpr std::int64_t kAheadBlocks = 2;        // times the usual ones, of those that copy their next row ahead
constexpr std::int64_t kRegisterElements = 32;  // of a row that a thread holds at most, of each kept value

std::int64_t divided(std::int64_t count, std::int64_t by) { return (count + by - 1) / by; }

std::int64_t power_of_two_from(std::int64_t count) {
  std::int64_t power = 1;
  while (power < count) power *= 2;
  return power;
}

bool any_sums(const Kernel& kernel) {
  return std::any_of(kernel.stores.begin(), kernel.stores.end(),
                     [](const KernelStore& store) { return store.sum_over_leading; });
}

bool any_reductions(const Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                     [](const KernelInstruction& each) { return each.kind == KernelInstruction::Kind::reduce; });
}

// Sums over all points, of rows of one element, are the reduction of a single row that has all points.
Kernel with_sums_of_all_reduced(Kernel kernel) {
  if (kernel.row_length() != 1 || any_reductions(kernel) || !any_sums(kernel)) return kernel;
  kernel.row_axes = static_cast<int>(kernel.space.size());
  if (kernel.space.empty()) {
    kernel.space = {1};
    kernel.row_axes = 1;
    for (KernelArgument& argument : kernel.arguments) argument.strides = {0};
    for (KernelInstruction& each : kernel.instructions) {
      if (each.kind == KernelInstruction::Kind::position) each.strides = {0};
    }
  }
  for (KernelStore& store : kernel.stores) {
    if (!store.sum_over_leading) continue;
    kernel.instructions.push_back({.kind = KernelInstruction::Kind::reduce,
                                   .reduction = Reduction::sum,
                                   .dtype = kernel.instructions[static_cast<std::size_t>(store.value)].dtype,
                                   .operands = {store.value, -1, -1}});
    store = {.argument = store.argument, .value = static_cast<int>(kernel.instructions.size()) - 1};
  }
  return with_merged_axes(kernel);
}

// How far from their beginning arrays, positions and points are counted.
bool needs_wide_index(const Kernel& kernel) {
  constexpr double kNarrow = 0x7fffffff - 0x100000;  // with room for the threads of incomplete blocks
  double farthest = 1;
  for (const std::int64_t size : kernel.space) farthest *= static_cast<double>(std::max<std::int64_t>(size, 1));
  const auto reach = [&](const std::vector<std::int64_t>& strides, double from) {
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      from += std::fabs(static_cast<double>(strides[axis])) * static_cast<double>(kernel.space[axis]);
    }
    return from;
  };
  for (const KernelArgument& argument : kernel.arguments) {
    farthest = std::max(farthest, reach(argument.strides, std::fabs(static_cast<double>(argument.offset))));
  }
  for (const KernelInstruction& each : kernel.instructions) {
    if (each.kind == KernelInstruction::Kind::position) farthest = std::max(farthest, reach(each.strides, 0));
    if (each.kind != KernelInstruction::Kind::load || each.operands[0] < 0) continue;
    const KernelArgument& argument = kernel.arguments[static_cast<std::size_t>(each.argument)];
    const double moved = std::fabs(static_cast<double>(each.gather_stride)) * static_cast<double>(each.gather_length);
    farthest = std::max(farthest, moved + reach(argument.strides, std::fabs(static_cast<double>(argument.offset))));
  }
  return farthest >= kNarrow;
}

class Planner {
 public:
  Planner(const Kernel& kernel, const GpuLimits& limits)
      : limits_(limits), block_(std::min(kBlock, limits.block_threads)) {
    plan_.kernel = with_sums_of_all_reduced(with_merged_axes(kernel));
    plan_.wide_index = needs_wide_index(plan_.kernel);
    rows_ = plan_.kernel.rows();
    length_ = plan_.kernel.row_length();
    leading_ = plan_.kernel.space.size() - static_cast<std::size_t>(plan_.kernel.row_axes);
  }

  GpuPlan plan() {
    const Kernel& kernel = plan_.kernel;
    const bool once = std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                  [&](const KernelStore& store) { return gpu::stores_once(kernel, store); });
    const bool sums = any_sums(kernel);
    if (any_reductions(kernel) || once) {
      if (!sums && rows_ < kFewRows && length_ >= kLongRow) {
        plan_divided_rows();
      } else {
        plan_rows(sums);
      }
    } else if (sums) {
      plan_columns();
    } else {
      plan_points();
    }
    plan_.workspace_bytes = gpu::workspace_bytes_of(plan_);
    return std::move(plan_);
  }

 private:
  void take_vectors(std::size_t first, bool may_shift) {
    const gpu::Vectors vectors = gpu::vectors_along(plan_.kernel, first, may_shift, limits_);
    plan_.vector = vectors.width;
    plan_.shifted = vectors.shifted;
    plan_.access = vectors.access;
  }

  void take_elements() {
    plan_.vector = 1;
    plan_.shifted = false;
    plan_.access.assign(plan_.kernel.arguments.size(), GpuPlan::Access::element);
  }

  // Vectors of a row; one more where it may begin within a vector.
  std::int64_t vectors_of_row() const { return divided(length_, plan_.vector) + (plan_.shifted ? 1 : 0); }

  void add_phase(GpuPhase::Work work, std::int64_t blocks, std::int64_t threads, int level = 0) {
    plan_.phases.push_back({.work = work,
                            .level = level,
                            .blocks = std::max<std::int64_t>(1, blocks),
                            .threads = static_cast<int>(threads),
                            .shared_bytes = 0});
  }

  void plan_points() {
    plan_.shape = GpuPlan::Shape::points;
    take_vectors(0, false);
    add_phase(GpuPhase::Work::points, divided(divided(element_count(plan_.kernel.space), plan_.vector), block_),
              block_);
  }

  // A block is `row_threads` columns of vectors wide and `block_rows` rows high.
  void plan_columns() {
    plan_.shape = GpuPlan::Shape::split_rows;
    take_vectors(leading_, false);
    const std::int64_t vectors = vectors_of_row();
    plan_.row_threads = static_cast<int>(std::min<std::int64_t>(power_of_two_from(vectors), 32));
    const int threads = std::min(kColumnsBlock, limits_.block_threads);
    plan_.block_rows = threads / plan_.row_threads;
    const std::int64_t tiles = std::max<std::int64_t>(1, divided(vectors, plan_.row_threads));
    const std::int64_t most = divided(rows_, 4 * plan_.block_rows);
    const std::int64_t least = divided(rows_, kLongestChain * plan_.block_rows);
    const std::int64_t blocks = limits_.blocks * kBlock / kColumnsBlock;
    plan_.parts = std::max<std::int64_t>({1, least, std::min(most, divided(blocks, tiles))});
    add_phase(GpuPhase::Work::columns, tiles * plan_.parts, threads);
    add_finish();
  }

  void add_finish() {
    if (plan_.parts == 1) return;
    std::int64_t blocks = 0;
    for (const gpu::Partial& partial : gpu::partials_of(plan_)) blocks += divided(partial.length, 32);
    add_phase(GpuPhase::Work::finish, blocks, std::min(kFinishBlock, limits_.block_threads));
  }

  // Whether most of what moves is dense along the last leading axis instead of the row.
  bool is_dense_across() const {
    if (leading_ == 0 || plan_.kernel.space[leading_ - 1] < 8 || plan_.kernel.row_axes == 0) return false;
    std::int64_t along = 0;
    std::int64_t across = 0;
    for (const KernelArgument& argument : plan_.kernel.arguments) {
      if (argument.strides.back() == 1) {
        ++along;
      } else if (argument.strides[leading_ - 1] == 1 && argument.strides.back() != 0) {
        ++across;
      }
    }
    return across > along;
  }

  // Whether shared memory that is there without asking holds what threads exchange that are no neighbours.
  bool fits_across(bool sums) const {
    constexpr std::int64_t kPlaces = 48 * 1024 / 8;
    const auto reductions =
        std::count_if(plan_.kernel.instructions.begin(), plan_.kernel.instructions.end(),
                      [](const KernelInstruction& each) { return each.kind == KernelInstruction::Kind::reduce; });
    return (reductions * limits_.block_threads) + (sums ? length_ : 0) <= kPlaces;
  }

  void plan_rows(bool sums) {
    plan_.across = is_dense_across() && fits_across(sums);
    if (plan_.across) {
      take_elements();
    } else {
      // A thread that adds up columns works on the same ones of every row.
      take_vectors(leading_, !sums);
    }
    choose_row_threads();
    plan_.shape =
        plan_.row_threads <= limits_.warp && !plan_.across ? GpuPlan::Shape::warp_rows : GpuPlan::Shape::block_rows;
    choose_block_rows();
    const std::int64_t blocks = std::max<std::int64_t>(1, divided(rows_, plan_.block_rows));
    // Sums take registers: fewer blocks have room at a time.
    plan_.parts = sums ? std::min(blocks, limits_.blocks * 3 / 4) : 1;
    plan_.ahead = !sums && can_copy_ahead();
    const std::int64_t launched = sums          ? plan_.parts
                                  : plan_.ahead ? std::min(blocks, kAheadBlocks * limits_.blocks)
                                                : blocks;
    add_phase(GpuPhase::Work::rows, launched, std::int64_t{plan_.row_threads} * plan_.block_rows);
    plan_.phases.back().shared_bytes = shared_bytes();
    if (sums) add_finish();
  }

  // As few threads as hold what has to be kept of a row in their registers. Rows that are too long for that are kept in
  // shared memory; longer ones are read again in each pass.
  void choose_row_threads() {
    const gpu::Keepers keepers = gpu::values_to_keep(plan_.kernel);
    std::int64_t words = keepers.words;
    for (const KernelStore& store : plan_.kernel.stores) words += store.sum_over_leading ? 1 : 0;
    const std::int64_t vectors = std::max<std::int64_t>(1, vectors_of_row());
    const auto held = [&](std::int64_t threads) { return divided(vectors, threads) * plan_.vector; };
    const auto fits = [&](std::int64_t threads) {
      const std::int64_t registers = threads < limits_.block_threads ? 2 * kRegisterElements : kRegisterElements;
      return held(threads) <= std::min(kRegisterElements, registers / std::max<std::int64_t>(words, 1));
    };
    std::int64_t threads = short_row_threads(vectors);
    if (plan_.across)
      threads = std::min<std::int64_t>({power_of_two_from(divided(length_, 16)), 8, limits_.block_threads / 32});
    const std::int64_t most = plan_.across ? std::max(1, limits_.block_threads / 32) : limits_.block_threads;
    while (!fits(threads) && threads < most) threads *= 2;
    if (fits(threads) && !keepers.values.empty()) {
      plan_.keep = GpuPlan::Keep::registers;
      plan_.kept = keepers.values;
    } else if (!fits(threads)) {
      threads = plan_.across ? most : std::min(most, keep_in_shared_memory());
    }
    plan_.row_threads = static_cast<int>(threads);
    plan_.vectors = divided(vectors, threads);
  }

  // At most a warp for a row; of short rows so many threads that few of them have no vector, and no more than 4 each.
  std::int64_t short_row_threads(std::int64_t vectors) const {
    std::int64_t best = std::min<std::int64_t>(power_of_two_from(vectors), limits_.warp);
    for (std::int64_t threads = best; vectors < limits_.warp && threads > 0; threads /= 2) {
      const std::int64_t each = divided(vectors, threads);
      if (each <= 4 && each * threads < divided(vectors, best) * best) best = threads;
    }
    return best;
  }

  // Bytes of shared memory for an element of each kept value.
  std::int64_t kept_bytes() const {
    std::int64_t bytes = 0;
    for (const int value : plan_.kept) {
      bytes += bytes_of(plan_.kernel.instructions[static_cast<std::size_t>(value)].dtype);
    }
    return bytes;
  }

  // Elements of a row with the places of incomplete vectors, in shared memory.
  std::int64_t shared_elements(std::int64_t threads) const {
    return divided(vectors_of_row(), threads) * threads * plan_.vector;
  }

  // Threads for each row: so many that as many blocks as have room at a time fill a multiprocessor.
  std::int64_t keep_in_shared_memory() {
    constexpr std::int64_t kReserve = 1024;  // of each block, for what reductions need
    const std::int64_t room = limits_.shared_bytes;
    if (!plan_.across) {
      for (const int value : gpu::loads_to_keep(plan_.kernel)) {
        plan_.kept.push_back(value);
        if (kept_bytes() * shared_elements(limits_.block_threads) + kReserve > room) plan_.kept.pop_back();
      }
    }
    if (plan_.kept.empty()) return block_;
    plan_.keep = GpuPlan::Keep::shared;
    for (std::int64_t threads = block_; threads < limits_.block_threads; threads *= 2) {
      const std::int64_t blocks = room / (kept_bytes() * shared_elements(threads) + kReserve);
      if (blocks * threads >= limits_.block_threads) return threads;
    }
    return limits_.block_threads;
  }

  // Whether everything kept in shared memory is there as it is in memory, in accesses of 16 bytes.
  bool can_copy_ahead() const {
    if (!limits_.copies_ahead || plan_.keep != GpuPlan::Keep::shared) return false;
    return std::all_of(plan_.kept.begin(), plan_.kept.end(), [&](int value) {
      const KernelInstruction& load = plan_.kernel.instructions[static_cast<std::size_t>(value)];
      return load.operands[0] < 0 && bytes_of(load.dtype) * plan_.vector % 16 == 0 &&
             plan_.access[static_cast<std::size_t>(load.argument)] == GpuPlan::Access::vector;
    });
  }

  std::int64_t shared_bytes() const {
    if (plan_.keep != GpuPlan::Keep::shared) return 0;
    return kept_bytes() * shared_elements(plan_.row_threads);
  }

  void choose_block_rows() {
    std::int64_t rows = std::max(1, block_ / plan_.row_threads);
    if (plan_.across) rows = 32;
    if (plan_.keep == GpuPlan::Keep::shared) rows = 1;
    const std::int64_t least = plan_.across ? 8 : 1;
    while (rows > least && divided(rows_, rows) < limits_.blocks / 2) rows /= 2;
    // Whole warps: their threads exchange values.
    rows = std::max<std::int64_t>(rows, limits_.warp / plan_.row_threads);
    plan_.block_rows = static_cast<int>(rows);
  }

  void plan_divided_rows() {
    plan_.shape = GpuPlan::Shape::split_columns;
    take_vectors(leading_, true);
    plan_.row_threads = block_;
    const std::int64_t vectors = vectors_of_row();
    const std::int64_t rows = std::max<std::int64_t>(1, rows_);
    const std::vector<gpu::Pass> passes = gpu::passes_of(plan_.kernel, {});
    bool elements = false;
    bool once = false;
    for (const KernelStore& store : plan_.kernel.stores) {
      (gpu::stores_once(plan_.kernel, store) ? once : elements) = true;
    }
    // Each thread of a part has some vectors, and no more than a short chain of numbers to add up for each of their
    // elements.
    const std::int64_t few = divided(vectors, 4 * block_);
    const std::int64_t chain = divided(vectors, kLongestChain * block_);
    const std::int64_t blocks = limits_.blocks * (passes.size() > 2 || elements ? kDividedBlocks : kSumBlocks);
    plan_.parts = std::max<std::int64_t>({2, chain, std::min(few, divided(blocks, rows))});
    plan_.vectors = divided(divided(vectors, plan_.parts), block_);
    plan_.parts = std::max<std::int64_t>(2, divided(vectors, plan_.vectors * block_));
    for (std::size_t level = 1; level < passes.size(); ++level) {
      add_phase(GpuPhase::Work::reduce, rows * plan_.parts, block_, static_cast<int>(level));
    }
    if (elements) add_phase(GpuPhase::Work::store, rows * plan_.parts, block_);
    if (once) add_phase(GpuPhase::Work::store_once, rows, block_);
  }

  GpuLimits limits_;
  int block_;  // threads
  GpuPlan plan_;
  std::int64_t rows_ = 0;
  std::int64_t length_ = 0;
  std::size_t leading_ = 0;  // axes before the row
};

}  // namespace

GpuPlan plan_gpu(const Kernel& kernel, const GpuLimits& limits) { return Planner(kernel, limits).plan(); }

}  // namespace asg
