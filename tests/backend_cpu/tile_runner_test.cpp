// Shapes, strides, rows and errors of kernels that are run tile by tile.

#include "backend/cpu/tile_runner.h"

#include <cmath>

#include <gtest/gtest.h>

#include "kernel_maker.h"

namespace asg::tests {
namespace {

using Strides = std::vector<std::int64_t>;

struct StridesRow {
  const char* name;
  Strides space;
  Strides from;
  std::int64_t from_offset;
  Strides to;
  std::int64_t to_offset;
};

TEST(TileRunner, strides_and_offsets) {
  const StridesRow rows[] = {
      {"dense", {3, 5}, {5, 1}, 0, {5, 1}, 0},
      {"offsets", {3, 5}, {5, 1}, 7, {5, 1}, 3},
      {"gaps", {3, 5}, {11, 2}, 1, {7, 1}, 2},
      {"negative", {3, 5}, {-5, -1}, 14, {5, 1}, 0},
      {"reversed_output", {3, 500}, {500, 1}, 0, {500, -1}, 499},
      {"transposed", {40, 70}, {1, 40}, 0, {70, 1}, 0},
      {"broadcast_row", {40, 70}, {0, 1}, 0, {70, 1}, 0},
      {"broadcast_column", {40, 70}, {1, 0}, 0, {70, 1}, 0},
      {"broadcast_all", {40, 70}, {0, 0}, 5, {70, 1}, 0},
      {"broadcast_middle", {6, 50, 20}, {20, 0, 1}, 0, {1000, 20, 1}, 0},
      {"permuted", {6, 50, 20}, {1, 120, 6}, 0, {1000, 20, 1}, 0},
      {"short_inner", {900, 3}, {4, 1}, 0, {3, 1}, 0},
      {"one_long_row", {1, 9001}, {9001, 1}, 0, {9001, 1}, 0},
      {"long_rows", {3, 9001}, {9001, 1}, 0, {9100, 1}, 0},
      {"long_rows_broadcast", {3, 9001}, {0, 1}, 0, {9001, 1}, 0},
      {"no_axes", {}, {}, 0, {}, 0},
      {"empty", {4, 0, 3}, {3, 3, 1}, 0, {3, 3, 1}, 0},
  };
  for (const StridesRow& row : rows) {
    SCOPED_TRACE(row.name);
    for (const DType dtype : {DType::f32, DType::f64, DType::bf16, DType::i32, DType::boolean}) {
      KernelMaker make(row.space, 0);
      const int strided = make.load(dtype, row.from, row.from_offset);
      const int dense = make.load(dtype);
      const int joined = dtype == DType::boolean ? make.compute(ScalarOp::logical_xor, dtype, {strided, dense})
                                                 : make.compute(ScalarOp::add, dtype, {strided, dense});
      make.store(joined, row.to, row.to_offset);
      expect_like_reference(make.kernel, make_arguments(make.kernel, 3, false), 0);
    }
  }
}

TEST(TileRunner, odd_sizes) {
  for (const std::int64_t size : {0, 1, 15, 16, 17, 127, 128, 129, 1000, 4097, 70001}) {
    KernelMaker make({size}, 0);
    const int x = make.load(DType::f32);
    int y = make.compute(ScalarOp::mul, DType::f32, {x, make.constant(DType::f32, 1.25)});
    y = make.compute(ScalarOp::sub, DType::f32, {make.constant(DType::f32, 3), y});
    y = make.compute(ScalarOp::max, DType::f32, {y, x});
    make.store(make.compute(ScalarOp::tanh, DType::f32, {y}));
    make.store(y);
    expect_like_reference(make.kernel);
  }
}

int softmax(KernelMaker& make, int x) {
  const DType dtype = make.dtype_of(x);
  const int shifted = make.compute(ScalarOp::sub, dtype, {x, make.reduce(Reduction::max, x)});
  const int powers = make.compute(ScalarOp::exp, dtype, {shifted});
  return make.compute(ScalarOp::div, dtype, {powers, make.reduce(Reduction::sum, powers)});
}

int normalised(KernelMaker& make, int x, double length) {
  const DType dtype = make.dtype_of(x);
  const int share = make.constant(dtype, 1 / length);
  const int mean = make.compute(ScalarOp::mul, dtype, {make.reduce(Reduction::sum, x), share});
  const int centred = make.compute(ScalarOp::sub, dtype, {x, mean});
  const int squares = make.compute(ScalarOp::mul, dtype, {centred, centred});
  const int variance = make.compute(ScalarOp::mul, dtype, {make.reduce(Reduction::sum, squares), share});
  const int safe = make.compute(ScalarOp::add, dtype, {variance, make.constant(dtype, 1e-5)});
  return make.compute(ScalarOp::div, dtype, {centred, make.compute(ScalarOp::sqrt, dtype, {safe})});
}

struct RowsRow {
  std::int64_t rows;
  std::int64_t length;
};
constexpr RowsRow kRows[] = {{1, 1},    {7, 1},    {1000, 2},  {33, 15},   {33, 16},   {50, 17}, {300, 64}, {5, 1000},
                             {3, 4097}, {2, 9000}, {2, 16384}, {2, 16385}, {3, 50001}, {0, 5},   {4, 0}};

TEST(TileRunner, softmax_and_norms_of_any_length) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const auto [rows, length] : kRows) {
      KernelMaker make({rows, length}, 1);
      const int x = make.load(dtype);
      const int scale = make.load(dtype, {0, 1});
      make.store(softmax(make, x));
      const int scaled = make.compute(ScalarOp::mul, dtype, {normalised(make, x, static_cast<double>(length)), scale});
      make.store(scaled);
      expect_like_reference(make.kernel, 3);
    }
  }
}

