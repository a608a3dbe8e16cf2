// Products against plain loops in double.
#include "backend/cpu/library/matmul.h"

#include <cmath>
#include <mutex>

#include <gtest/gtest.h>

#include "backend/cpu/library/onednn_bf16.h"
#include "backend_cpu_library/library_cases.h"

namespace asg::test {
namespace {

using cpu::Matmul;
using cpu::MatmulSpec;

// Sizes and layouts; `gap` is what lies between the lines of each matrix.
struct MatmulCase {
  std::int64_t m, n, k;
  bool turn_a = false;
  bool turn_b = false;
  std::int64_t gap = 0;
  bool accumulate = false;
};

MatmulSpec spec_of(const MatmulCase& row, DType dtype) {
  MatmulSpec spec{.dtype = dtype, .m = row.m, .n = row.n, .k = row.k, .accumulate = row.accumulate};
  spec.a_row_step = row.turn_a ? 1 : row.k + row.gap;
  spec.a_column_step = row.turn_a ? row.m + row.gap : 1;
  spec.b_row_step = row.turn_b ? 1 : row.n + row.gap;
  spec.b_column_step = row.turn_b ? row.k + row.gap : 1;
  spec.c_row_step = row.n + row.gap;
  return spec;
}

std::int64_t extent(std::int64_t rows, std::int64_t row_step, std::int64_t columns, std::int64_t column_step) {
  return rows == 0 || columns == 0 ? 0 : (rows - 1) * row_step + (columns - 1) * column_step + 1;
}

// Operands of all products of a batch whose steps are those of the spec.
template <class T>
struct Operands {
  explicit Operands(const MatmulSpec& spec)
      : a(numbers<T>(extent(spec.m, spec.a_row_step, spec.k, spec.a_column_step) + reach(spec, 0), 1)),
        b(numbers<T>(extent(spec.k, spec.b_row_step, spec.n, spec.b_column_step) + reach(spec, 1), 2)),
        c(numbers<T>(extent(spec.m, spec.c_row_step, spec.n, 1) + reach(spec, 2), 3)) {}

  static std::int64_t reach(const MatmulSpec& spec, int operand) {
    std::int64_t sum = 0;
    for (const auto& axis : spec.batch) {
      sum += (axis.count - 1) * (operand == 0 ? axis.a_step : operand == 1 ? axis.b_step : axis.c_step);
    }
    return std::max<std::int64_t>(sum, 0);
  }

