// Whole kernels through the reference: strides, rows, sums, gathers, random numbers, merged axes, proof kernels.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "unit/compile/kernel_tools.h"

namespace asg::test {
namespace {

Array counted(std::int64_t count, double scale = 1) {
  Array result(DType::f64, {count});
  for (std::int64_t k = 0; k < count; ++k) result.set(k, static_cast<double>(k) * scale);
  return result;
}

Array floats(std::int64_t count, std::uint64_t seed) {
  Array result(DType::f32, {count});
  const RandomStream stream(seed, 1);
  for (std::int64_t k = 0; k < count; ++k) result.set(k, stream.normal(static_cast<std::uint64_t>(k)));
  return result;
}

TEST(Reference, WalksByStridesAndOffsets) {
  const Array result = run_text(
      "kernel [2, 3]\n"
      "  arg0: f64 in  [-1, 2] at 1\n"
      "  arg1: f64 in  [1, 0]\n"
      "  arg2: f64 out [1, 2] at 1\n"
      "  %0 = load arg0  : f64\n"
      "  %1 = load arg1  : f64\n"
      "  %2 = add %0 %1  : f64\n"
      "  store %2 -> arg2\n",
      {counted(6), counted(2, 100)});
  EXPECT_EQ(result.to_string(), "[0, 1, 100, 3, 102, 5, 104]");
}

struct Reduced {
  std::string reduction;
  std::string expected;
};

class ReferenceReduction : public testing::TestWithParam<Reduced> {};

TEST_P(ReferenceReduction, GivesOneValuePerRow) {
  const std::string text =
      "kernel [rows 2 | row 2, 2]\n"
      "  arg0: f64 in  [4 | 2, 1]\n"
      "  arg1: f64 out [1 | 0, 0]\n"
      "  %0 = load arg0 : f64\n"
      "  %1 = reduce " +
      GetParam().reduction +
      " %0 : f64\n"
      "  store %1 -> arg1\n";
  const Array numbers = Array::of<double>({8}, {1, 2, 3, -4, 5, std::nan(""), 7, 8});
  EXPECT_EQ(run_text(text, {numbers}).to_string(), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceReduction,
                         testing::Values(Reduced{"sum", "[2, nan]"}, Reduced{"prod", "[-24, nan]"},
                                         Reduced{"max", "[3, nan]"}, Reduced{"min", "[-4, nan]"}),
                         [](const auto& row) { return row.param.reduction; });

TEST(Reference, GivesWhatChangesNothingForAnEmptyRow) {
  const auto reduced = [](const std::string& reduction, const std::string& dtype) {
    Kernel kernel = kernel_from_text("kernel [rows 2 | row 0]\n arg0: " + dtype + " in [0 | 1]\n arg1: " + dtype +
                                     " out [1 | 0]\n %0 = load arg0 : " + dtype + "\n %1 = reduce " + reduction +
                                     " %0 : " + dtype + "\n store %1 -> arg1\n");
    const DType type = kernel.arguments[0].dtype;
    const std::vector<Array> arrays = {Array(type, {0}), Array(type, {2})};
    run_kernel_reference(kernel, arrays);
    return arrays[1].to_string();
  };
  EXPECT_EQ(reduced("sum", "f32"), "[0, 0]");
  EXPECT_EQ(reduced("prod", "i32"), "[1, 1]");
  EXPECT_EQ(reduced("max", "f32"), "[-inf, -inf]");
  EXPECT_EQ(reduced("max", "i8"), "[-128, -128]");
  EXPECT_EQ(reduced("min", "u8"), "[255, 255]");
}

TEST(Reference, SumsInTheComputeDtypeAndRoundsOnce) {
  // 2^24 + 1 + 1 in f32 alone would stay 2^24.
  const Array numbers = Array::of<float>({3}, {16777216, 1, 1});
  const std::string head = "kernel [rows | row 3]\n arg0: f32 in [| 1]\n arg1: f32 out [| 0]\n %0 = load arg0 : f32\n";
  EXPECT_EQ(run_text(head + "%1 = reduce sum %0 : f32\n store %1 -> arg1", {numbers}).get(0), 16777218);
  const std::string lead = "kernel [3]\n arg0: f32 in [1]\n arg1: f32 out [0]\n %0 = load arg0 : f32\n";
  EXPECT_EQ(run_text(lead + "store sum %0 -> arg1", {numbers}).get(0), 16777218);
}

TEST(Reference, StoresAValueOfTheRowOnceOrAtEveryElement) {
  const std::string text =
      "kernel [rows 2 | row 3]\n"
      "  arg0: f64 in  [3 | 1]\n"
      "  arg1: f64 out [1 | 0]\n"
      "  arg2: f64 out [3 | 1]\n"
      "  arg3: f64 out [0 | 0]\n"
      "  arg4: f64 out [0 | 1]\n"
      "  %0 = load arg0     : f64\n"
      "  %1 = reduce sum %0 : f64 per row\n"
      "  store %1 -> arg1\n"
      "  store %1 -> arg2\n"
      "  store sum %1 -> arg3\n"
      "  store sum %0 -> arg4\n";
  const std::vector<Array> arrays = run_reference(kernel_from_text(text), {counted(6)});
  EXPECT_EQ(arrays[1].to_string(), "[3, 12]");
  EXPECT_EQ(arrays[2].to_string(), "[3, 3, 3, 12, 12, 12]");
  EXPECT_EQ(arrays[3].to_string(), "[15]");
  EXPECT_EQ(arrays[4].to_string(), "[3, 5, 7]");
}

TEST(Reference, SumsOverManyRows) {
  // More rows than are computed at once.
  const Array result = run_text(
      "kernel [rows 9000 | row 2]\n"
      "  arg0: f64 in  [2 | 1]\n"
      "  arg1: f64 out [0 | 1]\n"
      "  %0 = load arg0 : f64\n"
      "  store sum %0 -> arg1\n",
      {counted(18000)});
  EXPECT_EQ(result.to_string(), "[80991000, 81000000]");
}

constexpr std::string_view kGather =
    "kernel [3, 2]\n"
    "  arg0: i64 in  [1, 0]\n"
    "  arg1: f64 in  [0, 1]\n"
    "  arg2: f64 out [2, 1]\n"
    "  %0 = load arg0                   : i64\n"
    "  %1 = load arg1 at %0 step 2 of 4 : f64\n"
    "  store %1 -> arg2\n";

TEST(Reference, GathersAndCountsNegativeIndicesFromTheEnd) {
  EXPECT_EQ(run_text(kGather, {Array::ints({2, 0, -1}), counted(8)}).to_string(), "[4, 5, 0, 1, 6, 7]");
}

TEST(Reference, RefusesIndicesOutsideTheirRange) {
  for (const std::int64_t index : {4, -5}) {
    try {
      run_text(kGather, {Array::ints({0, index, 0}), counted(8)});
      ADD_FAILURE() << "was not refused: " << index;
    } catch (const UserError& error) {
      EXPECT_EQ(name_of(error.code()), name_of(ErrorCode::computation_error));
      EXPECT_EQ(error.detail().given, "the index " + std::to_string(index) + " into an axis of length 4");
      EXPECT_EQ(error.detail().needed, "indices from -4 to 3");
    }
  }
}

TEST(Reference, DrawsTheNumbersOfTheStream) {
  for (const std::string kind : {"uniform", "normal"}) {
    const Array result = run_text(
        "kernel [2, 3]\n arg0: i64 in [0, 0]\n arg1: f64 out [3, 1]\n"
        "%0 = load arg0 : i64\n %1 = constant 5 : i64\n %2 = position [3, 1] : i64\n"
        "%3 = " +
            kind + " %0 %1 %2 stream 77 : f64\n store %3 -> arg1",
        {Array::ints({-42})});
    const RandomStream stream(static_cast<std::uint64_t>(-42), 77, 5);
    for (std::int64_t k = 0; k < 6; ++k) {
      const auto position = static_cast<std::uint64_t>(k);
      EXPECT_EQ(result.get(k), kind == "uniform" ? stream.uniform(position) : stream.normal(position));
    }
  }
}

TEST(Reference, DoesNothingWithoutPoints) {
  const Array result =
      run_text("kernel [0]\n arg0: f32 in [1]\n arg1: f32 out [1]\n %0 = load arg0 : f32\n store %0 -> arg1",
               {Array(DType::f32, {0})});
  EXPECT_EQ(result.count(), 0);
}

TEST(MergedAxes, AreAsFewAsPossible) {
  const auto merged = [](const std::string& text) { return to_text(with_merged_axes(kernel_from_text(text))); };
  EXPECT_EQ(merged("kernel [2, 3, 4]\n arg0: f32 in [12, 4, 1]"), "kernel [24]\n  arg0: f32 in  [1]\n");
  EXPECT_EQ(merged("kernel [2, 3, 4]\n arg0: f32 in [12, 4, 1]\n arg1: f32 in [0, 4, 1]"),
            "kernel [2, 12]\n  arg0: f32 in  [12, 1]\n  arg1: f32 in  [0, 1]\n");
  EXPECT_EQ(merged("kernel [2, 1, 4]\n arg0: f32 in [4, 77, 1]"), "kernel [8]\n  arg0: f32 in  [1]\n");
  EXPECT_EQ(merged("kernel [1, 1]\n arg0: f32 in [1, 1] at 3"), "kernel []\n  arg0: f32 in  [] at 3\n");
  EXPECT_EQ(merged("kernel [rows 2, 3 | row 4, 5]\n arg0: f32 in [60, 20 | 5, 1]"),
            "kernel [rows 6 | row 20]\n  arg0: f32 in  [20 | 1]\n");
  EXPECT_EQ(merged("kernel [rows 2 | row 1, 1]\n arg0: f32 in [1 | 1, 1]"),
            "kernel [rows 2 | row 1]\n  arg0: f32 in  [1 | 1]\n");
  EXPECT_EQ(merged("kernel [2, 3]\n arg0: f32 in [3, 1]\n %0 = position [1, 2] : i64"),
            "kernel [2, 3]\n  arg0: f32 in  [3, 1]\n  %0 = position [1, 2] : i64\n");
}

TEST(MergedAxes, LeaveTheFunctionAsItIs) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const DrawnKernel drawn = draw_kernel(seed);
    const Kernel merged = with_merged_axes(drawn.kernel);
    EXPECT_LE(merged.space.size(), drawn.kernel.space.size());
    const std::vector<Array> before = run_reference(drawn.kernel, drawn.inputs);
    const std::vector<Array> after = run_reference(merged, drawn.inputs);
    for (std::size_t k = 0; k < before.size(); ++k) {
      EXPECT_TRUE(bit_equal(before[k], after[k])) << to_text(drawn.kernel) << to_text(merged);
    }
  }
}

double largest(const Array& array) {
  double result = 0;
  for (std::int64_t k = 0; k < array.count(); ++k) result = std::max(result, std::abs(array.get(k)));
  return result;
}

TEST(ProofKernels, ComputeGelu) {
  const Kernel kernel = kernel_from_text(proof_text("gelu"));
  const std::int64_t columns = kernel.space[1];
  const std::vector<Array> arrays = run_reference(kernel, {floats(kernel.space[0] * columns, 1), floats(columns, 2)});
  const double tolerance = 1e-6 * largest(arrays[2]);
  for (std::int64_t k = 0; k < arrays[2].count(); ++k) {
    const double v = arrays[0].get(k) + arrays[1].get(k % columns);
    EXPECT_NEAR(arrays[2].get(k), 0.25 * v * (1 + std::erf(v / std::sqrt(2.0))), tolerance);
  }
}

TEST(ProofKernels, ComputeSoftmax) {
  const Kernel kernel = kernel_from_text(proof_text("softmax"));
  const std::int64_t columns = kernel.row_length();
  const std::vector<Array> arrays = run_reference(kernel, {floats(kernel.rows() * columns, 1)});
  for (std::int64_t row = 0; row < kernel.rows(); ++row) {
    double sum = 0;
    for (std::int64_t k = 0; k < columns; ++k) sum += std::exp(arrays[0].get(row * columns + k));
    for (std::int64_t k = row * columns; k < (row + 1) * columns; ++k) {
      EXPECT_NEAR(arrays[1].get(k), std::exp(arrays[0].get(k)) / sum, 1e-7);
    }
  }
}

// sum over all elements of dy * (gamma * n + beta): what the kernels are the gradients of, in f64.
double layer_norm_loss(const Array& x, const Array& dy, const Array& gamma, const Array& beta, std::int64_t columns) {
  double loss = 0;
  for (std::int64_t row = 0; row < x.count() / columns; ++row) {
    double mean = 0;
    double variance = 0;
    for (std::int64_t k = 0; k < columns; ++k) mean += x.get(row * columns + k) / static_cast<double>(columns);
    for (std::int64_t k = 0; k < columns; ++k) {
      variance += std::pow(x.get(row * columns + k) - mean, 2) / static_cast<double>(columns);
    }
    for (std::int64_t k = 0; k < columns; ++k) {
      const double n = (x.get(row * columns + k) - mean) / std::sqrt(variance + 1e-5);
      loss += dy.get(row * columns + k) * (gamma.get(k) * n + beta.get(k));
    }
  }
  return loss;
}

TEST(ProofKernels, ComputeTheGradientOfLayerNorm) {
  const Kernel by_x = kernel_from_text(proof_text("layer_norm_gradient"));
  const Kernel by_parameters = kernel_from_text(proof_text("layer_norm_parameter_gradient"));
  const std::int64_t columns = by_x.row_length();
  const std::int64_t count = by_x.rows() * columns;
  const std::vector<Array> arrays = run_reference(by_x, {floats(count, 1), floats(count, 2), floats(columns, 3)});
  const std::vector<Array> sums = run_reference(by_parameters, {arrays[4], arrays[1]});
  std::vector<Array> wide = {arrays[0].cast(DType::f64), arrays[1].cast(DType::f64), arrays[2].cast(DType::f64),
                             Array(DType::f64, {columns})};
  const auto central = [&](std::size_t which, std::int64_t element) {
    const double step = 1e-5;
    const double before = wide[which].get(element);
    wide[which].set(element, before + step);
    const double up = layer_norm_loss(wide[0], wide[1], wide[2], wide[3], columns);
    wide[which].set(element, before - step);
    const double down = layer_norm_loss(wide[0], wide[1], wide[2], wide[3], columns);
    wide[which].set(element, before);
    return (up - down) / (2 * step);
  };
  for (const std::int64_t element : {std::int64_t{0}, columns + 5, count - 1}) {
    EXPECT_NEAR(arrays[3].get(element), central(0, element), 1e-5 * largest(arrays[3]));
  }
  for (const std::int64_t element : {std::int64_t{0}, std::int64_t{7}, columns - 1}) {
    EXPECT_NEAR(sums[2].get(element), central(2, element), 1e-5 * largest(sums[2]));
    EXPECT_NEAR(sums[3].get(element), central(3, element), 1e-5 * largest(sums[3]));
  }
}

}  // namespace
}  // namespace asg::test
