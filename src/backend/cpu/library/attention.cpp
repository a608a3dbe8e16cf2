#include "backend/cpu/library/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "asg/core/error.h"
#include "backend/cpu/library/lanes.h"

namespace asg::cpu {
namespace {

// An array without elements has no address to count from.
template <class T>
T* moved(T* first, std::int64_t elements) {
  return first == nullptr ? nullptr : first + elements;
}

std::int64_t place_in(const AttentionSpec::Steps& steps, std::int64_t batch, std::int64_t head, std::int64_t row) {
  return batch * steps.batch + head * steps.head + row * steps.row;
}

void clear_rows(const Rows<float>& rows, std::int64_t count, std::int64_t width) {
  if (rows.data == nullptr) return;
  for (std::int64_t row = 0; row < count; ++row) std::fill_n(rows.data + row * rows.step, width, 0.0F);
}

// Keys up to the last that any query of the block may look at: the rest of a cache that is not full yet costs nothing.
std::int64_t keys_in_sight(const AttentionBlock& block) {
  if (block.mask.allowed == nullptr) return block.keys;
  const auto is_seen = [&](std::int64_t key) {
    const bool* allowed = block.mask.allowed + key * block.mask.key_step;
    for (std::int64_t row = 0; row < block.rows; ++row) {
      if (allowed[row * block.mask.row_step]) return true;
    }
    return false;
  };
  std::int64_t keys = block.keys;
  // One row of keys side by side, as for a token after the others: eight at a time, since a cache may be long.
  constexpr std::int64_t kAtOnce = 8;
  const bool is_one_row = (block.rows == 1 || block.mask.row_step == 0) && block.mask.key_step == 1;
  while (is_one_row && keys >= kAtOnce) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, block.mask.allowed + keys - kAtOnce, kAtOnce);
    if (eight != 0) break;
    keys -= kAtOnce;
  }
  while (keys > 0 && !is_seen(keys - 1)) --keys;
  return keys;
}

}  // namespace

Attention::Attention(const AttentionSpec& spec) : spec_(spec) {
  internal_check(spec.shared_heads == 0 || spec.heads % spec.shared_heads == 0, "heads that cannot be shared evenly");
}

// Floats of a task: blocks of scores, and queries turned round. A multiple of 64 bytes.
std::int64_t Attention::lane_floats(int score_blocks) const {
  return kAttentionRows * (score_blocks * spec_.others + std::max(spec_.width, spec_.value_width));
}

std::size_t Attention::scratch_bytes() const {
  return static_cast<std::size_t>(lanes_for(forward_tasks()) * lane_floats(1)) * sizeof(float);
}

std::size_t Attention::gradient_scratch_bytes() const {
  const int score_blocks = spec_.dropout > 0 ? 3 : 2;
  return static_cast<std::size_t>(lanes_for(spec_.batch * spec_.shared_heads) * lane_floats(score_blocks)) *
         sizeof(float);
}

BlockDropout Attention::dropout_of(const AttentionOperands& operands, std::int64_t batch, std::int64_t head,
                                   std::int64_t first_row) const {
  if (spec_.dropout == 0) return {};
  BlockDropout dropout{.active = true};
  dropout.key = combine(*operands.seed, spec_.stream);
  dropout.step = *operands.step;
  dropout.position =
      static_cast<std::uint64_t>(((batch * spec_.heads + head) * spec_.length + first_row) * spec_.others);
  dropout.row_step = static_cast<std::uint64_t>(spec_.others);
  dropout.least = static_cast<std::uint64_t>(std::ceil(spec_.dropout * 0x1p53));
  dropout.factor = spec_.dropout < 1 ? static_cast<float>(1 / (1 - spec_.dropout)) : 0.0F;
  return dropout;
}

