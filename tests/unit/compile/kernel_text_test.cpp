// The text form of fused kernels: what is written is read back, and what cannot be read is refused with its line.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "unit/compile/kernel_tools.h"

namespace asg::test {
namespace {

// Every form of a line.
constexpr std::string_view kAllForms =
    "kernel [rows 2, 3 | row 4]\n"
    "  arg0: f32 in  [12, 4 | 1]\n"
    "  arg1: i64 in  [0, 0 | 0] at 5\n"
    "  arg2: bool in  [0, 0 | -1] at 3\n"
    "  arg3: f32 out [0, 0 | 1]\n"
    "  arg4: bf16 out [3, 1 | 0]\n"
    "  %0 = load arg0                                         : f32\n"
    "  %1 = load arg1                                         : i64 per row\n"
    "  %2 = load arg0 at %1 step 24 of 100                    : f32\n"
    "  %3 = constant 0.1                                      : f32 per row\n"
    "  %4 = constant -9223372036854775808                     : i64 per row\n"
    "  %5 = constant 18446744073709551615                     : u64 per row\n"
    "  %6 = constant true                                     : bool per row\n"
    "  %7 = constant -inf                                     : f64 per row\n"
    "  %8 = position [12, 4 | 1]                              : i64\n"
    "  %9 = uniform %1 %4 %8 stream 18446744073709551615      : f32\n"
    "  %10 = normal %1 %4 %8 stream 7                         : f32\n"
    "  %11 = load arg2                                        : bool\n"
    "  %12 = select %11 %9 %10                                : f32\n"
    "  %13 = reduce prod %12                                  : f32 per row\n"
    "  %14 = cast %13                                         : bf16 per row\n"
    "  store sum %12 -> arg3\n"
    "  store %14 -> arg4\n";

TEST(KernelText, ReadsEveryFormOfALine) {
  const Kernel kernel = kernel_from_text(kAllForms);
  EXPECT_EQ(kernel.space, (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(kernel.row_axes, 1);
  EXPECT_EQ(kernel.rows(), 6);
  EXPECT_EQ(kernel.row_length(), 4);
  EXPECT_EQ(kernel.arguments[2], (KernelArgument{DType::boolean, false, 3, {0, 0, -1}}));
  EXPECT_EQ(kernel.instructions[2].gather_stride, 24);
  EXPECT_EQ(kernel.instructions[2].gather_length, 100);
  EXPECT_EQ(kernel.instructions[3].number, 0.1);
  EXPECT_EQ(kernel.instructions[4].integer, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(kernel.instructions[5].integer, -1);
  EXPECT_EQ(kernel.instructions[6].integer, 1);
  EXPECT_EQ(kernel.instructions[9].stream, ~StreamKey{0});
  EXPECT_EQ(kernel.instructions[13].reduction, Reduction::prod);
  EXPECT_TRUE(kernel.stores[0].sum_over_leading);
}

TEST(KernelText, WritesWhatItReads) {
  const Kernel kernel = kernel_from_text(kAllForms);
  const std::string text = to_text(kernel);
  EXPECT_EQ(kernel_from_text(text), kernel);
  EXPECT_EQ(to_text(kernel_from_text(text)), text);
}

TEST(KernelText, IsTheOneOfTheHeader) {
  constexpr std::string_view kSoftmax =
      "kernel [rows 4 | row 8]\n"
      "  arg0: f32 in  [8 | 1]\n"
      "  arg1: f32 out [8 | 1]\n"
      "  %0 = load arg0     : f32\n"
      "  %1 = reduce max %0 : f32 per row\n"
      "  %2 = sub %0 %1     : f32\n"
      "  %3 = exp %2        : f32\n"
      "  %4 = reduce sum %3 : f32 per row\n"
      "  %5 = div %3 %4     : f32\n"
      "  store %5 -> arg1\n";
  EXPECT_EQ(to_text(kernel_from_text(kSoftmax)), kSoftmax);
}

TEST(KernelText, HoldsSpacesWithoutAxes) {
  for (const std::string_view text : {"kernel []\n", "kernel [0, 3]\n", "kernel [rows | row 8]\n"}) {
    EXPECT_EQ(to_text(kernel_from_text(text)), text);
  }
}

TEST(KernelText, KeepsDrawnKernels) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Kernel kernel = draw_kernel(seed).kernel;
    EXPECT_EQ(kernel_from_text(to_text(kernel)), kernel) << to_text(kernel);
  }
}

TEST(KernelText, KeepsConstantsToTheLastBit) {
  for (const double number : {0.1, 1.0 / 3, 1e-310, 5e-324, 1.7976931348623157e308, -0.0, 1e16, 123456789.125}) {
    Kernel kernel;
    kernel.instructions = {{.kind = KernelInstruction::Kind::constant, .dtype = DType::f64, .number = number}};
    const double read = kernel_from_text(to_text(kernel)).instructions[0].number;
    EXPECT_EQ(read, number);
    EXPECT_EQ(std::signbit(read), std::signbit(number));
  }
  const Kernel nan = kernel_from_text("kernel []\n %0 = constant nan : f32");
  EXPECT_TRUE(std::isnan(nan.instructions[0].number));
  EXPECT_EQ(to_text(nan), "kernel []\n  %0 = constant nan : f32\n");
}

TEST(KernelText, SkipsRemarksAndEmptyLines) {
  EXPECT_EQ(to_text(kernel_from_text("# first\n\nkernel [2]  # two\r\n\t# nothing\n")), "kernel [2]\n");
}

struct Refused {
  std::string name;
  std::string text;  // after "kernel [2 | 3]" and an output arg0, where it does not begin with "kernel"
  std::string given;
  std::string needed;
};

class RefusedText : public testing::TestWithParam<Refused> {};

TEST_P(RefusedText, NamesTheLine) {
  const bool whole = GetParam().text.rfind("kernel", 0) == 0 || GetParam().text.empty();
  const std::string head = "kernel [rows 2 | row 3]\n  arg0: f32 out [3 | 1]\n";
  try {
    kernel_from_text(whole ? GetParam().text : head + GetParam().text);
  } catch (const UserError& error) {
    EXPECT_EQ(name_of(error.code()), name_of(ErrorCode::bad_command));
    EXPECT_EQ(error.detail().given, GetParam().given);
    EXPECT_EQ(error.detail().needed, GetParam().needed);
    return;
  }
  FAIL() << "was read";
}

constexpr const char* kAxis = "an integer for each axis";
constexpr const char* kNumber = "a number, inf, -inf or nan";

INSTANTIATE_TEST_SUITE_P(
    Rows, RefusedText,
    testing::Values(
        Refused{"empty", "", R"(line 1: "")", R"("kernel [" with the lengths of the axes)"},
        Refused{"open_list", "kernel [2, 3", R"(line 1: "kernel [2, 3", at its end)", R"("," or "]")"},
        Refused{"letters_for_axes", "kernel [two]", R"(line 1: "kernel [two]", at "two]")", kAxis},
        Refused{"number_too_large", "kernel [9223372036854775808]",
                R"(line 1: "kernel [9223372036854775808]", at "9223372036854775808]")", kAxis},
        Refused{"negative_axis", "kernel [-1]", R"(line 1: "kernel [-1]")", "axes of length 0 or more"},
        Refused{"too_many_points", "kernel [4294967296, 4294967296]", R"(line 1: "kernel [4294967296, 4294967296]")",
                "fewer points than 2^62"},
        Refused{"rows_without_row", "kernel [rows 4]", R"(line 1: "kernel [rows 4]", at "]")",
                R"("|" between the leading axes and the row)"},
        Refused{"argument_out_of_order", "arg2: f32 in [3 | 1]",
                R"(line 3: "arg2: f32 in [3 | 1]", at "arg2: f32 in [3 | 1]")",
                "arg1, since arguments are numbered in order"},
        Refused{"unknown_dtype", "arg1: f33 in [3 | 1]", R"(line 3: "arg1: f33 in [3 | 1]", at "f33 in [3 | 1]")",
                "a dtype such as f32"},
        Refused{"neither_in_nor_out", "arg1: f32 [3 | 1]", R"(line 3: "arg1: f32 [3 | 1]", at "[3 | 1]")", "in or out"},
        Refused{"strides_of_other_rank", "arg1: f32 in [3, 1]", R"(line 3: "arg1: f32 in [3, 1]", at its end)",
                "one stride for each axis of the space, with the bar in the same place"},
        Refused{"value_out_of_order", "%1 = load arg0 : f32",
                R"(line 3: "%1 = load arg0 : f32", at "%1 = load arg0 : f32")",
                "%0, since values are numbered in order"},
        Refused{"no_dtype", "%0 = constant 1", R"(line 3: "%0 = constant 1", at its end)", R"(":")"},
        Refused{"hexadecimal", "%0 = constant 0x10 : f32", R"(line 3: "%0 = constant 0x10 : f32", at "0x10 : f32")",
                kNumber},
        Refused{"too_large_a_float", "%0 = constant 1e999 : f32",
                R"(line 3: "%0 = constant 1e999 : f32", at "1e999 : f32")", kNumber},
        Refused{"fraction_of_an_integer", "%0 = constant 1.5 : i32",
                R"(line 3: "%0 = constant 1.5 : i32", at "1.5 : i32")", "an integer"},
        Refused{"integer_that_does_not_fit", "%0 = constant 128 : i8\nstore %0 -> arg0",
                R"(line 3: "%0 = constant 128 : i8")", "a number that its dtype holds"},
        Refused{"number_for_a_boolean", "%0 = constant 1 : bool", R"(line 3: "%0 = constant 1 : bool", at "1 : bool")",
                "true or false"},
        Refused{"unknown_reduction", "%0 = constant 1 : f32\n%1 = reduce mean %0 : f32",
                R"(line 4: "%1 = reduce mean %0 : f32", at "mean %0 : f32")", "sum, prod, max or min"},
        Refused{"too_few_operands", "%0 = constant 1 : f32\n%1 = add %0 : f32",
                R"(line 4: "%1 = add %0 : f32", at ": f32")", "a value such as %0"},
        Refused{"words_at_the_end", "%0 = constant 1 : f32 per row again",
                R"(line 3: "%0 = constant 1 : f32 per row again", at "again")", "nothing more in this line"},
        Refused{"wrongly_per_row", "%0 = position [3 | 1] : i64 per row\n%1 = cast %0 : f32\nstore %1 -> arg0",
                R"(line 3: "%0 = position [3 | 1] : i64 per row")",
                R"(no "per row", since this value differs along the row)"},
        Refused{"store_without_arrow", "%0 = constant 1 : f32\nstore %0 arg0", R"(line 4: "store %0 arg0", at "arg0")",
                R"("-")"},
        Refused{"never_stored", "%0 = constant 1 : f32", R"(line 2: "arg0: f32 out [3 | 1]")",
                "one store into an output, not 0"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace asg::test
