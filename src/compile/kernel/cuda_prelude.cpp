#include "compile/kernel/cuda_prelude.h"

#include <array>
#include <cstddef>

namespace asg::cuda {
namespace {

struct Function {
  std::string_view name;
  std::string_view text;
};

// Functions stand before their users. All follow what the reference computes.
constexpr std::array kFunctions = {
    Function{"Pack", R"(// Neighbouring elements, which are read and written by one access.
template <class T, int count>
struct alignas(sizeof(T) * count > 16 ? 16 : sizeof(T) * count) Pack {
  T at[count];
};
)"},
    Function{"load_pack", R"(template <class T, int count>
inline __device__ Pack<T, count> load_pack(const T* from) {
  return *reinterpret_cast<const Pack<T, count>*>(from);
}
)"},
    Function{"keep_pack", R"(// In shared memory.
template <class T, int count>
inline __device__ void keep_pack(T* to, const Pack<T, count>& pack) {
  *reinterpret_cast<Pack<T, count>*>(to) = pack;
}
)"},
    Function{"store_words", R"(// The compiler splits some stores of whole vectors where it has the choice.
inline __device__ void store_words(void* to, const unsigned int (&words)[4]) {
#ifdef __CUDA_ARCH__
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)), "r"(words[0]),
               "r"(words[1]), "r"(words[2]), "r"(words[3])
               : "memory");
#else
  memcpy(to, words, 16);
#endif
}
)"},
    Function{"store_pack", R"(template <class T, int count>
inline __device__ void store_pack(T* to, const Pack<T, count>& pack) {
  constexpr int bytes = sizeof(T) * count;
  if constexpr (bytes % 16 != 0) {
    *reinterpret_cast<Pack<T, count>*>(to) = pack;
  } else {
#pragma unroll
    for (int k = 0; k < bytes / 16; ++k) {
      unsigned int words[4];
      memcpy(words, reinterpret_cast<const char*>(&pack) + 16 * k, 16);
      store_words(reinterpret_cast<char*>(to) + 16 * k, words);
    }
  }
}
)"},
    Function{"load_part", R"(// The elements of a pack that lie in the row: its first one is number `first` of `length`.
template <class T, int count, class Index>
inline __device__ Pack<T, count> load_part(const T* from, Index first, Index length) {
  if (first >= 0 && first + count <= length) return load_pack<T, count>(from);
  Pack<T, count> pack = {};
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (first + i >= 0 && first + i < length) pack.at[i] = from[i];
  }
  return pack;
}
)"},
    Function{"store_part", R"(template <class T, int count, class Index>
inline __device__ void store_part(T* to, const Pack<T, count>& pack, Index first, Index length) {
  if (first >= 0 && first + count <= length) {
    store_pack(to, pack);
    return;
  }
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (first + i >= 0 && first + i < length) to[i] = pack.at[i];
  }
}
)"},
    Function{"from_f16", R"(// 16-bit floats are stored as their bits.
inline __device__ float from_f16(unsigned short bits) {
#ifdef __CUDA_ARCH__
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
#else
  const unsigned int sign = (bits & 0x8000u) << 16, rest = bits & 0x7fffu;
  if (rest >= 0x7c00u) return __int_as_float((int)(sign | 0x7f800000u | (rest & 0x3ffu) << 13));
  const float size = __int_as_float((int)(rest << 13)) * 0x1p112f;
  return sign != 0 ? -size : size;
#endif
}
)"},
    Function{"from_bf16", R"(inline __device__ float from_bf16(unsigned short bits) {
  return __int_as_float((int)((unsigned int)bits << 16));
}
)"},
    Function{"nearest_f16", R"(// The nearest number of 10 bits behind the point, of two equally near ones the even one.
inline __device__ unsigned short nearest_f16(double value) {
  const unsigned short sign = value < 0 || (value == 0 && 1 / value < 0) ? 0x8000u : 0;
  const double size = fabs(value);
  if (size != size) return 0x7fffu;
  if (size >= 65520.0) return sign | 0x7c00u;
  if (size < 0x1p-14) return sign | (unsigned short)rint(size * 0x1p24);
  int exponent;
  const double fraction = frexp(size, &exponent);  // in [0.5, 1)
  return sign | (unsigned short)(((exponent + 13) << 10) + (int)rint(fraction * 2048));
}
)"},
    Function{"nearest_bf16",
             R"(// The upper half of a float, of whose last bit only is known whether something lies below it.
inline __device__ unsigned short nearest_bf16(double value) {
  if (value != value) return 0x7fffu;
  float near = (float)value;
  unsigned int bits = (unsigned int)__float_as_int(near);
  const double exact = fabs(value), found = fabs((double)near);
  if (found > exact) --bits;
  if (found != exact) bits |= 1u;
  return (unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
)"},
    Function{"to_f16", R"(inline __device__ unsigned short to_f16(float value) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  return nearest_f16(value);
#endif
}
)"},
    Function{"to_bf16", R"(inline __device__ unsigned short to_bf16(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  return nearest_bf16(value);
#endif
}
)"},
    Function{"upper_half", R"(// The bits of a float that bf16 holds.
inline __device__ unsigned short upper_half(float value) {
  return (unsigned short)((unsigned int)__float_as_int(value) >> 16);
}
)"},
    Function{"round_to_f16", R"(inline __device__ float round_to_f16(float value) { return from_f16(to_f16(value)); }
inline __device__ float round_to_f16(double value) { return from_f16(nearest_f16(value)); }
)"},
    Function{"round_to_bf16",
             R"(inline __device__ float round_to_bf16(float value) { return from_bf16(to_bf16(value)); }
inline __device__ float round_to_bf16(double value) { return from_bf16(nearest_bf16(value)); }
)"},
    Function{"larger_of", R"(// NaN wins over every number.
template <class T>
inline __device__ T larger_of(T a, T b) {
  return a != a || a >= b ? a : b;
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
inline __device__ float larger_of(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
#endif
)"},
    Function{"smaller_of", R"(// NaN wins over every number.
template <class T>
inline __device__ T smaller_of(T a, T b) {
  return a != a || a <= b ? a : b;
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
inline __device__ float smaller_of(float a, float b) {
  float result;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
#endif
)"},
    Function{"falling_exp", R"(// Of a number that is not positive, to 2^-22 of 1; 0 below 2^-126.
inline __device__ float falling_exp(float a) {
  const float power = __fmul_rn(a, 1.44269504f);
#ifdef __CUDA_ARCH__
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(power));
  return result;
#else
  return exp2f(power);
#endif
}
)"},
    Function{"near_place", R"(// Compares with all places from 0 to 2^31 - 2 as the number does.
inline __device__ int near_place(long long number) {
  return number < -1 ? -1 : number > 0x7fffffffLL ? 0x7fffffff : (int)number;
}
)"},
    Function{
        "copy_ahead",
        R"(// Copies 16 bytes to shared memory while the thread goes on; what lies beyond `bytes` becomes 0. The thread may read
// them after copies_arrived.
inline __device__ void copy_ahead(void* to, const void* from, int bytes) {
#ifdef __CUDA_ARCH__
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned int)__cvta_generic_to_shared(to)),
               "l"(from), "r"(bytes)
               : "memory");
#else
  memset(to, 0, 16);
  memcpy(to, from, bytes);
#endif
}
)"},
    Function{"copies_arrived", R"(inline __device__ void copies_arrived() {
#ifdef __CUDA_ARCH__
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
)"},
    Function{"ShortPack", R"(// Neighbouring elements of 16 bits, two to a word.
template <int count>
struct alignas(2 * count) ShortPack {
  unsigned int words[count / 2];
};
)"},
    Function{
        "store_shorts",
        R"(inline __device__ void store_shorts(unsigned short* to, const ShortPack<8>& pack) { store_words(to, pack.words); }
template <int count>
inline __device__ void store_shorts(unsigned short* to, const ShortPack<count>& pack) {
  *reinterpret_cast<ShortPack<count>*>(to) = pack;
}
)"},
    Function{"store_some_shorts", R"(template <int count, class Index>
inline __device__ void store_some_shorts(unsigned short* to, const ShortPack<count>& pack, Index first, Index length) {
  if (first >= 0 && first + count <= length) {
    store_shorts(to, pack);
    return;
  }
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (first + i >= 0 && first + i < length) to[i] = (unsigned short)(pack.words[i / 2] >> i % 2 * 16);
  }
}
)"},
    Function{"packed_f16", R"(template <int count>
inline __device__ ShortPack<count> packed_f16(const float (&values)[count]) {
  ShortPack<count> pack;
#pragma unroll
  for (int i = 0; i < count / 2; ++i) {
#ifdef __CUDA_ARCH__
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pack.words[i]) : "f"(values[2 * i + 1]), "f"(values[2 * i]));
#else
    pack.words[i] = (unsigned int)to_f16(values[2 * i]) | (unsigned int)to_f16(values[2 * i + 1]) << 16;
#endif
  }
  return pack;
}
)"},
    Function{"packed_bf16", R"(template <int count>
inline __device__ ShortPack<count> packed_bf16(const float (&values)[count]) {
  ShortPack<count> pack;
#pragma unroll
  for (int i = 0; i < count / 2; ++i) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pack.words[i]) : "f"(values[2 * i + 1]), "f"(values[2 * i]));