void Attention::place(AttentionBlock& block, const AttentionOperands& operands, std::int64_t batch, std::int64_t head,
                      std::int64_t number, float* lane) const {
  const std::int64_t shared = head / (spec_.heads / spec_.shared_heads);
  block.first_row = number * kAttentionRows;
  block.rows = std::min(kAttentionRows, spec_.length - block.first_row);
  block.keys = spec_.causal ? std::min(spec_.others, block.first_row + block.rows) : spec_.others;
  block.width = spec_.width;
  block.value_width = spec_.value_width;
  block.query = {moved(operands.query, place_in(spec_.query, batch, head, block.first_row)), spec_.query.row};
  block.key = {moved(operands.key, place_in(spec_.key, batch, shared, 0)), spec_.key.row};
  block.value = {moved(operands.value, place_in(spec_.value, batch, shared, 0)), spec_.value.row};
  block.scale = static_cast<float>(spec_.scale);
  block.causal = spec_.causal;
  const auto& steps = spec_.mask_steps;
  const std::int64_t mask = batch * steps[0] + head * steps[1] + block.first_row * steps[2];
  block.mask.row_step = steps[2];
  block.mask.key_step = steps[3];
  if (spec_.mask == AttentionSpec::Mask::allowed)
    block.mask.allowed = moved(static_cast<const bool*>(operands.mask), mask);
  if (spec_.mask == AttentionSpec::Mask::added)
    block.mask.added = moved(static_cast<const float*>(operands.mask), mask);
  block.keys = keys_in_sight(block);
  block.dropout = dropout_of(operands, batch, head, block.first_row);
  block.turned = lane;
  block.scores = lane + kAttentionRows * std::max(spec_.width, spec_.value_width);
}

void Attention::run(const AttentionOperands& operands, float* result, void* scratch, ThreadPool& pool) const {
  for_each_in_lanes(pool, forward_tasks(), [&](std::int64_t lane, std::int64_t task) {
    const std::int64_t head = task / blocks() % spec_.heads;
    const std::int64_t batch = task / blocks() / spec_.heads;
    AttentionBlock block;
    place(block, operands, batch, head, task % blocks(), static_cast<float*>(scratch) + lane * lane_floats(1));
    attend(block, {moved(result, place_in(spec_.result, batch, head, block.first_row)), spec_.result.row});
  });
}

// All queries that share a head of keys and values, one block after the other: they add to the same gradients.
void Attention::differentiate_head(const AttentionOperands& operands, const float* result_gradient,
                                   const AttentionGradients& to, std::int64_t batch, std::int64_t shared,
                                   float* lane) const {
  AttentionGradientBlock block;
  block.key_gradient = {moved(to.key, place_in(spec_.key_gradient, batch, shared, 0)), spec_.key_gradient.row};
  block.value_gradient = {moved(to.value, place_in(spec_.value_gradient, batch, shared, 0)), spec_.value_gradient.row};
  clear_rows(block.key_gradient, spec_.others, spec_.width);
  clear_rows(block.value_gradient, spec_.others, spec_.value_width);
  const std::int64_t group = spec_.heads / spec_.shared_heads;
  for (std::int64_t head = shared * group; head < (shared + 1) * group; ++head) {
    for (std::int64_t number = 0; number < blocks(); ++number) {
      place(block, operands, batch, head, number, lane);
      block.score_gradients = block.scores + kAttentionRows * spec_.others;
      block.kept = block.score_gradients + kAttentionRows * spec_.others;
      block.gradient = {moved(result_gradient, place_in(spec_.result, batch, head, block.first_row)), spec_.result.row};
      block.query_gradient = {moved(to.query, place_in(spec_.query_gradient, batch, head, block.first_row)),
                              spec_.query_gradient.row};
      attend_backwards(block);
    }
  }
}

void Attention::run_gradient(const AttentionOperands& operands, const float* result_gradient,
                             const AttentionGradients& to, void* scratch, ThreadPool& pool) const {
  const std::int64_t floats = lane_floats(spec_.dropout > 0 ? 3 : 2);
  for_each_in_lanes(pool, spec_.batch * spec_.shared_heads, [&](std::int64_t lane, std::int64_t task) {
    differentiate_head(operands, result_gradient, to, task / spec_.shared_heads, task % spec_.shared_heads,
                       static_cast<float*>(scratch) + lane * floats);
  });
}

}  // namespace asg::cpu
