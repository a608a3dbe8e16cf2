#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "asg/core/random.h"
#include "asg/core/thread_pool.h"
#include "backend/cpu/library/attention_block.h"

namespace asg::cpu {

// Attention of f32 tensors [batch, heads, length, width] as the card has it, and its gradient.
struct AttentionSpec {
  // Steps between elements of a tensor along its first three axes. Its rows are dense.
  struct Steps {
    std::int64_t batch = 0;
    std::int64_t head = 0;
    std::int64_t row = 0;
  };
  enum class Mask : std::uint8_t { none, allowed, added };

  std::int64_t batch = 0;
  std::int64_t heads = 0;         // of queries
  std::int64_t shared_heads = 0;  // of keys and values; divides the heads
  std::int64_t length = 0;        // queries
  std::int64_t others = 0;        // keys
  std::int64_t width = 0;
  std::int64_t value_width = 0;
  Steps query;
  Steps key;
  Steps value;
  Steps result;  // of the forward pass, or its gradient
  Steps query_gradient;
  Steps key_gradient;
  Steps value_gradient;
  double scale = 1;
  bool causal = false;
  Mask mask = Mask::none;
  std::array<std::int64_t, 4> mask_steps = {};  // along batch, heads, queries and keys; 0 broadcasts
  double dropout = 0;
  StreamKey stream = 0;  // of the random numbers of dropout
};

struct AttentionOperands {
  const float* query = nullptr;
  const float* key = nullptr;
  const float* value = nullptr;
  const void* mask = nullptr;           // bools, or floats
  const std::uint64_t* seed = nullptr;  // with dropout only; the step of training too
  const std::uint64_t* step = nullptr;
};

struct AttentionGradients {
  float* query = nullptr;
  float* key = nullptr;
  float* value = nullptr;
};

// Scores exist for a block of queries of one head at a time, in scratch memory. Made once, run often; runs allocate
// nothing, and the bits of the results do not depend on the number of threads.
class Attention {
 public:
  explicit Attention(const AttentionSpec& spec);

  // Memory that a run needs beside its operands: any content, aligned to 64 bytes.
  std::size_t scratch_bytes() const;
  void run(const AttentionOperands& operands, float* result, void* scratch, ThreadPool& pool) const;

  std::size_t gradient_scratch_bytes() const;
  // Nothing of the forward pass is needed: its weights are computed again.
  void run_gradient(const AttentionOperands& operands, const float* result_gradient, const AttentionGradients& to,
                    void* scratch, ThreadPool& pool) const;

 private:
  std::int64_t blocks() const { return (spec_.length + kAttentionRows - 1) / kAttentionRows; }
  std::int64_t forward_tasks() const { return spec_.batch * spec_.heads * blocks(); }
  std::int64_t lane_floats(int score_blocks) const;
  // All of a block but the results.
  void place(AttentionBlock& block, const AttentionOperands& operands, std::int64_t batch, std::int64_t head,
             std::int64_t number, float* lane) const;
  BlockDropout dropout_of(const AttentionOperands& operands, std::int64_t batch, std::int64_t head,
                          std::int64_t first_row) const;
  void differentiate_head(const AttentionOperands& operands, const float* result_gradient, const AttentionGradients& to,
                          std::int64_t batch, std::int64_t shared, float* lane) const;

  AttentionSpec spec_;
};

}  // namespace asg::cpu
