#pragma once

#include <cstdint>

namespace asg::cpu {

// Queries of a block. Their scores stand side by side, key after key: softmax then works down the lanes of vectors, and
// every product of attention reads them where they lie, as a matrix or as its transpose.
inline constexpr std::int64_t kAttentionRows = 64;

// A matrix whose rows are dense and stand `step` apart.
template <class T>
struct Rows {
  T* data = nullptr;
  std::int64_t step = 0;
};

// What is added to the scores of a block, or forbids some: at most one of both.
struct BlockMask {
  const bool* allowed = nullptr;
  const float* added = nullptr;
  std::int64_t row_step = 0;  // from query to query
  std::int64_t key_step = 0;
};

// The random numbers of a block: those that Dropout draws for the weights of all queries and heads.
struct BlockDropout {
  bool active = false;
  std::uint64_t key = 0;       // combine(seed, stream)
  std::uint64_t step = 0;      // of training
  std::uint64_t position = 0;  // of the weight of the first query and key
  std::uint64_t row_step = 0;  // positions from query to query
  std::uint64_t least = 0;     // a weight stays where the upper 53 bits are at least this
  float factor = 1;            // of what stays
};

// A block of queries of one head, with the keys that it looks at.
struct AttentionBlock {
  std::int64_t rows = 0;  // at most kAttentionRows
  std::int64_t keys = 0;
  std::int64_t width = 0;
  std::int64_t value_width = 0;
  Rows<const float> query;
  Rows<const float> key;
  Rows<const float> value;
  float scale = 1;
  bool causal = false;
  std::int64_t first_row = 0;  // position of the first query
  BlockMask mask;
  BlockDropout dropout;
  // Scratch memory, aligned to 64 bytes.
  float* scores = nullptr;  // [keys, kAttentionRows]
  float* turned = nullptr;  // [larger width, kAttentionRows]
};

struct AttentionGradientBlock : AttentionBlock {
  Rows<const float> gradient;  // of the result
  Rows<float> query_gradient;
  Rows<float> key_gradient;  // both are added to
  Rows<float> value_gradient;
  float* score_gradients = nullptr;  // [keys, kAttentionRows]
  float* kept = nullptr;             // [keys, kAttentionRows]; with dropout only
};

// In the calling thread; nothing is allocated.
void attend(const AttentionBlock& block, const Rows<float>& result);
void attend_backwards(const AttentionGradientBlock& block);

}  // namespace asg::cpu
