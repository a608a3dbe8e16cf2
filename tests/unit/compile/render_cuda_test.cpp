// The CUDA C++ of kernels. tests/gpu_shim runs it as C++; `make gpu-check` runs it on a GPU.
#include "asg/compile/render_cuda.h"

#include <gtest/gtest.h>

#include "asg/compile/gpu_attention.h"
#include "unit/compile/kernel_tools.h"

namespace asg::test {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

CudaKernel rendered(const Kernel& kernel, std::string_view name) { return render_cuda(plan_gpu(kernel), name); }

TEST(RenderCuda, GivesAThreadToEachPoint) {
  const Kernel kernel = kernel_from_text(
      "kernel [4, 3, 5]\n"
      "  arg0: f32 in  [15, 5, 1]\n"
      "  arg1: f32 in  [5, 0, 1] at 2\n"
      "  arg2: f32 out [15, 5, 1]\n"
      "  %0 = load arg0    : f32\n"
      "  %1 = load arg1    : f32\n"
      "  %2 = constant 0.1 : f32\n"
      "  %3 = mul %1 %2    : f32\n"
      "  %4 = add %0 %3    : f32\n"
      "  %5 = erf %0       : f32\n"
      "  store %4 -> arg2\n");
  const CudaKernel result = rendered(kernel, "scaled_sum");
  EXPECT_EQ(
      result.text,
      R"(extern "C" __global__ void __launch_bounds__(256) scaled_sum(const float* arg0, const float* arg1, float* arg2, unsigned char* workspace, unsigned int* failed) {
  const int point = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (point < 60) {
    const float v0 = arg0[point / 15 * 15 + point / 5 % 3 * 5 + point % 5];
    const float v1 = arg1[point / 15 * 5 + point % 5 + 2];
    const float v2 = 0.1f;
    const float v3 = __fmul_rn(v1, v2);
    const float v4 = __fadd_rn(v0, v3);
    arg2[point / 15 * 15 + point / 5 % 3 * 5 + point % 5] = v4;
  }
}
)");
  EXPECT_EQ(result.launches, (std::vector<CudaLaunch>{{.function = "scaled_sum", .grid = 1, .block = 256}}));
}

TEST(RenderCuda, ReadsAndWritesVectors) {
  const std::string text =
      rendered(
          kernel_from_text("kernel [8, 64]\n arg0: bf16 in [64, 1]\n arg1: f32 in [1, 0]\n arg2: bf16 out [64, 1]\n"
                           " %0 = load arg0 : bf16\n %1 = cast %0 : f32\n %2 = load arg1 : f32\n"
                           " %3 = mul %1 %2 : f32\n %4 = cast %3 : bf16\n store %4 -> arg2\n"),
          "k")
          .text;
  EXPECT_TRUE(contains(text, "const float v2 = arg1[point0 / 64];\n")) << text;
  EXPECT_TRUE(contains(text, "pack0 = load_pack<unsigned short, 8>(arg0 + point0 / 64 * 64 + point0 % 64);\n")) << text;
  EXPECT_TRUE(contains(text, "store_shorts(arg2 + point0 / 64 * 64 + point0 % 64, packed_bf16(out2));\n")) << text;
  EXPECT_FALSE(contains(text, "#include")) << text;
}

TEST(RenderCuda, KeepsRowsInRegistersBetweenPasses) {
  const std::string text = rendered(kernel_from_text(proof_text("softmax")), "softmax").text;
  EXPECT_TRUE(contains(text, "float kept0[28];")) << text;
  EXPECT_TRUE(contains(text, "part1 = warp_max_of_float(part1, 32);")) << text;
  EXPECT_TRUE(contains(text, "const float inverse4 = __fdiv_rn(1.0f, v4);")) << text;
}

