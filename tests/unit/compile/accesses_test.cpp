// The order in which kernels read and write their arguments, and what may be overwritten in place.
#include "compile/accesses.h"

#include <gtest/gtest.h>

#include "asg/ops/ops.h"

namespace asg {
namespace {

// A kernel without a row that adds two inputs, a row kernel, and the like, in the text form.
constexpr std::string_view kElementwise = R"(kernel [4, 8]
  arg0: f32 in  [8, 1]
  arg1: f32 in  [0, 1]
  arg2: f32 out [8, 1]
  %0 = load arg0     : f32
  %1 = load arg1     : f32
  %2 = add %0 %1     : f32
  store %2 -> arg2
)";

constexpr std::string_view kTransposedInput = R"(kernel [4, 4]
  arg0: f32 in  [1, 4]
  arg1: f32 out [4, 1]
  %0 = load arg0     : f32
  store %0 -> arg1
)";

constexpr std::string_view kOffsetInput = R"(kernel [4]
  arg0: f32 in  [1] at 1
  arg1: f32 out [1]
  %0 = load arg0     : f32
  store %0 -> arg1
)";

constexpr std::string_view kOtherWidth = R"(kernel [4]
  arg0: bf16 in  [1]
  arg1: f32 out [1]
  %0 = load arg0     : bf16
  %1 = cast %0       : f32
  store %1 -> arg1
)";

constexpr std::string_view kLookup = R"(kernel [4]
  arg0: i64 in  [1]
  arg1: f32 in  [1]
  arg2: f32 out [1]
  %0 = load arg0     : i64
  %1 = load arg1     : f32
  %2 = load arg1 at %0 step 1 of 4 : f32
  %3 = add %1 %2     : f32
  store %3 -> arg2
)";

constexpr std::string_view kSums = R"(kernel [rows 4 | row 8]
  arg0: f32 in  [8 | 1]
  arg1: f32 out [8 | 1]
  arg2: f32 out [0 | 1]
  %0 = load arg0     : f32
  %1 = constant 2    : f32
  %2 = mul %0 %1     : f32
  store %2 -> arg1
  store sum %0 -> arg2
)";

// Per-row inputs and stores beside a reduction: the row is one point.
constexpr std::string_view kPerRow = R"(kernel [rows 4 | row 8]
  arg0: f32 in  [8 | 1]
  arg1: f32 in  [1 | 0]
  arg2: f32 out [1 | 0]
  %0 = load arg0     : f32
  %1 = load arg1     : f32
  %2 = reduce sum %0 : f32 per row
  %3 = add %1 %2     : f32
  store %3 -> arg2
)";

struct Row {
  const char* name;
  std::string_view kernel;
  std::size_t read;
  std::size_t written;
  bool may;
};

TEST(Accesses, SayWhatAKernelMayOverwrite) {
  const Row rows[] = {
      {"the same element", kElementwise, 0, 2, true},
      {"an input that is broadcast", kElementwise, 1, 2, false},
      {"other strides", kTransposedInput, 0, 1, false},
      {"another offset", kOffsetInput, 0, 1, false},
      {"elements of another width", kOtherWidth, 0, 1, false},
      {"an index at its own point", kLookup, 0, 2, false},  // i64 and f32
      {"an input that is looked up too", kLookup, 1, 2, false},
      {"an input that is summed too", kSums, 0, 1, true},  // sums are added to before the store
      {"a sum over what is still read", kSums, 0, 2, false},
      {"a value per row beside a reduction", kPerRow, 1, 2, true},
      {"a row by a value per row", kPerRow, 0, 2, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(may_overwrite(kernel_from_text(row.kernel), row.read, row.written), row.may);
  }
}

TEST(Accesses, AreWrittenLastWhereTheyAreSums) {
  const Kernel kernel = kernel_from_text(kSums);
  EXPECT_EQ(access_order(kernel, 0), AccessOrder::point);
  EXPECT_EQ(access_order(kernel, 1), AccessOrder::point);
  EXPECT_EQ(access_order(kernel, 2), AccessOrder::last);
}

TEST(Accesses, PerRowNeedAReductionToBeOnePoint) {
  Kernel kernel = kernel_from_text(kPerRow);
  EXPECT_EQ(access_order(kernel, 1), AccessOrder::point);
  kernel.instructions[2] = kernel.instructions[1];
  EXPECT_EQ(access_order(kernel, 1), AccessOrder::anytime);
}

TEST(Accesses, OfACallComeBeforeThoseOfItsEpilogue) {
  Graph graph;
  const Tensor product = mat_mul(graph.input("a", {DType::f32, {4, 4}}), graph.input("b", {DType::f32, {4, 4}}));
  graph.set_output("y", exp(product));
  const Program program =
      make_program(graph, {.takes_epilogue = [](const auto&, const auto&, const auto&) { return true; }});
  ASSERT_EQ(program.steps.size(), 1U);
  const Step& step = program.steps.front();
  const std::vector<Access> accesses = accesses_of(step);
  ASSERT_EQ(accesses.size(), 5U);
  EXPECT_FALSE(accesses[0].writes || accesses[1].writes);
  EXPECT_TRUE(accesses[2].writes && accesses[2].argument < 0);
  EXPECT_EQ(accesses[3].view, accesses[2].view);
  EXPECT_FALSE(accesses[3].writes);
  EXPECT_TRUE(accesses[4].writes && accesses[4].argument >= 0);
  const int result = step.outputs[0].buffer;
  const int output = step.outputs[1].buffer;
  EXPECT_TRUE(may_write_over(step, result, output));
  EXPECT_FALSE(may_write_over(step, step.inputs[0].buffer, output));
  EXPECT_FALSE(may_write_over(step, output, result));
}

}  // namespace
}  // namespace asg
