#include "backend/cpu/library/matmul.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "asg/core/error.h"
#include "backend/cpu/library/onednn_bf16.h"
#include "backend/cpu/library/onednn_gemm.h"
#include "backend/cpu/library/row_product.h"

namespace asg::cpu {
namespace {

std::int64_t parts_of(std::int64_t length, std::int64_t part) { return (length + part - 1) / part; }

// Each part of a product packs what it needs of b, and oneDNN is slow at it where b lies turned. Turning it once
// beforehand costs about as much as three rows of the product.
bool should_turn(const MatmulSpec& spec) {
  constexpr std::int64_t kFewestRows = 256;
  return spec.dtype == DType::f32 && spec.m >= kFewestRows && spec.batch_count() == 1 && spec.b_row_step == 1 &&
         spec.b_column_step != 1 && spec.k > 0 && spec.n > 0;
}

// A turned right operand is packed faster by our own product; f64 oneDNN does not know.
bool fits_onednn(const MatmulSpec& spec) {
  const bool a_fits = spec.a_row_step == 1 || spec.a_column_step == 1;
  return spec.dtype == DType::f32 && a_fits && spec.b_column_step == 1 && spec.k > 0;
}

}  // namespace

Matmul::Matmul(MatmulSpec spec, Library library)
    : spec_(std::move(spec)),
      split_(split_matmul(spec_)),
      is_row_(spec_.is_row()),
      b_column_step_(spec_.b_column_step) {
  internal_check(spec_.dtype == DType::f32 || spec_.dtype == DType::f64, "Matmul computes in f32 and f64");
  if (library != Library::onednn || !has_onednn()) return;
  // Rounding the matrix takes longer than multiplying a row by it.
  if (spec_.narrow && !is_row_) narrow_ = onednn_bf16_product(spec_, split_);
  if (narrow_ == nullptr && should_turn(spec_)) {
    turned_.emplace(spec_.k, spec_.n);
    spec_.b_row_step = turned_->row_step();
    spec_.b_column_step = 1;
    split_ = split_matmul(spec_);
  }
  onednn_ = fits_onednn(spec_);
}

std::int64_t Matmul::inner_parts() const { return std::max<std::int64_t>(1, parts_of(spec_.k, split_.inner_part)); }

std::size_t Matmul::partial_bytes() const {
  if (inner_parts() == 1) return 0;
  return static_cast<std::size_t>(inner_parts() * spec_.batch_count() * spec_.m * spec_.n) *
         static_cast<std::size_t>(bytes_of(spec_.dtype));
}

std::size_t Matmul::scratch_bytes() const {
  if (narrow_ != nullptr) return narrow_->scratch_bytes();
  return partial_bytes() + (turned_ ? turned_->bytes() : 0);
}

Matmul::Offsets Matmul::offsets_of(std::int64_t batch) const {
  Offsets offsets;
  for (auto axis = spec_.batch.rbegin(); axis != spec_.batch.rend(); ++axis) {
    const std::int64_t at = batch % axis->count;
    batch /= axis->count;
    offsets.a += at * axis->a_step;
    offsets.b += at * axis->b_step;
    offsets.c += at * axis->c_step;
  }
  return offsets;
}

template <class T>
void Matmul::multiply(const GemmSizes& sizes, const T* a, const T* b, T* c, std::int64_t c_step,
                      bool accumulate) const {
  const MatrixView<T> left{a, spec_.a_row_step, spec_.a_column_step};
  const MatrixView<T> right{b, spec_.b_row_step, spec_.b_column_step};
  if (is_row_) {
    return multiply_row({.n = sizes.n, .k = sizes.k, .a = a, .b = right, .c = c, .accumulate = accumulate});
  }
  if constexpr (std::is_same_v<T, float>) {
    if (onednn_) return onednn_gemm(sizes, left, right, c, c_step, accumulate);
  }
  gemm(sizes, left, right, c, c_step, accumulate);
}

void Matmul::run(const void* a, const void* b, void* c, void* scratch, ThreadPool& pool, BlockDone after_block) const {
  if (narrow_ != nullptr) return narrow_->run(a, b, c, scratch, pool, after_block);
  if (spec_.dtype == DType::f32) {
    const auto* right = static_cast<const float*>(b);
    auto* partial = static_cast<float*>(scratch);
    if (turned_) {
      turned_->make({right, 1, b_column_step_}, partial, pool);
      right = partial;
      partial += turned_->bytes() / sizeof(float);
    }
    run_typed(static_cast<const float*>(a), right, static_cast<float*>(c), partial, pool, after_block);
  } else {
    run_typed(static_cast<const double*>(a), static_cast<const double*>(b), static_cast<double*>(c),
              static_cast<double*>(scratch), pool, after_block);
  }
}

template <class T>
void Matmul::run_typed(const T* a, const T* b, T* c, T* partial, ThreadPool& pool, BlockDone after_block) const {
  if (spec_.m == 0 || spec_.n == 0) return;
  if (inner_parts() > 1) return run_inner_parts(a, b, c, partial, pool, after_block);
  const std::int64_t row_parts = parts_of(spec_.m, split_.row_part);
  const std::int64_t column_parts = parts_of(spec_.n, split_.column_part);
  const std::int64_t tiles = row_parts * column_parts;
  const auto one_tile = [&](std::int64_t task) {
    const std::int64_t batch = task / tiles;
    const std::int64_t row = task % tiles / column_parts * split_.row_part;
    const std::int64_t column = task % column_parts * split_.column_part;
    const std::int64_t rows = std::min(split_.row_part, spec_.m - row);
    const std::int64_t columns = std::min(split_.column_part, spec_.n - column);
    const Offsets at = offsets_of(batch);
    multiply({rows, columns, spec_.k}, a + at.a + row * spec_.a_row_step, b + at.b + column * spec_.b_column_step,
             c + at.c + row * spec_.c_row_step + column, spec_.c_row_step, spec_.accumulate);
    if (after_block) after_block({row, row + rows, column, column + columns, batch});
  };
  const auto tasks = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t task = first; task < last; ++task) one_tile(task);
  };
  pool.for_ranges(spec_.batch_count() * tiles, split_.batch_grain, std::ref(tasks));
}

