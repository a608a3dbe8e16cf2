// From the scores of a block of queries to the weights of its keys: masks, softmax, dropout. Scores stand [keys,
// kAttentionRows]: each lane of a vector is a query of its own. Compiled once for each set of vector instructions.
#if defined(ASG_ATTENTION_WEIGHTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASG_ATTENTION_WEIGHTS_INL_H_
#undef ASG_ATTENTION_WEIGHTS_INL_H_
#else
#define ASG_ATTENTION_WEIGHTS_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <hwy/highway.h>

#include "backend/cpu/library/attention_block.h"
#include "backend/cpu/library/attention_product-inl.h"
#include "backend/cpu/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace asg::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr float kForbidden = -std::numeric_limits<float>::infinity();
// Numbers of a mask up to this forbid, as the card of Attention has it.
inline constexpr float kLowestAdded = -1e38F;

// Queries of the block, rounded up to whole vectors. What stands in the lanes beyond is never used.
inline std::int64_t lanes_of(const AttentionBlock& block) {
  return (block.rows + kFloatLanes - 1) / kFloatLanes * kFloatLanes;
}

inline void mask_score(const BlockMask& mask, std::int64_t at, float& score) {
  if (mask.allowed != nullptr) {
    if (!mask.allowed[at]) score = kForbidden;
  } else {
    score = mask.added[at] > kLowestAdded ? score + mask.added[at] : kForbidden;
  }
}

// A few keys at a time, so that their scores stay in the cache while the mask is read query by query.
inline void mask_each(const AttentionBlock& block) {
  constexpr std::int64_t kKeys = 16;
  const BlockMask& mask = block.mask;
  for (std::int64_t first = 0; first < block.keys; first += kKeys) {
    const std::int64_t last = std::min(block.keys, first + kKeys);
    for (std::int64_t row = 0; row < block.rows; ++row) {
      for (std::int64_t key = first; key < last; ++key) {
        mask_score(mask, row * mask.row_step + key * mask.key_step, block.scores[key * kAttentionRows + row]);
      }
    }
  }
}

// The same mask for all queries: whole keys.
inline void mask_keys(const AttentionBlock& block) {
  const BlockMask& mask = block.mask;
  for (std::int64_t key = 0; key < block.keys; ++key) {
    float* scores = block.scores + key * kAttentionRows;
    for (std::int64_t row = 0; row < block.rows; ++row) mask_score(mask, key * mask.key_step, scores[row]);
  }
}

inline void mask_scores(const AttentionBlock& block) {
  if (block.mask.allowed != nullptr || block.mask.added != nullptr) {
    if (block.mask.row_step == 0) {
      mask_keys(block);
    } else {
      mask_each(block);
    }
  }
  for (std::int64_t key = block.first_row; block.causal && key < block.keys; ++key) {
    std::fill_n(block.scores + key * kAttentionRows, std::min(block.rows, key - block.first_row), kForbidden);
  }
}

// One vector of queries: scores become e^(score - largest). Returns 1 / their sum, 0 where every key is forbidden.
inline FloatVector exponentials(float* scores, std::int64_t keys) {
  const Floats d;
  auto even = hn::Set(d, std::numeric_limits<float>::lowest());
  auto odd = even;
  std::int64_t key = 0;
  for (; key + 2 <= keys; key += 2) {
    even = hn::Max(even, hn::Load(d, scores + key * kAttentionRows));
    odd = hn::Max(odd, hn::Load(d, scores + (key + 1) * kAttentionRows));
  }
  if (key < keys) even = hn::Max(even, hn::Load(d, scores + key * kAttentionRows));
  const FloatVector largest = hn::Max(even, odd);
  FloatVector sum = hn::Zero(d);
  for (key = 0; key < keys; ++key) {
    float* at = scores + key * kAttentionRows;
    const FloatVector power = asg::HWY_NAMESPACE::exp_of(d, hn::Sub(hn::Load(d, at), largest));
    sum = hn::Add(sum, power);
    hn::Store(power, d, at);
  }
  // A NaN stays one.
  const FloatVector zero = hn::Zero(d);
  return hn::IfThenElse(hn::Eq(sum, zero), zero, hn::Div(hn::Set(d, 1.0F), sum));
}