TEST(TileRunner, values_per_row) {
  for (const DType dtype : {DType::f32, DType::f64, DType::i32, DType::bf16}) {
    for (const auto [rows, length] : kRows) {
      KernelMaker make({rows, length}, 1);
      const int x = make.load(dtype);
      const int factor = make.load(dtype, {1, 0});
      const int offset = make.load(dtype, {0, 0});
      const int top = make.reduce(Reduction::max, make.compute(ScalarOp::add, dtype, {x, factor}));
      const int joined =
          make.compute(ScalarOp::add, dtype, {make.compute(ScalarOp::mul, dtype, {top, factor}), offset});
      make.store(joined, {1, 0});                                        // once per row
      make.store(make.compute(ScalarOp::sub, dtype, {joined, factor}));  // at every element of it
      make.store(make.reduce(Reduction::min, x), {2, 0}, 1);
      make.store(make.reduce(Reduction::max, factor), {1, 0});  // of what does not move along the row
      expect_like_reference(make.kernel, make_arguments(make.kernel, 3, false), 0);
    }
  }
}

TEST(TileRunner, reductions) {
  for (const DType dtype : {DType::f32, DType::f64, DType::i64, DType::i8, DType::u16}) {
    for (const auto [rows, length] : kRows) {
      KernelMaker make({rows, length}, 1);
      const int x = make.load(dtype);
      const int least = make.reduce(Reduction::min, x);
      const int positive = make.compute(ScalarOp::add, dtype, {x, make.constant(dtype, 3)});
      make.store(make.reduce(Reduction::sum, positive), {1, 0});
      make.store(make.reduce(Reduction::max, x), {1, 0});
      make.store(least, {1, 0});
      if (length < 20) make.store(make.reduce(Reduction::prod, x), {1, 0});
      make.store(make.reduce(Reduction::sum, make.compute(ScalarOp::max, dtype, {least, make.constant(dtype, 1)})),
                 {1, 0});
      expect_like_reference(make.kernel, 4);
    }
  }
}