TEST(RenderCuda, KeepsLongRowsInSharedMemory) {
  std::string kernel = proof_text("softmax");
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"rows 64", "rows 200"}, {"777", "50257"}}) {
    for (std::size_t at = 0; (at = kernel.find(from)) != std::string::npos;) kernel.replace(at, from.size(), to);
  }
  const CudaKernel result = rendered(kernel_from_text(kernel), "softmax");
  EXPECT_TRUE(contains(result.text, "copy_ahead(kept0 + (e * 1024 + lane) * 4, arg0 + next * 50257 + ahead0, 16);"))
      << result.text;
  EXPECT_TRUE(contains(result.text, "held0 = load_pack<float, 4>(kept0 + (e * 1024 + lane) * 4);")) << result.text;
  EXPECT_TRUE(contains(result.text, "const int shift = (int)((row * 50257) & 3);")) << result.text;
  EXPECT_EQ(result.launches[0].shared_bytes, 212992);
}

// Rows of an odd length, where the values that are kept come from the second argument.
TEST(RenderCuda, ShiftsRowsOfSeveralArguments) {
  const Kernel kernel = kernel_from_text(
      "kernel [rows 200 | row 50257]\n"
      "  arg0: f32 in  [1 | 0]\n"
      "  arg1: f32 in  [50257 | 1]\n"
      "  arg2: f32 out [50257 | 1]\n"
      "  %0 = load arg0     : f32 per row\n"
      "  %1 = load arg1     : f32\n"
      "  %2 = mul %0 %1     : f32\n"
      "  %3 = reduce max %2 : f32 per row\n"
      "  %4 = sub %2 %3     : f32\n"
      "  store %4 -> arg2\n");
  const GpuPlan plan = plan_gpu(kernel);
  ASSERT_TRUE(plan.shifted);
  const std::string text = render_cuda(plan, "k").text;
  EXPECT_TRUE(contains(text, "const int shift = (int)((row * 50257) & 3);")) << text;
}

std::string rows_text(const std::string& instructions, int stored = 4) {
  return "kernel [rows 200 | row 64]\n arg0: f32 in [64 | 1]\n arg1: f32 out [64 | 1]\n arg2: i64 in [1 | 0]\n"
         " %0 = load arg0 : f32\n" +
         instructions + " store %" + std::to_string(stored) + " -> arg1\n";
}

TEST(RenderCuda, TakesTheQuickExponentialOnlyBelowTheMaximumOfTheRow) {
  const auto text = [](const std::string& reduction, const std::string& first, const std::string& second) {
    return rendered(kernel_from_text(rows_text(" %1 = reduce " + reduction + " %0 : f32 per row\n %2 = sub " + first +
                                               ' ' + second + " : f32\n %3 = exp %2 : f32\n %4 = neg %3 : f32\n")),
                    "k")
        .text;
  };
  EXPECT_TRUE(contains(text("max", "%0", "%1"), "v3 = falling_exp(v2);"));
  EXPECT_TRUE(contains(text("min", "%0", "%1"), "v3 = expf(v2);"));
  EXPECT_TRUE(contains(text("max", "%1", "%0"), "v3 = expf(v2);"));
}

TEST(RenderCuda, DividesExactlyByOtherValuesOfTheRow) {
  const std::string text =
      rendered(kernel_from_text(rows_text(" %1 = reduce sum %0 : f32 per row\n %2 = neg %1 : f32 per row\n"
                                          " %3 = neg %0 : f32\n %4 = div %3 %2 : f32\n")),
               "k")
          .text;
  EXPECT_TRUE(contains(text, "v4 = quotient_by(v3, divisor2);")) << text;
}

TEST(RenderCuda, ComparesPositionsIn32Bits) {
  const std::string text =
      rendered(kernel_from_text(rows_text(" %1 = load arg2 : i64 per row\n %2 = reduce max %0 : f32 per row\n"
                                          " %3 = position [0 | 1] : i64\n %4 = less %1 %3 : bool\n"
                                          " %5 = select %4 %0 %2 : f32\n",
                                          5)),
               "k")
          .text;
  EXPECT_TRUE(contains(text, "const int place1 = near_place(v1);")) << text;
  EXPECT_TRUE(contains(text, "v4 = place1 < k;")) << text;
}