// ---- Dropout

using Longs = hn::ScalableTag<std::uint64_t>;
using LongVector = hn::Vec<Longs>;

// The low halves of both, multiplied.
inline LongVector multiply_halves(LongVector a, LongVector b) {
#if HWY_TARGET == HWY_SCALAR
  const std::uint64_t kHalf = 0xFFFFFFFFU;
  return hn::Set(Longs(), (hn::GetLane(a) & kHalf) * (hn::GetLane(b) & kHalf));
#else
  const hn::Repartition<std::uint32_t, Longs> words;
  return hn::MulEven(hn::BitCast(words, a), hn::BitCast(words, b));
#endif
}

// The upper 53 bits of words 0 and 1 of Philox 4x32-10, see RandomStream::uniform. A word stands in the low half of a
// lane; nothing looks at the upper halves until the end.
inline LongVector drawn_bits(LongVector position, std::uint64_t key, std::uint64_t step) {
  const Longs d;
  LongVector word0 = position;
  LongVector word1 = hn::ShiftRight<32>(position);
  LongVector word2 = hn::Set(d, step);
  LongVector word3 = hn::Set(d, step >> 32U);
  auto key0 = static_cast<std::uint32_t>(key);
  auto key1 = static_cast<std::uint32_t>(key >> 32U);
  for (int round = 0; round < 10; ++round) {
    const LongVector first = multiply_halves(hn::Set(d, 0xD2511F53U), word0);
    const LongVector second = multiply_halves(hn::Set(d, 0xCD9E8D57U), word2);
    word0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(second), word1), hn::Set(d, key0));
    word2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(first), word3), hn::Set(d, key1));
    word1 = second;
    word3 = first;
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  const LongVector low = hn::And(word1, hn::Set(d, 0xFFFFFFFFU));
  return hn::ShiftRight<11>(hn::Or(hn::ShiftLeft<32>(word0), low));
}

// What each weight of a vector of queries is multiplied with for one key: `factor`, or 0.
inline FloatVector dropout_factors(const BlockDropout& dropout, std::int64_t first_row, std::int64_t key) {
  const Longs d;
  const hn::RebindToSigned<Longs> signed_d;
  constexpr auto kLongs = static_cast<std::int64_t>(hn::MaxLanes(Longs()));
  HWY_ALIGN std::uint64_t kept[kFloatLanes > kLongs ? kFloatLanes : kLongs];
  HWY_ALIGN float factors[kFloatLanes];
  const LongVector steps = hn::Iota(d, 0);
  for (std::int64_t lane = 0; lane < kFloatLanes; lane += kLongs) {
    const std::uint64_t start = dropout.position + static_cast<std::uint64_t>(first_row + lane) * dropout.row_step +
                                static_cast<std::uint64_t>(key);
    // Rows are shorter than 2^32 keys, so a product of low halves is enough.
    const LongVector position = hn::Add(hn::Set(d, start), multiply_halves(steps, hn::Set(d, dropout.row_step)));
    const auto bits = hn::BitCast(signed_d, drawn_bits(position, dropout.key, dropout.step));
    const auto below = hn::Gt(hn::Set(signed_d, static_cast<std::int64_t>(dropout.least)), bits);
    const auto stays = hn::IfThenZeroElse(below, hn::Set(signed_d, std::bit_cast<std::int32_t>(dropout.factor)));
    hn::StoreU(hn::BitCast(d, stays), d, kept + lane);
  }
  for (std::int64_t lane = 0; lane < kFloatLanes; ++lane) {
    factors[lane] = std::bit_cast<float>(static_cast<std::uint32_t>(kept[lane]));
  }
  return hn::Load(Floats(), factors);
}

}  // namespace asg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASG_ATTENTION_WEIGHTS_INL_H_
