#include "compile/kernel/cuda_prelude.h"

#include <array>
#include <vector>

namespace asg::cuda {
namespace {

struct Function {
  std::string_view name;
  std::string_view text;
};

// Functions stand before their users. All follow what the reference computes.
constexpr std::array kFunctions = {
    Function{"round_to_f16",
             R"(inline __device__ float round_to_f16(float value) { return __half2float(__float2half_rn(value)); }
inline __device__ float round_to_f16(double value) { return __half2float(__double2half(value)); }
)"},
    Function{
        "round_to_bf16",
        R"(inline __device__ float round_to_bf16(float value) { return __bfloat162float(__float2bfloat16_rn(value)); }
inline __device__ float round_to_bf16(double value) { return __bfloat162float(__double2bfloat16(value)); }
)"},
    Function{"larger_of", R"(// NaN wins over every number.
template <class T>
inline __device__ T larger_of(T a, T b) {
  return a != a || a >= b ? a : b;
}
)"},
    Function{"smaller_of", R"(// NaN wins over every number.
template <class T>
inline __device__ T smaller_of(T a, T b) {
  return a != a || a <= b ? a : b;
}
)"},
    Function{"sign_of", R"(template <class T>
inline __device__ T sign_of(T a) {
  return a > T(0) ? T(1) : a < T(0) ? T(-1) : a == T(0) ? T(0) : a;
}
)"},
    Function{"sigmoid_of", R"(// Neither end overflows.
inline __device__ float sigmoid_of(float a) {
  const float decay = expf(-fabsf(a));
  return __fdiv_rn(a < 0 ? decay : 1.0f, __fadd_rn(1.0f, decay));
}
inline __device__ double sigmoid_of(double a) {
  const double decay = exp(-fabs(a));
  return __ddiv_rn(a < 0 ? decay : 1.0, __dadd_rn(1.0, decay));
}
)"},
    Function{"quotient_of", R"(// Truncates toward zero and wraps.
template <class T>
inline __device__ T quotient_of(T a, T b, unsigned int* failed) {
  if (b == T(0)) {
    *failed = 1u;
    return T(0);
  }
  if (T(-1) < T(0) && b == T(-1)) return (T)(0ULL - (unsigned long long)a);
  return a / b;
}
)"},
    Function{"power_of", R"(// By squaring; products wrap. Of a negative exponent 1 / power, truncated.
template <class T>
inline __device__ T power_of(T base, T exponent, unsigned int* failed) {
  if (exponent < T(0)) {
    if (base == T(0)) *failed = 1u;
    if (base != T(1) && base != T(-1)) return T(0);
    return exponent % T(2) == T(0) ? T(1) : base;
  }
  T power = T(1);
  for (; exponent > T(0); exponent = exponent / T(2)) {
    if (exponent % T(2) == T(1)) power = (T)((unsigned long long)power * (unsigned long long)base);
    base = (T)((unsigned long long)base * (unsigned long long)base);
  }
  return power;
}
)"},
    Function{"integer_of", R"(// Truncates toward zero and saturates; 0 of NaN.
template <class T>
inline __device__ T integer_of(double value, T lowest, T highest) {
  if (value != value) return T(0);
  if (value <= (double)lowest) return lowest;
  if (value >= (double)highest) return highest;
  return (T)value;
}
)"},
    Function{"in_range",
             R"(// Whether an index lies in [-length, length); a negative one is made to count from the start.
inline __device__ bool in_range(long long& index, long long length, unsigned int* failed) {
  if (index < 0) index += length;
  if (index >= 0 && index < length) return true;
  *failed = 1u;
  return false;
}
)"},
    Function{
        "RandomBlock",
        R"(// Philox 4x32-10: its key is combined from seed and stream, its counter is position and step, low words first.
struct RandomBlock {
  unsigned int words[4];
};
inline __device__ unsigned long long mix_bits(unsigned long long value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}
inline __device__ RandomBlock random_block(unsigned long long seed, unsigned long long stream, unsigned long long step,
                                    unsigned long long position) {
  const unsigned long long golden = 0x9E3779B97F4A7C15ULL;
  const unsigned long long key = mix_bits((mix_bits(seed + golden) ^ stream) + golden);
  unsigned int key0 = (unsigned int)key, key1 = (unsigned int)(key >> 32);
  unsigned int c0 = (unsigned int)position, c1 = (unsigned int)(position >> 32);
  unsigned int c2 = (unsigned int)step, c3 = (unsigned int)(step >> 32);
  for (int round = 0; round < 10; ++round) {
    const unsigned long long first = 0xD2511F53ULL * c0;
    const unsigned long long second = 0xCD9E8D57ULL * c2;
    c0 = (unsigned int)(second >> 32) ^ c1 ^ key0;
    c1 = (unsigned int)second;
    c2 = (unsigned int)(first >> 32) ^ c3 ^ key1;
    c3 = (unsigned int)first;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}
// The upper 53 bits of two words, and 1 more where asked for, times 2^-53.
inline __device__ double fraction_of(unsigned int high, unsigned int low, unsigned long long more) {
  const unsigned long long bits = ((unsigned long long)high << 32 | low) >> 11;
  return (double)(bits + more) * 1.1102230246251565e-16;
}
)"},
    Function{
        "uniform_of",
        R"(inline __device__ double uniform_of(long long seed, unsigned long long stream, long long step, long long position) {
  const RandomBlock block = random_block(seed, stream, step, position);
  return fraction_of(block.words[0], block.words[1], 0);
}
)"},
    Function{"normal_of", R"(// Box-Muller.
inline __device__ double normal_of(long long seed, unsigned long long stream, long long step, long long position) {
  const RandomBlock block = random_block(seed, stream, step, position);
  const double radius = sqrt(-2.0 * log(fraction_of(block.words[0], block.words[1], 1)));
  return radius * cos(6.283185307179586 * fraction_of(block.words[2], block.words[3], 0));
}
)"},
};

}  // namespace

std::string prelude_for(std::string_view body) {
  const auto calls = [&](std::string_view name) { return body.find(name) != std::string_view::npos; };
  std::string text;
  if (calls("__half")) text += "#include <cuda_fp16.h>\n";
  if (calls("__nv_bfloat16")) text += "#include <cuda_bf16.h>\n";
  // A cast may round to a short float that no argument holds.
  if (!calls("__half") && calls("round_to_f16")) text += "#include <cuda_fp16.h>\n";
  if (!calls("__nv_bfloat16") && calls("round_to_bf16")) text += "#include <cuda_bf16.h>\n";
  if (!text.empty()) text += '\n';
  const bool draws = calls("uniform_of") || calls("normal_of");
  for (const Function& function : kFunctions) {
    if (calls(function.name) || (draws && function.name == "RandomBlock")) {
      text += function.text;
      text += '\n';
    }
  }
  return text;
}

}  // namespace asg::cuda