// A row of losses: what the label picks is needed after the maximum is known.
TEST(RenderCuda, GathersDuringTheFirstPassWhatThatDoesWithout) {
  const auto text = [](const std::string& first) {
    return rendered(kernel_from_text("kernel [rows 200 | row 64]\n arg0: f32 in [64 | 1]\n arg1: i64 in [1 | 0]\n"
                                     " arg2: f32 in [64 | 0]\n arg3: f32 out [64 | 1]\n"
                                     " %0 = load arg0 : f32\n %1 = load arg1 : i64 per row\n"
                                     " %2 = load arg2 at %1 step 1 of 64 : f32 per row\n %3 = sub %0 %2 : f32\n"
                                     " %4 = reduce max " +
                                     first +
                                     " : f32 per row\n %5 = sub %2 %4 : f32 per row\n %6 = add %3 %5 : f32\n"
                                     " store %6 -> arg3\n"),
                    "k")
        .text;
  };
  const std::string late = text("%0");
  const std::string early = text("%3");
  EXPECT_GT(late.find("v2 = "), late.find("part4 = larger_of(")) << late;
  EXPECT_LT(late.find("v2 = "), late.find("v5 = ")) << late;
  EXPECT_LT(early.find("v2 = "), early.find("part4 = ")) << early;
}

TEST(RenderCuda, FinishesEachSumInBlocksOfItsOwn) {
  const std::string text = rendered(kernel_from_text("kernel [rows 65536 | row 100]\n arg0: f32 in [100 | 1]\n"
                                                     " arg1: f32 out [0 | 1]\n arg2: f32 out [0 | 1]\n"
                                                     " %0 = load arg0 : f32\n %1 = mul %0 %0 : f32\n"
                                                     " store sum %0 -> arg1\n store sum %1 -> arg2\n"),
                                    "sums")
                               .text;
  EXPECT_TRUE(contains(text, "if (blockIdx.x >= 0 && blockIdx.x < 4) {")) << text;
  EXPECT_TRUE(contains(text, "if (blockIdx.x >= 4 && blockIdx.x < 8) {")) << text;
  EXPECT_TRUE(contains(text, "const int k = (int)(blockIdx.x - 4) * 32 + (int)threadIdx.x % 32;")) << text;
}

// Static shared memory is at most 48 KB.
TEST(RenderCuda, AddsUpWideSumsInSharedMemoryThatIsThere) {
  const std::string text = rendered(kernel_from_text("kernel [rows 65536 | row 1024]\n arg0: u8 in [1024 | 1]\n"
                                                     " arg1: u64 out [0 | 1]\n %0 = load arg0 : u8\n"
                                                     " %1 = cast %0 : u64\n store sum %1 -> arg1\n"),
                                    "sums")
                               .text;
  const std::string declared = "unsigned long long sum_memory[";
  const std::size_t at = text.find(declared);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_LE(std::stoi(text.substr(at + declared.size())) * 8, 48 * 1024) << text;
}

TEST(RenderCuda, AddsUpSumsOfLongRowsForEachElementOfAVector) {
  const std::string text = rendered(kernel_from_text("kernel [4096, 1000]\n arg0: f32 in [1000, 1]\n"
                                                     " arg1: f32 out [0, 0]\n %0 = load arg0 : f32\n"
                                                     " store sum %0 -> arg1\n"),
                                    "sum")
                               .text;
  EXPECT_TRUE(contains(text, "lane_part1[i] = __fadd_rn(lane_part1[i], v0);")) << text;
  EXPECT_TRUE(contains(text, "part1 = __fadd_rn(part1, lane_part1[i]);")) << text;
}

TEST(RenderCuda, AddsUpPartialSumsInASecondFunction) {
  const CudaKernel result = rendered(kernel_from_text(proof_text("bias_gradient_bf16")), "sums");
  ASSERT_EQ(result.launches.size(), 2U);
  EXPECT_EQ(result.launches[1].function, "sums_1");
  EXPECT_GT(result.workspace_bytes, 0);
  EXPECT_TRUE(contains(result.text, "sum0[i] = __fadd_rn(sum0[i], v1);")) << result.text;
  EXPECT_TRUE(contains(result.text, "void __launch_bounds__(1024) sums_1(")) << result.text;
}