// A running total in f32 would lose the small number while the large one is in it.
TEST(TileRunner, sums_of_long_rows_keep_what_large_numbers_would_swallow) {
  for (const std::int64_t length : {3072, 9000, 70000}) {
    KernelMaker make({2, length}, 1);
    make.store(make.reduce(Reduction::sum, make.load(DType::f32)), {1, 0});
    std::vector<Array> arguments = {Array(DType::f32, {2, length}), Array(DType::f32, {2})};
    for (const std::int64_t row : {0, 1}) {
      arguments[0].set(row * length, 1e4);
      arguments[0].set(row * length + length / 2, 1e-4);
      arguments[0].set(row * length + length - 1, -1e4);
    }
    run_tiles(make.kernel, arguments);
    EXPECT_NEAR(arguments[1].get(0), 1e-4, 1e-9) << length;
    EXPECT_NEAR(arguments[1].get(1), 1e-4, 1e-9) << length;
  }
}

TEST(TileRunner, nan_in_reductions) {
  for (const std::int64_t length : {5, 64, 1000, 20000}) {
    KernelMaker make({3, length}, 1);
    const int x = make.load(DType::f32);
    for (const Reduction reduction : {Reduction::sum, Reduction::max, Reduction::min, Reduction::prod}) {
      make.store(make.reduce(reduction, x), {1, 0});
    }
    const std::vector<Array> arguments = make_arguments(make.kernel, 1, false);
    Array first = arguments[0];
    first.set(length + 2, std::nan(""));
    run_tiles(make.kernel, arguments);
    for (std::size_t k = 1; k < arguments.size(); ++k) {
      EXPECT_FALSE(std::isnan(arguments[k].get(0)));
      EXPECT_TRUE(std::isnan(arguments[k].get(1))) << k;
      EXPECT_FALSE(std::isnan(arguments[k].get(2)));
    }
  }
}

TEST(TileRunner, rows_of_several_axes) {
  KernelMaker make({4, 6, 5, 7}, 2);
  const int x = make.load(DType::f32, {210, 1, 42, 6});  // a transposed view
  make.store(softmax(make, x), {210, 35, 1, 5});
  expect_like_reference(make.kernel);
}

// Per channel of [batch, channels, pixels]: rows are made of runs that lie apart, short and long ones.
TEST(TileRunner, rows_of_runs_that_lie_apart) {
  for (const DType dtype : {DType::f32, DType::f64, DType::i32, DType::f16}) {
    for (const auto& [batch, pixels] : {std::pair<std::int64_t, std::int64_t>{3, 20}, {2, 300}, {40, 576}, {3, 9001}}) {
      for (const bool again : {false, true}) {
        SCOPED_TRACE(std::to_string(batch) + " runs of " + std::to_string(pixels));
        const std::int64_t channels = 5;
        const Sizes apart = {pixels, channels * pixels, 1};
        KernelMaker make({channels, batch, pixels}, 2);
        const int x = make.load(dtype, apart);
        const int y = make.load(dtype, apart);
        const int factor = make.load(dtype, {1, 0, 0});
        const int product = make.compute(ScalarOp::mul, dtype, {make.compute(ScalarOp::min, dtype, {x, y}), factor});
        const int largest = make.reduce(Reduction::max, product);
        make.store(product, apart);
        make.store(make.reduce(Reduction::sum, x), {1, 0, 0});
        make.store(make.compute(ScalarOp::add, dtype, {largest, factor}), {1, 0, 0});
        make.store(largest, apart);  // at every element
        make.sum(x);
        if (again) make.store(make.compute(ScalarOp::sub, dtype, {x, largest}), apart);  // reads x once more
        expect_like_reference(make.kernel, make_arguments(make.kernel, 3, false), dtype == DType::f16 ? 1e-2 : 1e-5);
      }
    }
  }
}