// A long inner axis and a small result: parts of the axis are summed aside, then added in their order.
template <class T>
void Matmul::run_inner_parts(const T* a, const T* b, T* c, T* partial, ThreadPool& pool, BlockDone after_block) const {
  const std::int64_t parts = inner_parts();
  const std::int64_t size = spec_.m * spec_.n;
  const std::int64_t row_parts = parts_of(spec_.m, split_.row_part);
  const std::int64_t column_parts = parts_of(spec_.n, split_.column_part);
  const std::int64_t tiles = row_parts * column_parts;
  const auto multiply_part = [&](std::int64_t task, std::int64_t) {
    const Offsets at = offsets_of(task / (parts * tiles));
    const std::int64_t slab = task / tiles;  // batch and part
    const std::int64_t inner = slab % parts * split_.inner_part;
    const std::int64_t row = task % tiles / column_parts * split_.row_part;
    const std::int64_t column = task % column_parts * split_.column_part;
    const GemmSizes sizes{std::min(split_.row_part, spec_.m - row), std::min(split_.column_part, spec_.n - column),
                          std::min(split_.inner_part, spec_.k - inner)};
    multiply(sizes, a + at.a + row * spec_.a_row_step + inner * spec_.a_column_step,
             b + at.b + inner * spec_.b_row_step + column * spec_.b_column_step,
             partial + slab * size + row * spec_.n + column, spec_.n, false);
  };
  pool.for_ranges(spec_.batch_count() * parts * tiles, 1, std::ref(multiply_part));
  const auto add_rows = [&](std::int64_t task, std::int64_t) {
    const std::int64_t batch = task / row_parts;
    const std::int64_t first = task % row_parts * split_.row_part;
    const std::int64_t last = std::min(spec_.m, first + split_.row_part);
    T* to = c + offsets_of(batch).c;
    for (std::int64_t row = first; row < last; ++row) {
      T* target = to + row * spec_.c_row_step;
      for (std::int64_t part = 0; part < parts; ++part) {
        const T* from = partial + (batch * parts + part) * size + row * spec_.n;
        const bool first_term = part == 0 && !spec_.accumulate;
        for (std::int64_t column = 0; column < spec_.n; ++column) {
          target[column] = first_term ? from[column] : target[column] + from[column];
        }
      }
    }
    if (after_block) after_block({first, last, 0, spec_.n, batch});
  };
  pool.for_ranges(spec_.batch_count() * row_parts, 1, std::ref(add_rows));
}

}  // namespace asg::cpu
