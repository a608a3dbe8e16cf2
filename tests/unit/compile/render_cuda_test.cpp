// The CUDA C++ of kernels. That it compiles and computes the same is what `make gpu-check` shows.
#include "asg/compile/render_cuda.h"

#include <gtest/gtest.h>

#include "unit/compile/kernel_tools.h"

namespace asg::test {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

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
      "  %4 = max %0 %3    : f32\n"
      "  %5 = erf %0       : f32\n"
      "  store %4 -> arg2\n");
  EXPECT_EQ(render_cuda(kernel, "scaled_max"),
            R"(// NaN wins over every number.
template <class T>
inline __device__ T larger_of(T a, T b) {
  return a != a || a >= b ? a : b;
}

extern "C" __global__ void scaled_max(const float* arg0, const float* arg1, float* arg2, unsigned int* failed) {
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long point = (long long)blockIdx.x * blockDim.x + threadIdx.x; point < 60; point += step) {
    const float v0 = arg0[point / 15 * 15 + point / 5 % 3 * 5 + point % 5];
    const float v1 = arg1[point / 15 * 5 + point % 5 + 2];
    const float v2 = 0.1f;
    const float v3 = __fmul_rn(v1, v2);
    const float v4 = larger_of(v0, v3);
    arg2[point / 15 * 15 + point / 5 % 3 * 5 + point % 5] = v4;
  }
}
)");
  EXPECT_EQ(cuda_launch(kernel), (CudaLaunch{1, 256}));
}

TEST(RenderCuda, GivesABlockToEachRow) {
  const Kernel kernel = kernel_from_text(
      "kernel [rows 4 | row 40]\n"
      "  arg0: f32 in  [40 | 1]\n"
      "  arg1: f32 out [40 | 1]\n"
      "  arg2: f32 out [1 | 0]\n"
      "  %0 = load arg0     : f32\n"
      "  %1 = reduce sum %0 : f32 per row\n"
      "  %2 = sqrt %1       : f32 per row\n"
      "  %3 = div %0 %2     : f32\n"
      "  store %3 -> arg1\n"
      "  store %2 -> arg2\n");
  EXPECT_EQ(render_cuda(kernel, "shares"),
            R"(// The values of all threads of the block by a tree: always in the same order.
static __device__ float row_sum_of_float(float value) {
  __shared__ float parts[64];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      parts[threadIdx.x] = __fadd_rn(parts[threadIdx.x], parts[threadIdx.x + half]);
    }
    __syncthreads();
  }
  const float result = parts[0];
  __syncthreads();
  return result;
}

extern "C" __global__ void shares(const float* arg0, float* arg1, float* arg2, unsigned int* failed) {
  for (long long row = blockIdx.x; row < 4; row += gridDim.x) {
    float part1 = 0.0f;
    for (long long k = threadIdx.x; k < 40; k += 64) {
      const float v0 = arg0[row * 40 + k];
      part1 = __fadd_rn(part1, v0);
    }
    const float v1 = row_sum_of_float(part1);
    const float v2 = __fsqrt_rn(v1);
    for (long long k = threadIdx.x; k < 40; k += 64) {
      const float v0 = arg0[row * 40 + k];
      const float v3 = __fdiv_rn(v0, v2);
      arg1[row * 40 + k] = v3;
    }
    if (threadIdx.x == 0) {
      arg2[row] = v2;
    }
  }
}
)");
  EXPECT_EQ(cuda_launch(kernel), (CudaLaunch{4, 64}));
}

TEST(RenderCuda, GivesAThreadToEachColumnOfASum) {
  const Kernel kernel = kernel_from_text(proof_text("layer_norm_parameter_gradient"));
  const std::string text = render_cuda(kernel, "sums");
  EXPECT_TRUE(contains(text, "double sum0 = 0;")) << text;
  EXPECT_TRUE(contains(text, "for (long long row = 0; row < 48; ++row) {")) << text;
  EXPECT_TRUE(contains(text, "arg2[column] = (float)sum0;")) << text;
  EXPECT_EQ(cuda_launch(kernel), (CudaLaunch{6, 64}));
}

TEST(RenderCuda, GivesOneBlockToSumsThatWaitForReductions) {
  const Kernel kernel = kernel_from_text(proof_text("batch_statistics"));
  const std::string text = render_cuda(kernel, "statistics");
  EXPECT_TRUE(contains(text, "double sum0[1] = {};")) << text;
  EXPECT_TRUE(contains(text, "double sum1 = 0;")) << text;
  EXPECT_EQ(cuda_launch(kernel), (CudaLaunch{1, 512}));
}

struct Proof {
  std::string name;
  std::string_view part;  // of its text
};

class ProofSource : public testing::TestWithParam<Proof> {};

TEST_P(ProofSource, HoldsTheKernel) {
  const std::string text = render_cuda(kernel_from_text(proof_text(GetParam().name)), GetParam().name);
  EXPECT_TRUE(contains(text, "extern \"C\" __global__ void " + GetParam().name + '(')) << text;
  EXPECT_TRUE(contains(text, GetParam().part)) << text;
}

INSTANTIATE_TEST_SUITE_P(Kernels, ProofSource,
                         testing::Values(Proof{"gelu", "erff(v4)"}, Proof{"softmax", "row_max_of_float(part1)"},
                                         Proof{"layer_norm_gradient", "__fsqrt_rn(v11)"},
                                         Proof{"layer_norm_parameter_gradient", "sum1 += v1"},
                                         Proof{"embedding_dropout", "in_range(index1, 9, failed)"},
                                         Proof{"batch_statistics", "row_prod_of_float(part4)"}),
                         [](const auto& row) { return row.param.name; });

TEST(RenderCuda, WritesConstantsExactly) {
  const auto line = [](const std::string& constant) {
    const std::string dtype = constant.substr(constant.find(": ") + 2);
    return render_cuda(kernel_from_text("kernel [1]\n arg0: " + dtype + " out [1]\n %0 = constant " + constant +
                                        "\n store %0 -> arg0"),
                       "k");
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
    EXPECT_TRUE(contains(render_cuda(draw_kernel(seed).kernel, "drawn"), "void drawn("));
  }
}

}  // namespace
}  // namespace asg::test