TEST(TileRunner, outputs_over_inputs_of_runs) {
  const Sizes apart = {300, 1200, 1};
  KernelMaker make({4, 7, 300}, 2);
  const int x = make.load(DType::f32, apart);
  const int y = make.load(DType::f32, apart);
  const int sum = make.compute(ScalarOp::add, DType::f32, {x, y});
  make.store(sum, apart);                                                // over y
  make.store(make.reduce(Reduction::max, x), {1, 0, 0});                 // x is read after it
  make.store(make.compute(ScalarOp::mul, DType::f32, {sum, y}), apart);  // over x
  const std::vector<Array> arguments = make_arguments(make.kernel, 8, false);
  const std::vector<Array> expected = copies_of(arguments);
  run_kernel_reference(make.kernel, expected);
  run_tiles(make.kernel, {arguments[0], arguments[1], arguments[1], arguments[3], arguments[0]});
  EXPECT_TRUE(bit_equal(arguments[1], expected[2]));
  EXPECT_TRUE(bit_equal(arguments[3], expected[3]));
  EXPECT_TRUE(bit_equal(arguments[0], expected[4]));
}

TEST(TileRunner, sums_over_leading_axes) {
  for (const DType dtype : {DType::f32, DType::f64, DType::i32, DType::f16}) {
    for (const auto [rows, length] : kRows) {
      KernelMaker make({rows, length}, 1);
      const int x = make.load(dtype);
      const int y = make.load(dtype, {1, 0});
      make.sum(make.compute(ScalarOp::mul, dtype, {x, y}));
      make.sum(x);
      make.sum(y);
      make.sum(make.constant(dtype, 2));
      make.store(make.compute(ScalarOp::add, dtype, {x, y}));
      expect_like_reference(make.kernel, make_arguments(make.kernel, 3, false), dtype == DType::f16 ? 1e-3 : 1e-6);
    }
  }
}

TEST(TileRunner, sums_of_all_points) {
  KernelMaker make({5000, 3}, 0);
  make.kernel.row_axes = 0;
  const int x = make.load(DType::f32);
  make.store(make.compute(ScalarOp::mul, DType::f32, {x, x}), {0, 0});
  make.kernel.stores.back().sum_over_leading = true;
  expect_like_reference(make.kernel);
}

TEST(TileRunner, gathers) {
  for (const std::int64_t length : {1, 7, 64, 3000, 20000}) {
    KernelMaker make({9, length}, 1);
    const int row_index = make.load(DType::i64, {1, 0});
    const int embedded = make.gather(DType::f32, {0, 1}, row_index, length, 12);
    make.store(make.compute(ScalarOp::add, DType::f32, {embedded, make.load(DType::f32)}));
    const int picked = make.gather(DType::f32, {length, 0}, row_index, 1, length);
    make.store(picked, {1, 0});
    const int element_index = make.load(DType::i32);
    make.store(make.gather(DType::bf16, {0, 0}, element_index, 3, 100));
    std::vector<Array> arguments = make_arguments(make.kernel, 3, false);
    for (std::int64_t k = 0; k < 9; ++k)
      arguments[0].set_i64(k, (k * 5) % std::min<std::int64_t>(length, 12) - (k % 2));
    expect_like_reference(make.kernel, arguments, 0);
  }
}

TEST(TileRunner, random_numbers_have_the_bits_of_the_stream) {
  for (const DType dtype : {DType::f32, DType::f64, DType::f16}) {
    for (const bool normal : {false, true}) {
      KernelMaker make({30, 41}, 0);
      const int seed = make.load(DType::i64, {0, 0});
      const int step = make.load(DType::i64, {0, 0});
      make.store(make.random(normal, dtype, seed, step, make.position({41, 1})));
      make.store(make.random(normal, dtype, seed, make.load(DType::i64, {1, 0}), make.position({1, 30})));
      expect_like_reference(make.kernel, make_arguments(make.kernel, 3, false), 0);
    }
  }
}

TEST(TileRunner, positions) {
  KernelMaker make({5, 6, 700}, 0);
  make.store(make.position({4200, 700, 1}));
  make.store(make.position({1, 0, 100}));
  make.store(make.position({1, 10, 0}));
  make.store(make.position({0, 0, 0}));
  expect_like_reference(make.kernel);
}

