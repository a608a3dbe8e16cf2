#include "backend/cpu/library/turned_matrix.h"

#include <algorithm>
#include <functional>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/library/turned_matrix.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backend/cpu/library/gemm_pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace asg::cpu::HWY_NAMESPACE {

void turn_block(const float* from, std::int64_t line_step, std::int64_t lines, std::int64_t inner, float* to,
                std::int64_t step) {
  pack_turned(from, line_step, lines, inner, to, step);
}

}  // namespace asg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asg::cpu {
namespace {

HWY_EXPORT(turn_block);

// A block is written in lines of the cache and stays in it meanwhile.
constexpr std::int64_t kBlockRows = 128;
constexpr std::int64_t kBlockColumns = 64;

}  // namespace

// Rows that stand a power of two apart would fall on the same few lines of the cache.
TurnedMatrix::TurnedMatrix(std::int64_t rows, std::int64_t columns)
    : rows_(rows), columns_(columns), row_step_((columns + 15) / 16 * 16 + 16) {}

std::size_t TurnedMatrix::bytes() const { return static_cast<std::size_t>(rows_ * row_step_) * sizeof(float); }

void TurnedMatrix::make(const MatrixView<float>& from, float* to, ThreadPool& pool) const {
  const auto turn_columns = [&](std::int64_t strip, std::int64_t) {
    const std::int64_t column = strip * kBlockColumns;
    const std::int64_t columns = std::min(kBlockColumns, columns_ - column);
    for (std::int64_t row = 0; row < rows_; row += kBlockRows) {
      HWY_DYNAMIC_DISPATCH(turn_block)
      (from.data + column * from.column_step + row, from.column_step, columns, std::min(kBlockRows, rows_ - row),
       to + row * row_step_ + column, row_step_);
    }
  };
  pool.for_ranges((columns_ + kBlockColumns - 1) / kBlockColumns, 1, std::ref(turn_columns));
}

}  // namespace asg::cpu
#endif  // HWY_ONCE