#else
    pack.words[i] = (unsigned int)to_bf16(values[2 * i]) | (unsigned int)to_bf16(values[2 * i + 1]) << 16;
#endif
  }
  return pack;
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
    Function{
        "divisor_of",
        R"(// A number by which many are divided: brought near 1 by a power of 2, and its inverse. Infinities, zeros and NaN are
// multiplied by their inverse as they are.
struct Divisor {
  float scale, number, inverse, limit;
};
inline __device__ Divisor divisor_of(float b) {
  const int exponent = (__float_as_int(b) >> 23) & 255;
  const bool plain = exponent != 255 && b != 0.0f;
  const int opposite = exponent == 254 ? 1 : exponent == 0 ? 253 : 254 - exponent;
  const float scale = plain ? __int_as_float(opposite << 23) : 1.0f;
  const float number = __fmul_rn(b, scale);
  return {scale, number, __fdiv_rn(1.0f, number), plain ? 0x1p100f : -1.0f};
}
)"},
    Function{"quotient_by", R"(// By the inverse, and a step of Newton's.
inline __device__ float quotient_by(float a, Divisor b) {
  const float scaled = __fmul_rn(a, b.scale);
  const float near = __fmul_rn(scaled, b.inverse);
  const float better = fmaf(fmaf(-near, b.number, scaled), b.inverse, near);
  return fabsf(near) < b.limit ? better : near;
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
  std::array<bool, kFunctions.size()> called = {};
  for (std::size_t k = kFunctions.size(); k-- > 0;) {
    const auto calls = [&](std::string_view text) { return text.find(kFunctions[k].name) != std::string_view::npos; };
    called[k] = calls(body);
    for (std::size_t user = k + 1; user < kFunctions.size() && !called[k]; ++user) {
      called[k] = called[user] && calls(kFunctions[user].text);
    }
  }
  std::string text;
  for (std::size_t k = 0; k < kFunctions.size(); ++k) {
    if (!called[k]) continue;
    text += kFunctions[k].text;
    text += '\n';
  }
  return text;
}

}  // namespace asg::cuda