// A causal mask: positions compared, then chosen by.
TEST(TileRunner, masks_from_positions) {
  for (const std::int64_t length : {17, 64, 513}) {
    KernelMaker make({2, length, length}, 1);
    const int allowed =
        make.compute(ScalarOp::less_or_equal, DType::boolean, {make.position({0, 0, 1}), make.position({0, 1, 0})});
    const int x = make.load(DType::f32);
    make.store(
        softmax(make, make.compute(ScalarOp::select, DType::f32, {allowed, x, make.constant(DType::f32, -1e9)})));
    expect_like_reference(make.kernel);
  }
}

TEST(TileRunner, outputs_over_their_inputs) {
  for (const std::int64_t length : {20, 700, 30000}) {
    KernelMaker make({6, length}, 1);
    const int x = make.load(DType::f32);
    const int y = make.load(DType::f32);
    const int sum = make.compute(ScalarOp::add, DType::f32, {x, y});
    make.store(sum);                                                // over x
    make.store(make.compute(ScalarOp::mul, DType::f32, {sum, x}));  // over y, and x is read once more
    make.store(softmax(make, x));
    const std::vector<Array> arguments = make_arguments(make.kernel, 8, false);
    const std::vector<Array> expected = copies_of(arguments);
    run_kernel_reference(make.kernel, expected);
    run_tiles(make.kernel, {arguments[0], arguments[1], arguments[0], arguments[1], arguments[4]});
    EXPECT_TRUE(bit_equal(arguments[0], expected[2]));
    EXPECT_TRUE(bit_equal(arguments[1], expected[3]));
    for (std::int64_t k = 0; k < 6 * length; ++k) ASSERT_NEAR(arguments[4].get(k), expected[4].get(k), 1e-6);
  }
}

// What a runner computes of a kernel piece by piece.
class Pieces {
 public:
  Pieces(const Kernel& kernel, const std::vector<Array>& arguments)
      : runner_(kernel), scratch_(DType::u8, {runner_.thread_scratch_bytes()}) {
    for (Array argument : arguments) addresses_.push_back(argument.raw());
  }

  void run(const cpu::PointBlock& block) {
    sums_.emplace_back(DType::u8, Sizes{runner_.sum_bytes()});
    EXPECT_EQ(runner_.run_block(addresses_, scratch_.raw(), sums_.back().raw(), block), 0U);
  }

  void store_sums() {
    Array all(DType::u8, {static_cast<std::int64_t>(sums_.size()) * runner_.sum_bytes()});
    std::byte* to = all.raw();
    for (const Array& piece : sums_) to = std::copy_n(piece.raw(), piece.count(), to);
    runner_.store_sums(addresses_, all.raw(), static_cast<std::int64_t>(sums_.size()));
  }

 private:
  cpu::TileRunner runner_;
  std::vector<std::byte*> addresses_;
  Array scratch_;
  std::vector<Array> sums_;
};

TEST(TileRunner, points_alone) {
  KernelMaker make({40, 30}, 0);
  const int x = make.load(DType::f32);
  const int bias = make.load(DType::f32, {0, 1});
  make.store(make.compute(ScalarOp::add, DType::f32, {x, bias}));
  const std::vector<Array> arguments = make_arguments(make.kernel, 8, false);
  const std::vector<Array> expected = copies_of(arguments);
  run_kernel_reference(make.kernel, expected);
  Pieces pieces(make.kernel, arguments);
  // The ranges begin in the middle of the last axis.
  for (const std::int64_t first : {0, 45, 500, 501, 1199}) {
    const std::int64_t last = first == 0 ? 45 : first == 45 ? 500 : first == 500 ? 501 : first == 501 ? 1199 : 1200;
    pieces.run({.first = first, .length = last - first});
    for (std::int64_t k = 0; k < 1200; ++k) ASSERT_EQ(arguments[2].get(k), k < last ? expected[2].get(k) : 0) << k;
  }
}

