// Descriptions that break a rule are refused, and the part that breaks it is named.
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "unit/compile/kernel_tools.h"

namespace asg::test {
namespace {

using Kind = KernelInstruction::Kind;

// Sound: a softmax with a bias gradient and a gather beside it.
Kernel sound() {
  return kernel_from_text(
      "kernel [rows 4 | row 8]\n"
      "  arg0: f32 in  [8 | 1]\n"
      "  arg1: i64 in  [1 | 0]\n"
      "  arg2: f32 out [8 | 1]\n"
      "  arg3: f32 out [0 | 1]\n"
      "  arg4: f32 out [1 | 0]\n"
      "  %0 = load arg0                   : f32\n"
      "  %1 = load arg1                   : i64 per row\n"
      "  %2 = load arg0 at %1 step 8 of 4 : f32\n"
      "  %3 = add %0 %2                   : f32\n"
      "  %4 = reduce max %3               : f32 per row\n"
      "  %5 = less %3 %4                  : bool\n"
      "  %6 = select %5 %3 %4             : f32\n"
      "  %7 = constant 2                  : f32 per row\n"
      "  %8 = position [8 | 1]            : i64\n"
      "  %9 = uniform %1 %1 %8 stream 3   : f32\n"
      "  store %6 -> arg2\n"
      "  store sum %9 -> arg3\n"
      "  store %4 -> arg4\n");
}

struct Breach {
  std::string name;
  std::function<void(Kernel&)> breaks;
  std::string message;
};

class KernelRules : public testing::TestWithParam<Breach> {};

TEST_P(KernelRules, NamesWhatBreaksThem) {
  Kernel kernel = sound();
  GetParam().breaks(kernel);
  try {
    check_kernel(kernel);
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("a fused kernel breaks its rules: " + GetParam().message),
              std::string::npos)
        << error.what();
    return;
  }
  FAIL() << "was not refused";
}

INSTANTIATE_TEST_SUITE_P(
    Rows, KernelRules,
    testing::Values(
        Breach{"too_many_row_axes", [](Kernel& k) { k.row_axes = 3; },
               "its space needs row axes that are among the axes of the space"},
        Breach{"too_few_strides", [](Kernel& k) { k.arguments[0].strides = {1}; },
               "arg0 needs one stride for each axis of the space"},
        Breach{"far_offset", [](Kernel& k) { k.arguments[0].offset = std::numeric_limits<std::int64_t>::max(); },
               "arg0 needs offsets below 2^62"},
        Breach{"stored_twice", [](Kernel& k) { k.stores.push_back(k.stores[0]); },
               "arg2 needs one store into an output, not 2"},
        Breach{"operand_of_itself", [](Kernel& k) { k.instructions[3].operands[0] = 3; },
               "%3 needs operands that come before it"},
        Breach{"one_operand_too_many", [](Kernel& k) { k.instructions[3].operands[2] = 0; }, "%3 needs 2 operands"},
        Breach{"load_of_an_output", [](Kernel& k) { k.instructions[0].argument = 2; },
               "%0 needs an argument that is an input"},
        Breach{"load_of_nothing", [](Kernel& k) { k.instructions[0].argument = 9; },
               "%0 needs an argument that the kernel has"},
        Breach{"load_of_other_dtype", [](Kernel& k) { k.instructions[0].dtype = DType::f64; },
               "%0 needs the dtype of its argument"},
        Breach{"index_that_is_a_float", [](Kernel& k) { k.instructions[2].operands[0] = 0; },
               "%2 needs an integer as index"},
        Breach{"mixed_dtypes", [](Kernel& k) { k.instructions[3].operands[1] = 1; }, "%3 needs operands of its dtype"},
        Breach{"no_op", [](Kernel& k) { k.instructions[3] = {}; }, "%3 needs an op"},
        Breach{"comparison_that_is_no_boolean", [](Kernel& k) { k.instructions[5].dtype = DType::f32; },
               "%5 needs two operands of one dtype that can be compared, and a boolean result"},
        Breach{"condition_that_is_a_number", [](Kernel& k) { k.instructions[6].operands[0] = 3; },
               "%6 needs a boolean condition and two operands of its dtype"},
        Breach{"reduction_of_booleans",
               [](Kernel& k) {
                 k.instructions[7] = {.kind = Kind::reduce, .dtype = DType::boolean, .operands = {5, -1, -1}};
               },
               "%7 needs numbers"},
        Breach{"reduction_without_row",
               [](Kernel& k) {
                 k.row_axes = 0;
                 k.arguments[3].strides = k.arguments[4].strides = {8, 1};
               },
               "%4 needs a row to reduce along"},
        Breach{
            "roots_of_integers",
            [](Kernel& k) { k.instructions[7] = {.op = ScalarOp::sqrt, .dtype = DType::i64, .operands = {1, -1, -1}}; },
            "%7 needs a float dtype"},
        Breach{"and_of_numbers",
               [](Kernel& k) {
                 k.instructions[7] = {.op = ScalarOp::logical_and, .dtype = DType::f32, .operands = {0, 0, -1}};
               },
               "%7 needs booleans"},
        Breach{"seed_that_is_a_float", [](Kernel& k) { k.instructions[9].operands[0] = 0; },
               "%9 needs seed, step and position of i64"},
        Breach{"integer_uniform", [](Kernel& k) { k.instructions[9].dtype = DType::i64; }, "%9 needs a float dtype"},
        Breach{"field_of_another_kind", [](Kernel& k) { k.instructions[3].number = 1; },
               "%3 needs the defaults in all fields that its kind does not use"},
        Breach{"store_into_an_input", [](Kernel& k) { k.stores.push_back({.argument = 0, .value = 0}); },
               "store 3 needs an argument that is an output"},
        Breach{"store_of_nothing", [](Kernel& k) { k.stores[0].value = 12; },
               "store 0 needs a value that the kernel has"},
        Breach{"store_of_other_dtype", [](Kernel& k) { k.stores[0].value = 8; },
               "store 0 needs a value of the dtype of its argument"},
        Breach{"sum_into_several_places", [](Kernel& k) { k.arguments[3].strides = {8, 1}; },
               "store 1 needs an argument with stride 0 along the leading axes, which are summed"},
        Breach{"row_into_one_place", [](Kernel& k) { k.arguments[2].strides = {1, 0}; },
               "store 0 needs a place of its own for each value"},
        Breach{"all_rows_into_one_place", [](Kernel& k) { k.arguments[4].strides = {0, 1}; },
               "store 2 needs a place of its own for each value"}),
    [](const auto& row) { return row.param.name; });

TEST(SoundKernels, Pass) {
  EXPECT_NO_THROW(check_kernel(sound()));
  for (std::uint32_t seed = 0; seed < 300; ++seed) EXPECT_NO_THROW(check_kernel(draw_kernel(seed).kernel));
}

TEST(ValuesPerRow, AreThoseThatDependOnNothingAlongTheRow) {
  const std::vector<bool> expected = {false, true, false, false, true, false, false, true, false, false};
  EXPECT_EQ(values_per_row(sound()), expected);
}

TEST(ValuesPerRow, AreAllWithoutARow) {
  const Kernel kernel = kernel_from_text("kernel [3]\n arg0: f32 in [1]\n %0 = load arg0 : f32\n %1 = exp %0 : f32");
  EXPECT_EQ(values_per_row(kernel), (std::vector<bool>{true, true}));
}

}  // namespace
}  // namespace asg::test
