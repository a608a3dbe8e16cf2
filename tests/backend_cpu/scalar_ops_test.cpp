// Every op that a kernel can hold, in every dtype that it allows, against the reference.

#include <cmath>

#include <gtest/gtest.h>

#include "kernel_maker.h"

namespace asg::tests {
namespace {

constexpr std::int64_t kSizes[] = {0, 1, 15, 16, 17, 1000};

std::vector<DType> tile_dtypes() {
  std::vector<DType> dtypes;
  for (const DType dtype : all_dtypes()) {
    if (dtype != DType::u64) dtypes.push_back(dtype);
  }
  return dtypes;
}

std::vector<ScalarOp> ops_between(ScalarOp first, ScalarOp last) {
  std::vector<ScalarOp> ops;
  for (int op = static_cast<int>(first); op <= static_cast<int>(last); ++op) ops.push_back(static_cast<ScalarOp>(op));
  return ops;
}

// Ops whose result is the correctly rounded one: not a bit may differ.
bool is_exact(ScalarOp op) { return !(op >= ScalarOp::exp && op <= ScalarOp::atan) && op != ScalarOp::pow; }

// Two units in the last place, and of the short floats one more rounding.
double tolerance_of(ScalarOp op, DType dtype) {
  if (is_exact(op) || !is_float(dtype)) return 0;
  if (dtype == DType::f16) return 0x1p-10;
  if (dtype == DType::bf16) return 0x1p-7;
  return dtype == DType::f32 ? 0x1p-22 : 0x1p-51;
}

bool allows(ScalarOp op, DType dtype) {
  if (dtype == DType::boolean) return false;
  if (op == ScalarOp::neg) return !is_unsigned_int(dtype);
  return is_float(dtype) || !(op >= ScalarOp::sqrt && op <= ScalarOp::round);
}

// Each element by itself: relative to its own size, not to the largest of all.
void expect_each(const Kernel& kernel, const std::vector<Array>& arguments, double tolerance) {
  const std::vector<Array> expected = copies_of(arguments);
  run_kernel_reference(kernel, expected);
  run_tiles(kernel, arguments);
  for (std::int64_t at = 0; at < expected.back().count(); ++at) {
    const double want = expected.back().get(at);
    const double have = arguments.back().get(at);
    if (want == have || (std::isnan(want) && std::isnan(have))) continue;
    // Results below the normal numbers have fewer digits.
    const double least = kernel.arguments.back().dtype == DType::f64 ? 1e-322 : 1e-44;
    ASSERT_LE(std::fabs(want - have), tolerance * std::fabs(want) + (tolerance > 0 ? least : 0))
        << have << " for " << want << " of " << arguments[0].get(at) << "\n"
        << to_text(kernel);
  }
}

TEST(ScalarOps, of_one_operand) {
  std::vector<ScalarOp> ops = ops_between(ScalarOp::neg, ScalarOp::round);
  for (const ScalarOp op : ops) {
    for (const DType dtype : tile_dtypes()) {
      if (!allows(op, dtype)) continue;
      for (const std::int64_t size : kSizes) {
        KernelMaker make({size}, 0);
        make.store(make.compute(op, dtype, {make.load(dtype)}));
        expect_each(make.kernel, make_arguments(make.kernel, 3, true), tolerance_of(op, dtype));
      }
    }
  }
}

TEST(ScalarOps, of_two_operands) {
  for (const ScalarOp op : ops_between(ScalarOp::add, ScalarOp::max)) {
    for (const DType dtype : tile_dtypes()) {
      if (!allows(op, dtype)) continue;
      for (const std::int64_t size : kSizes) {
        KernelMaker make({size}, 0);
        const int a = make.load(dtype);
        const int b = make.load(dtype);
        make.store(make.compute(op, dtype, {a, b}));
        const std::vector<Array> arguments = make_arguments(make.kernel, 5, true);
        if (!is_float(dtype)) {  // no division by zero, and no power of zero that is one
          Array second = arguments[1];
          for (std::int64_t k = 0; k < size; ++k) second.set_i64(k, 1 + std::abs(second.get_i64(k)) % 90);
        }
        expect_each(make.kernel, arguments, tolerance_of(op, dtype));
      }
    }
  }
}

TEST(ScalarOps, with_a_constant_on_either_side) {
  for (const ScalarOp op : ops_between(ScalarOp::add, ScalarOp::max)) {
    for (const DType dtype : tile_dtypes()) {
      if (!allows(op, dtype)) continue;
      for (const double number : {2.0, 3.0, 0.5}) {
        if (!is_float(dtype) && number == 0.5) continue;
        KernelMaker right({1000}, 0);
        const int a = right.load(dtype);
        right.store(right.compute(op, dtype, {a, right.constant(dtype, number)}));
        expect_each(right.kernel, make_arguments(right.kernel, 7, true), tolerance_of(op, dtype));
        if (!is_float(dtype) && (op == ScalarOp::div || op == ScalarOp::pow)) continue;
        KernelMaker left({1000}, 0);
        const int b = left.load(dtype);
        left.store(left.compute(op, dtype, {left.constant(dtype, number), b}));
        expect_each(left.kernel, make_arguments(left.kernel, 7, true), tolerance_of(op, dtype));
      }
    }
  }
}

TEST(ScalarOps, comparisons) {
  std::vector<ScalarOp> ops = ops_between(ScalarOp::equal, ScalarOp::greater_or_equal);
  for (const ScalarOp op : ops) {
    for (const DType dtype : tile_dtypes()) {
      if (dtype == DType::boolean && op != ScalarOp::equal) continue;
      for (const std::int64_t size : kSizes) {
        KernelMaker make({size}, 0);
        const int a = make.load(dtype);
        const int b = make.load(dtype);
        make.store(make.compute(op, DType::boolean, {a, b}));
        make.store(make.compute(op, DType::boolean, {a, a}));
        expect_like_reference(make.kernel, make_arguments(make.kernel, 2, true), 0);
      }
    }
  }
  for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
    KernelMaker make({1000}, 0);
    make.store(make.compute(ScalarOp::is_nan, DType::boolean, {make.load(dtype)}));
    expect_like_reference(make.kernel, make_arguments(make.kernel, 2, true), 0);
  }
}

TEST(ScalarOps, logic) {
  for (const std::int64_t size : kSizes) {
    KernelMaker make({size}, 0);
    const int a = make.load(DType::boolean);
    const int b = make.load(DType::boolean);
    make.store(make.compute(ScalarOp::logical_not, DType::boolean, {a}));
    for (const ScalarOp op : ops_between(ScalarOp::logical_and, ScalarOp::logical_xor)) {
      make.store(make.compute(op, DType::boolean, {a, b}));
    }
    expect_like_reference(make.kernel, make_arguments(make.kernel, 2, false), 0);
  }
}

TEST(ScalarOps, select) {
  for (const DType dtype : tile_dtypes()) {
    for (const std::int64_t size : kSizes) {
      KernelMaker make({size}, 0);
      const int condition = make.load(DType::boolean);
      const int a = make.load(dtype);
      const int b = make.load(dtype);
      const int c = make.constant(dtype, 1);
      make.store(make.compute(ScalarOp::select, dtype, {condition, a, b}));
      make.store(make.compute(ScalarOp::select, dtype, {condition, c, b}));
      make.store(make.compute(ScalarOp::select, dtype, {condition, a, c}));
      make.store(make.compute(ScalarOp::select, dtype, {make.constant(DType::boolean, 1), a, b}));
      expect_like_reference(make.kernel, make_arguments(make.kernel, 2, true), 0);
    }
  }
}

TEST(ScalarOps, cast_from_each_to_each) {
  for (const DType from : tile_dtypes()) {
    for (const DType to : tile_dtypes()) {
      KernelMaker make({1000}, 0);
      make.store(make.compute(ScalarOp::cast, to, {make.load(from)}));
      const std::vector<Array> arguments = make_arguments(make.kernel, 4, true);
      if (is_float(from)) {  // beyond the limits of small integers
        Array first = arguments[0];
        for (std::int64_t k = 0; k < 1000; k += 3) first.set(k, first.get(k) * 1e4);
      }
      expect_like_reference(make.kernel, arguments, 0);
    }
  }
}

}  // namespace
}  // namespace asg::tests
