#include "backend/cpu/library/attention_block.h"

#include <algorithm>

// As for products of large matrices: see gemm.cpp.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/library/attention_block.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backend/cpu/library/attention_product-inl.h"
#include "backend/cpu/library/attention_weights-inl.h"
#include "backend/cpu/library/gemm_pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace asg::cpu::HWY_NAMESPACE {

// to[keys, queries] = keys[keys, width] · (factor · rows[queries, width])ᵀ
inline void compare(const AttentionBlock& block, const Rows<const float>& keys, const Rows<const float>& rows,
                    std::int64_t width, float factor, float* to) {
  pack(rows.data, rows.step, std::int64_t{1}, block.rows, width, block.turned, kAttentionRows);
  const std::int64_t lanes = lanes_of(block);
  if (factor != 1) {
    const Floats d;
    for (std::int64_t k = 0; k < width; ++k) {
      for (std::int64_t lane = 0; lane < lanes; lane += kFloatLanes) {
        float* at = block.turned + k * kAttentionRows + lane;
        hn::Store(hn::Mul(hn::Load(d, at), hn::Set(d, factor)), d, at);
      }
    }
  }
  multiply<false>({.m = block.keys,
                   .n = lanes,
                   .inner = width,
                   .a = keys.data,
                   .a_step = keys.step,
                   .b = block.turned,
                   .b_step = kAttentionRows,
                   .c = to,
                   .c_step = kAttentionRows,
                   .add = false});
}

// to[queries, width] = weights[queries, keys] · from[keys, width]
inline void gather(const AttentionBlock& block, const float* weights, const Rows<const float>& from, std::int64_t width,
                   const Rows<float>& to) {
  multiply<true>({.m = block.rows,
                  .n = width,
                  .inner = block.keys,
                  .a = weights,
                  .a_step = kAttentionRows,
                  .b = from.data,
                  .b_step = from.step,
                  .c = to.data,
                  .c_step = to.step,
                  .add = false});
}

// to[keys, width] += weights[queries, keys]ᵀ · from[queries, width]
inline void scatter(const AttentionBlock& block, const float* weights, const Rows<const float>& from,
                    std::int64_t width, const Rows<float>& to) {
  multiply<false>({.m = block.keys,
                   .n = width,
                   .inner = block.rows,
                   .a = weights,
                   .a_step = kAttentionRows,
                   .b = from.data,
                   .b_step = from.step,
                   .c = to.data,
                   .c_step = to.step,
                   .add = true});
}

// The weights, each short of its query's factor 1 / sum, which `shares` gets.
inline void weigh(const AttentionBlock& block, float* shares) {
  compare(block, block.key, block.query, block.width, block.scale, block.scores);
  mask_scores(block);
  const Floats d;
  for (std::int64_t lane = 0; lane < lanes_of(block); lane += kFloatLanes) {
    hn::Store(exponentials(block.scores + lane, block.keys), d, shares + lane);
  }
}

void attend_block(const AttentionBlock& block, const Rows<float>& result) {
  const Floats d;
  HWY_ALIGN float shares[kAttentionRows];
  weigh(block, shares);
  if (block.dropout.active) {
    for (std::int64_t key = 0; key < block.keys; ++key) {
      for (std::int64_t lane = 0; lane < lanes_of(block); lane += kFloatLanes) {
        float* at = block.scores + key * kAttentionRows + lane;
        hn::Store(hn::Mul(hn::Load(d, at), dropout_factors(block.dropout, lane, key)), d, at);
      }
    }
  }
  gather(block, block.scores, block.value, block.value_width, result);
  for (std::int64_t row = 0; row < block.rows; ++row) {
    float* to = result.data + row * result.step;
    for (std::int64_t k = 0; k < block.value_width; ++k) to[k] *= shares[row];
  }
}

// Of the queries from `lane` on: the weights P in place of the exponentials, and in place of the gradient of what was
// gathered that of the scores, P (dP - Σ P dP) · scale.
inline void differentiate_lanes(const AttentionGradientBlock& block, std::int64_t lane, const float* shares) {
  const Floats d;
  const FloatVector share = hn::Load(d, shares + lane);
  FloatVector sum = hn::Zero(d);
  for (std::int64_t key = 0; key < block.keys; ++key) {
    float* weight_at = block.scores + key * kAttentionRows + lane;
    float* gradient_at = block.score_gradients + key * kAttentionRows + lane;
    const FloatVector weight = hn::Mul(hn::Load(d, weight_at), share);
    FloatVector gradient = hn::Load(d, gradient_at);
    if (block.dropout.active) {
      const FloatVector factors = dropout_factors(block.dropout, lane, key);
      gradient = hn::Mul(gradient, factors);
      hn::Store(gradient, d, gradient_at);
      hn::Store(hn::Mul(weight, factors), d, block.kept + key * kAttentionRows + lane);
    }
    hn::Store(weight, d, weight_at);
    sum = hn::MulAdd(weight, gradient, sum);
  }
  const FloatVector scale = hn::Set(d, block.scale);
  for (std::int64_t key = 0; key < block.keys; ++key) {
    float* gradient_at = block.score_gradients + key * kAttentionRows + lane;
    const FloatVector weight = hn::Mul(hn::Load(d, block.scores + key * kAttentionRows + lane), scale);
    hn::Store(hn::Mul(weight, hn::Sub(hn::Load(d, gradient_at), sum)), d, gradient_at);
  }
}

void attend_block_backwards(const AttentionGradientBlock& block) {
  HWY_ALIGN float shares[kAttentionRows];
  weigh(block, shares);
  compare(block, block.value, block.gradient, block.value_width, 1, block.score_gradients);
  for (std::int64_t lane = 0; lane < lanes_of(block); lane += kFloatLanes) differentiate_lanes(block, lane, shares);
  const float* kept = block.dropout.active ? block.kept : block.scores;
  scatter(block, kept, block.gradient, block.value_width, block.value_gradient);
  scatter(block, block.score_gradients, block.query, block.width, block.key_gradient);
  gather(block, block.score_gradients, block.key, block.width, block.query_gradient);
}

}  // namespace asg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asg::cpu {

HWY_EXPORT(attend_block);
HWY_EXPORT(attend_block_backwards);

void attend(const AttentionBlock& block, const Rows<float>& result) {
  HWY_DYNAMIC_DISPATCH(attend_block)(block, result);
}

void attend_backwards(const AttentionGradientBlock& block) { HWY_DYNAMIC_DISPATCH(attend_block_backwards)(block); }

}  // namespace asg::cpu
#endif