  std::vector<T> a, b, c;
};

// Offsets of each product of the batch.
struct Place {
  std::int64_t a = 0, b = 0, c = 0;
};
std::vector<Place> places_of(const MatmulSpec& spec) {
  std::vector<Place> places = {{}};
  for (const auto& axis : spec.batch) {
    std::vector<Place> longer;
    for (const Place& place : places) {
      for (std::int64_t at = 0; at < axis.count; ++at) {
        longer.push_back({place.a + at * axis.a_step, place.b + at * axis.b_step, place.c + at * axis.c_step});
      }
    }
    places = longer;
  }
  return places;
}

template <class T>
std::vector<T> expected(const MatmulSpec& spec, const Operands<T>& operands) {
  std::vector<T> c = operands.c;
  for (const Place& place : places_of(spec)) {
    for (std::int64_t row = 0; row < spec.m; ++row) {
      for (std::int64_t column = 0; column < spec.n; ++column) {
        T& element = c[static_cast<std::size_t>(place.c + row * spec.c_row_step + column)];
        double sum = spec.accumulate ? element : 0;
        for (std::int64_t k = 0; k < spec.k; ++k) {
          const auto left = static_cast<std::size_t>(place.a + row * spec.a_row_step + k * spec.a_column_step);
          const auto right = static_cast<std::size_t>(place.b + k * spec.b_row_step + column * spec.b_column_step);
          sum += static_cast<double>(operands.a[left]) * static_cast<double>(operands.b[right]);
        }
        element = static_cast<T>(sum);
      }
    }
  }
  return c;
}

template <class T>
std::vector<T> computed(const MatmulSpec& spec, const Operands<T>& operands, cpu::Library library, int threads) {
  const Matmul matmul(spec, library);
  Scratch scratch(matmul.scratch_bytes());
  ThreadPool pool(threads);
  std::vector<T> c = operands.c;
  matmul.run(operands.a.data(), operands.b.data(), c.data(), scratch.data(), pool);
  return c;
}

template <class T>
void check(const MatmulSpec& spec) {
  const Operands<T> operands(spec);
  const std::vector<T> right = expected(spec, operands);
  const double bound = (sizeof(T) == 4 ? 1e-6 : 1e-14) * std::sqrt(static_cast<double>(spec.k) + 1) * 4;
  for (const cpu::Library library : libraries()) {
    SCOPED_TRACE(name_of(library));
    const std::vector<T> one = computed(spec, operands, library, 1);
    double worst = 0;
    for (std::size_t k = 0; k < right.size(); ++k) {
      const double difference = std::abs(static_cast<double>(one[k]) - static_cast<double>(right[k]));
      worst = std::max(worst, std::isnan(difference) ? 1e30 : difference);
    }
    EXPECT_LE(worst, bound);
    EXPECT_TRUE(one == computed(spec, operands, library, 2)) << "other bits on two threads";
    EXPECT_TRUE(one == computed(spec, operands, library, 3)) << "other bits on three threads";
  }
}

std::vector<MatmulCase> matmul_cases() {
  std::vector<MatmulCase> rows = {
      {1, 1, 1},      {1, 515, 700},  {1, 768, 64},   {1, 65, 300},   {96, 1, 130},    {12, 32, 16},
      {13, 33, 17},   {64, 64, 32},   {37, 41, 53},   {128, 10, 256}, {7, 129, 321},   {200, 300, 100},
      {5, 7, 700},    {32, 32, 5000}, {130, 600, 70}, {0, 3, 4},      {3, 0, 4},       {3, 4, 0},
      {97, 193, 640}, {24, 16, 9},    {2, 2, 2},      {257, 37, 65},  {300, 130, 129}, {256, 5, 1100},
  };
  std::vector<MatmulCase> all;
  for (const MatmulCase& row : rows) {
    for (int layout = 0; layout < 4; ++layout) {
      MatmulCase turned = row;
      turned.turn_a = layout % 2 == 1;
      turned.turn_b = layout / 2 == 1;
      all.push_back(turned);
      turned.gap = 3;
      turned.accumulate = true;
      all.push_back(turned);
    }
  }
  return all;
}

TEST(Matmul, AgreesWithPlainLoopsOnAnyNumberOfThreads) {
  for (const MatmulCase& row : matmul_cases()) {
    SCOPED_TRACE(std::to_string(row.m) + " x " + std::to_string(row.n) + " x " + std::to_string(row.k) +
                 (row.turn_a ? " a turned" : "") + (row.turn_b ? " b turned" : "") +
                 (row.accumulate ? " accumulated, with gaps" : ""));
    check<float>(spec_of(row, DType::f32));
    check<double>(spec_of(row, DType::f64));
  }
}

TEST(Matmul, SumsLongProductsMoreExactlyThanOneByOne) {
  if (!cpu::has_onednn()) GTEST_SKIP() << "our own product sums by longer blocks";
  for (const bool turn_a : {false, true}) {
    const MatmulSpec spec = spec_of({.m = 128, .n = 128, .k = 1024, .turn_a = turn_a}, DType::f32);
    const Operands<float> operands(spec);
    const std::vector<float> right = expected(spec, operands);
    const std::vector<float> ours = computed(spec, operands, cpu::Library::onednn, 1);
    double errors = 0;
    double squares = 0;
    for (std::size_t k = 0; k < right.size(); ++k) {
      const double error = static_cast<double>(ours[k]) - static_cast<double>(right[k]);
      errors += error * error;
      squares += static_cast<double>(right[k]) * static_cast<double>(right[k]);
    }
    EXPECT_LT(std::sqrt(errors / squares), 3e-7) << (turn_a ? "a turned" : "a as it lies");
  }
}

TEST(Matmul, TakesBatchesOfSeveralAxesAndBroadcasts) {
  // Heads of attention: [batch, length, heads, width] seen as [batch, heads, length, width]; then one b for all; then a
  // batch without products.
  const std::int64_t heads = 3;
  const std::int64_t length = 20;
  const std::int64_t width = 8;
  const std::int64_t row = heads * width;
  MatmulSpec spec{.m = length, .n = length, .k = width, .a_row_step = row, .b_row_step = 1, .b_column_step = row};
  spec.c_row_step = length;
  spec.batch = {{2, length * row, length * row, heads * length * length}, {heads, width, width, length * length}};
  check<float>(spec);
  spec.batch = {{5, length * row, 0, length * length}};
  check<float>(spec);
  spec.batch = {{2, 0, length * row, length * length * 40}, {40, 0, 0, length * length}};
  check<float>(spec);
  spec.batch = {{0, 0, 0, 0}};
  check<float>(spec);
}

TEST(Matmul, TakesAnyStepsOfBothOperands) {
  MatmulSpec spec{
      .m = 17, .n = 19, .k = 23, .a_row_step = 50, .a_column_step = 2, .b_row_step = 60, .b_column_step = 3};
  spec.c_row_step = 19;
  check<float>(spec);
}

// Operands rounded to bf16 have products that f32 holds exactly; only the sums round.
TEST(Matmul, RoundsOperandsWhereItMay) {
  if (!cpu::has_bf16()) GTEST_SKIP() << "the processor does not multiply bf16, or the build has no oneDNN";
  for (MatmulCase row : matmul_cases()) {
    if (row.accumulate || row.m * row.n * row.k == 0) continue;
    for (const std::int64_t gap : {0, 3}) {
      row.gap = gap;
      MatmulSpec spec = spec_of(row, DType::f32);
      if (spec.is_row()) continue;  // reads its matrix once, and would not be faster
      spec.narrow = true;
      Operands<float> operands(spec);
      const std::vector<float> one = computed(spec, operands, cpu::Library::onednn, 1);
      EXPECT_TRUE(one == computed(spec, operands, cpu::Library::onednn, 3)) << "other bits on three threads";
      if (!spec.is_row()) {  // for a row it is not faster
        for (float& value : operands.a) value = bf16_to_f32(f32_to_bf16(value));
        for (float& value : operands.b) value = bf16_to_f32(f32_to_bf16(value));
      }
      const std::vector<float> right = expected(spec, operands);
      double worst = 0;
      for (std::size_t k = 0; k < right.size(); ++k) {
        worst = std::max(worst, std::abs(static_cast<double>(one[k]) - static_cast<double>(right[k])));
      }
      EXPECT_LE(worst, 4e-6 * std::sqrt(static_cast<double>(spec.k) + 1)) << row.m << ' ' << row.n << ' ' << row.k;
    }
  }
}

TEST(Matmul, TellsOfEveryBlockOnceAndWhenItIsComplete) {
  for (const MatmulCase& row : {MatmulCase{200, 300, 100}, MatmulCase{32, 32, 5000},
                                MatmulCase{128, 512, 768, true, false}, MatmulCase{300, 130, 129, false, true}}) {
    for (const cpu::Library library : libraries()) {
      const MatmulSpec spec = spec_of(row, DType::f32);
      const Operands<float> operands(spec);
      const std::vector<float> plain = computed(spec, operands, library, 1);
      const Matmul matmul(spec, library);
      Scratch scratch(matmul.scratch_bytes());
      ThreadPool pool(2);
      std::vector<float> c = operands.c;
      std::vector<int> seen(c.size(), 0);
      std::mutex mutex;
      const auto negate = [&](const cpu::MatrixBlock& block) {
        const std::lock_guard lock(mutex);
        for (std::int64_t r = block.first_row; r < block.last_row; ++r) {
          for (std::int64_t s = block.first_column; s < block.last_column; ++s) {
            const auto at = static_cast<std::size_t>(r * spec.c_row_step + s);
            c[at] = -c[at];
            ++seen[at];
          }
        }
      };
      matmul.run(operands.a.data(), operands.b.data(), c.data(), scratch.data(), pool, negate);
      for (std::size_t k = 0; k < c.size(); ++k) {
        ASSERT_EQ(seen[k], 1);
        ASSERT_EQ(c[k], -plain[k]);
      }
    }
  }
}

TEST(Matmul, TurnsTheRightOperandBeforehandWhereManyRowsUseIt) {
  if (!cpu::has_onednn()) GTEST_SKIP() << "our own product packs a turned operand well";
  const auto scratch = [](std::int64_t m) {
    return Matmul(spec_of({m, 96, 64, false, true}, DType::f32), cpu::Library::onednn).scratch_bytes();
  };
  EXPECT_EQ(scratch(255), 0U);
  EXPECT_GE(scratch(256), 96U * 64U * sizeof(float));
}

TEST(Matmul, IsSplitByItsShapeAlone) {
  const auto split = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    return cpu::split_matmul(spec_of({m, n, k}, DType::f32));
  };
  EXPECT_EQ(split(16, 16, 16), (cpu::MatmulSplit{16, 16, 16, 1}));  // too small to divide
  EXPECT_EQ(split(32, 32, 8192).inner_part, 1024);                  // a long inner axis is divided
  EXPECT_EQ(split(512, 512, 512).inner_part, 512);                  // a short one is not
  const cpu::MatmulSplit large = split(2048, 2048, 2048);
  EXPECT_EQ(2048 / large.row_part * (2048 / large.column_part), 32);
}

}  // namespace
}  // namespace asg::test