// A matrix product of one row hands its result over part by part: what is not there yet must not be read.
TEST(TileRunner, pieces_of_one_row_read_nothing_of_later_ones) {
  KernelMaker make({30}, 0);
  const int x = make.load(DType::i32);
  make.store(make.compute(ScalarOp::div, DType::i32, {make.constant(DType::i32, 60), x}));
  std::vector<Array> arguments = make_arguments(make.kernel, 8, false);
  for (std::int64_t k = 0; k < 30; ++k) arguments[0].set_i64(k, k < 15 ? 2 : 0);
  Pieces pieces(make.kernel, arguments);
  pieces.run({.first = 0, .length = 15});
  for (std::int64_t k = 15; k < 30; ++k) arguments[0].set_i64(k, 3);
  pieces.run({.first = 15, .length = 15});
  for (std::int64_t k = 0; k < 30; ++k) EXPECT_EQ(arguments[1].get_i64(k), k < 15 ? 30 : 20) << k;
}

TEST(TileRunner, blocks_with_sums_over_rows) {
  KernelMaker make({40, 30}, 1);
  const int x = make.load(DType::f32);
  const int bias = make.load(DType::f32, {0, 1});
  const int sum = make.compute(ScalarOp::add, DType::f32, {x, bias});
  make.store(sum);
  make.sum(sum);
  const std::vector<Array> arguments = make_arguments(make.kernel, 8, false);
  const std::vector<Array> expected = copies_of(arguments);
  run_kernel_reference(make.kernel, expected);
  Pieces pieces(make.kernel, arguments);
  // Columns 0 to 12 and 12 to 30 of rows 0 to 25, then the rest.
  pieces.run({.first = 0, .length = 12, .step = 30, .count = 25});
  pieces.run({.first = 12, .length = 18, .step = 30, .count = 25});
  pieces.run({.first = 750, .length = 450});
  pieces.store_sums();
  EXPECT_TRUE(bit_equal(arguments[2], expected[2]));
  for (std::int64_t k = 0; k < 30; ++k) EXPECT_NEAR(arguments[3].get(k), expected[3].get(k), 1e-5) << k;
}

template <class Run>
void expect_fault(Run run, const char* text) {
  try {
    run();
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::computation_error);
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(TileRunner, faults_are_reported_when_all_is_done) {
  KernelMaker divide({50000}, 0);
  const int a = divide.load(DType::i32);
  divide.store(divide.compute(ScalarOp::div, DType::i32, {a, divide.load(DType::i32)}));
  std::vector<Array> arguments = make_arguments(divide.kernel, 1, false);
  for (std::int64_t k = 0; k < 50000; ++k) arguments[1].set_i64(k, k == 31234 ? 0 : 1);
  expect_fault([&] { run_tiles(divide.kernel, arguments, 2); }, "division by 0");
  EXPECT_EQ(arguments[2].get_i64(49999), arguments[0].get_i64(49999));

  KernelMaker pick({10}, 0);
  pick.store(pick.gather(DType::f32, {0}, pick.load(DType::i64), 1, 10));
  std::vector<Array> indices = make_arguments(pick.kernel, 1, false);
  for (std::int64_t k = 0; k < 10; ++k) indices[0].set_i64(k, k == 4 ? -11 : -k);
  expect_fault([&] { run_tiles(pick.kernel, indices); }, "index outside");

  KernelMaker raise({10}, 0);
  const int base = raise.load(DType::i64);
  raise.store(raise.compute(ScalarOp::pow, DType::i64, {base, raise.constant(DType::i64, -1)}));
  std::vector<Array> bases = make_arguments(raise.kernel, 1, false);
  bases[0].set_i64(3, 0);
  expect_fault([&] { run_tiles(raise.kernel, bases); }, "negative power");
}

TEST(TileRunner, does_not_hold_u64) {
  KernelMaker make({4}, 0);
  make.store(make.load(DType::u64));
  EXPECT_FALSE(cpu::TileRunner::supports(make.kernel));
  KernelMaker other({4}, 0);
  other.store(other.load(DType::u32));
  EXPECT_TRUE(cpu::TileRunner::supports(other.kernel));
}

}  // namespace
}  // namespace asg::tests