struct Proof {
  std::string name;
  std::string_view part;  // of its text
};

class ProofSource : public testing::TestWithParam<Proof> {};

TEST_P(ProofSource, HoldsTheKernel) {
  const std::string text = rendered(kernel_from_text(proof_text(GetParam().name)), GetParam().name).text;
  EXPECT_TRUE(contains(text, GetParam().name + '(')) << text;
  EXPECT_TRUE(contains(text, GetParam().part)) << text;
}

INSTANTIATE_TEST_SUITE_P(Kernels, ProofSource,
                         testing::Values(Proof{"gelu", "erff(v4)"}, Proof{"softmax", "falling_exp(v2)"},
                                         Proof{"layer_norm_gradient", "__fsqrt_rn(v11)"},
                                         Proof{"embedding_dropout", "in_range(index1, 9, failed)"},
                                         Proof{"batch_statistics", "part4 = __fmul_rn(part4, v3);"}),
                         [](const auto& row) { return row.param.name; });

TEST(RenderCuda, WritesConstantsExactly) {
  const auto line = [](const std::string& constant) {
    const std::string dtype = constant.substr(constant.find(": ") + 2);
    return rendered(kernel_from_text("kernel [1]\n arg0: " + dtype + " out [1]\n %0 = constant " + constant +
                                     "\n store %0 -> arg0"),
                    "k")
        .text;
  };
  EXPECT_TRUE(contains(line("0.1 : f32"), "v0 = 0.1f;"));
  EXPECT_TRUE(contains(line("0.1 : f64"), "v0 = 0.1;"));
  EXPECT_TRUE(contains(line("0.1 : bf16"), "v0 = 0.100097656f;"));
  EXPECT_TRUE(contains(line("3 : f32"), "v0 = 3.0f;"));
  EXPECT_TRUE(contains(line("-inf : f32"), "v0 = -__int_as_float(0x7f800000);"));
  EXPECT_TRUE(contains(line("1e300 : f32"), "v0 = __int_as_float(0x7f800000);"));
  EXPECT_TRUE(contains(line("nan : f64"), "v0 = __longlong_as_double(0x7ff8000000000000LL);"));
  EXPECT_TRUE(contains(line("-9223372036854775808 : i64"), "v0 = (-9223372036854775807LL - 1);"));
  EXPECT_TRUE(contains(line("18446744073709551615 : u64"), "v0 = 18446744073709551615ULL;"));
  EXPECT_TRUE(contains(line("true : bool"), "v0 = true;"));
}

TEST(RenderCuda, RendersWhateverIsSound) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    EXPECT_TRUE(contains(rendered(draw_kernel(seed).kernel, "drawn").text, " drawn("));
  }
}

TEST(GpuAttention, NamesItsFunctionsAndTakesSharedMemoryForItsTiles) {
  const GpuAttentionKernels kernels = render_gpu_attention({.width = 64, .value_width = 64, .causal = true}, "heads");
  EXPECT_EQ(kernels.forward.function, "heads_forward");
  EXPECT_EQ(kernels.forward.rows, 128);
  EXPECT_EQ(kernels.forward.shared_bytes, (128 + 4 * 64) * 2 * (64 + 8));
  for (const GpuAttentionLaunch& each : {kernels.forward, kernels.delta, kernels.by_key, kernels.by_query}) {
    EXPECT_TRUE(contains(kernels.text, ' ' + each.function + '(')) << each.function;
    EXPECT_LE(each.shared_bytes, GpuLimits().shared_bytes);
  }
}

TEST(GpuAttention, TakesNoOtherDTypes) {
  EXPECT_THROW(render_gpu_attention({.dtype = DType::f32}, "heads"), InternalError);
  EXPECT_THROW(render_gpu_attention({.width = 257}, "heads"), InternalError);
}

}  // namespace
}  // namespace asg::test
