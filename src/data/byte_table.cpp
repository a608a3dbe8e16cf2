#include "byte_table.h"

#include <bit>

#if defined(__x86_64__) && defined(__GNUC__)
#define ASG_BYTE_LOOK_UP_64 1
#include <immintrin.h>
#endif

namespace asg::data {
namespace {

// Told that nothing overlaps, the compiler need not fear that writing a number changes the table.
void look_up_singly(const std::uint8_t* __restrict from, std::size_t count, const float* __restrict table,
                    float* __restrict to) {
  for (std::size_t k = 0; k < count; ++k) to[k] = table[from[k]];
}

#if defined(ASG_BYTE_LOOK_UP_64)

bool has_look_up_of_64() {
  static const bool has = __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw");
  return has;
}

// Of 64 bytes at a time; returns how many were done. One instruction looks up 64 bytes among 128, so each byte of the
// numbers takes two of them, and the byte's highest bit says which of the two counts.
__attribute__((target("avx512f,avx512bw,avx512vbmi"))) std::size_t look_up_by_64(const std::uint8_t* from,
                                                                                 std::size_t count,
                                                                                 const std::uint8_t* by_byte,
                                                                                 float* to) {
  __m512i tables[16];
  for (int part = 0; part < 16; ++part) tables[part] = _mm512_load_si512(by_byte + 64 * part);
  // Unpacking works in quarters of 16 bytes: with the fours of each quarter apart beforehand, numbers come out in
  // order.
  const __m512i apart = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  std::size_t done = 0;
  for (; done + 64 <= count; done += 64) {
    const __m512i bytes = _mm512_permutexvar_epi32(apart, _mm512_loadu_si512(from + done));
    const __mmask64 high = _mm512_movepi8_mask(bytes);
    __m512i found[4];
    for (int part = 0; part < 4; ++part) {
      const __m512i* table = tables + 4 * part;
      found[part] = _mm512_mask_blend_epi8(high, _mm512_permutex2var_epi8(table[0], bytes, table[1]),
                                           _mm512_permutex2var_epi8(table[2], bytes, table[3]));
    }
    const __m512i first_low = _mm512_unpacklo_epi8(found[0], found[1]);
    const __m512i first_high = _mm512_unpackhi_epi8(found[0], found[1]);
    const __m512i second_low = _mm512_unpacklo_epi8(found[2], found[3]);
    const __m512i second_high = _mm512_unpackhi_epi8(found[2], found[3]);
    _mm512_storeu_si512(to + done, _mm512_unpacklo_epi16(first_low, second_low));
    _mm512_storeu_si512(to + done + 16, _mm512_unpackhi_epi16(first_low, second_low));
    _mm512_storeu_si512(to + done + 32, _mm512_unpacklo_epi16(first_high, second_high));
    _mm512_storeu_si512(to + done + 48, _mm512_unpackhi_epi16(first_high, second_high));
  }
  return done;
}

#endif

}  // namespace

void ByteTable::set(std::size_t byte, float value) {
  values_[byte] = value;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (std::size_t part = 0; part < 4; ++part)
    by_byte_[256 * part + byte] = static_cast<std::uint8_t>(bits >> 8 * part);
}

void ByteTable::look_up(const std::uint8_t* from, std::size_t count, float* to) const {
  std::size_t done = 0;
#if defined(ASG_BYTE_LOOK_UP_64)
  if (has_look_up_of_64()) done = look_up_by_64(from, count, by_byte_.data(), to);
#endif
  look_up_singly(from + done, count - done, values_.data(), to + done);
}

}  // namespace asg::data
