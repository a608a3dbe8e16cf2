#include <algorithm>

#include "backend/cpu/library/matmul.h"

namespace asg::cpu {
namespace {

constexpr std::int64_t kRowMultiple = 4;
constexpr std::int64_t kColumnMultiple = 16;
constexpr double kSmallestTask = 1e6;         // operations: about ten microseconds, which waking a thread costs too
constexpr std::int64_t kSmallestTile = 2048;  // elements of c
constexpr std::int64_t kSmallestInner = 512;
constexpr double kRunCost = 1.2e4;             // of one run of an epilogue, in operations: some hundred nanoseconds
constexpr std::int64_t kFewestWholeRows = 48;  // each part of whole rows packs all of b

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// A power of two, so that two, four or eight threads have the same to do.
std::int64_t wanted_tasks(double operations) {
  const std::int64_t most = operations < 5e8 ? 8 : operations < 8e9 ? 16 : 32;
  std::int64_t tasks = 1;
  while (tasks < most && operations / static_cast<double>(2 * tasks) >= kSmallestTask) tasks *= 2;
  return tasks;
}

std::int64_t part_of(std::int64_t length, std::int64_t parts, std::int64_t multiple) {
  const std::int64_t part = divide_up(length, parts);
  return std::min(length, divide_up(part, multiple) * multiple);
}

// What a grid of tiles costs, relative to the multiplications alone: elements of the last tiles that are not there,
// and packing, which a tile pays for each of its rows of a and columns of b. Turning a matrix costs more than copying.
double cost_of(const MatmulSpec& spec, std::int64_t row_parts, std::int64_t column_parts) {
  const auto rows = static_cast<double>(part_of(spec.m, row_parts, kRowMultiple));
  const auto columns = static_cast<double>(part_of(spec.n, column_parts, kColumnMultiple));
  const double covered = rows * static_cast<double>(row_parts) * columns * static_cast<double>(column_parts);
  const double a_cost = spec.a_row_step == 1 ? 3 : 6;
  const double b_cost = spec.b_column_step == 1 ? 4 : 10;
  const double packed =
      covered / (static_cast<double>(spec.m) * static_cast<double>(spec.n)) * (1 + b_cost / rows + a_cost / columns);
  if (!spec.has_epilogue || column_parts == 1) return packed;
  const double run = 2 * columns * static_cast<double>(spec.k);  // operations behind a run of the epilogue
  return packed + kRunCost / run;
}

// A row: parts that are long runs of memory, so rows of the matrix where they are dense, else columns. More parts than
// threads, since a thread may be kept from its work.
MatmulSplit split_row(const MatmulSpec& spec, const MatmulSplit& whole) {
  constexpr std::int64_t kMostParts = 16;
  constexpr std::int64_t kSmallestPart = std::int64_t{1} << 15;  // elements of b
  const std::int64_t parts = std::clamp<std::int64_t>(spec.n * spec.k / kSmallestPart, 1, kMostParts);
  MatmulSplit split = whole;
  if (spec.b_column_step == 1) {
    split.inner_part = part_of(spec.k, parts, kColumnMultiple);
  } else {
    split.column_part = part_of(spec.n, parts, kColumnMultiple);
  }
  return split;
}

}  // namespace

bool MatmulSpec::is_row() const {
  return m == 1 && n > 1 && k > 0 && batch_count() == 1 && !whole_rows && (k == 1 || a_column_step == 1) &&
         (b_column_step == 1 || b_row_step == 1);
}

std::int64_t MatmulSpec::batch_count() const {
  std::int64_t count = 1;
  for (const BatchAxis& axis : batch) count *= axis.count;
  return count;
}

MatmulSplit split_matmul(const MatmulSpec& spec) {
  MatmulSplit split{std::max<std::int64_t>(1, spec.m), std::max<std::int64_t>(1, spec.n),
                    std::max<std::int64_t>(1, spec.k), 1};
  const std::int64_t batch = spec.batch_count();
  if (batch == 0 || spec.m == 0 || spec.n == 0 || spec.k == 0) return split;
  if (spec.is_row()) return split_row(spec, split);
  const double one = 2.0 * static_cast<double>(spec.m) * static_cast<double>(spec.n) * static_cast<double>(spec.k);
  const std::int64_t tasks = wanted_tasks(one * static_cast<double>(batch));
  if (batch >= tasks) {
    split.batch_grain = batch / tasks;
    return split;
  }
  const std::int64_t each = tasks / batch;
  std::int64_t tiles = 1;
  const std::int64_t most = spec.whole_rows ? std::max<std::int64_t>(1, spec.m / kFewestWholeRows) : each;
  while (2 * tiles <= std::min(each, most) && spec.m * spec.n >= 2 * tiles * kSmallestTile) tiles *= 2;
  std::int64_t best = spec.whole_rows ? tiles : 1;
  for (std::int64_t row_parts = 2; !spec.whole_rows && row_parts <= tiles; row_parts *= 2) {
    if (cost_of(spec, row_parts, tiles / row_parts) < cost_of(spec, best, tiles / best)) best = row_parts;
  }
  split.row_part = part_of(spec.m, best, kRowMultiple);
  split.column_part = part_of(spec.n, tiles / best, kColumnMultiple);
  const std::int64_t inner_parts = std::clamp<std::int64_t>(spec.k / kSmallestInner, 1, each / tiles);
  split.inner_part = part_of(spec.k, inner_parts, kColumnMultiple);
  return split;
}

}  // namespace asg::cpu
