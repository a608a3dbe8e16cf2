#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "asg/core/dtype.h"

namespace asg {

// Flash-style attention as CUDA C++: the scores never stand in memory, and the gradient computes them again. Matrix
// units multiply 16-bit floats (`mma.sync`, compute capability 8.0 or newer); sums, softmax and statistics are f32.
struct GpuAttention {
  enum class Mask : std::uint8_t { none, boolean, added };  // booleans: true may be looked at; else f32 to add

  DType dtype = DType::bf16;  // or f16: of queries, keys, values, output and their gradients
  int width = 64;             // of a head of queries and keys, at most 256
  int value_width = 64;       // of a head of values
  bool causal = false;
  Mask mask = Mask::none;
  bool aligned = true;  // widths, strides and addresses are multiples of 8 elements
};

// The last parameter of all functions, by value. Strides count elements; those of a mask are 0 where it repeats.
struct GpuAttentionShape {
  int group = 1;  // heads of queries for each head of keys and values
  int heads = 1;  // of queries
  int queries = 0;
  int keys = 0;
  int offset = 0;   // causal: query i looks at keys up to i + offset
  float scale = 1;  // more than 0
  // of batch, head and row: queries, keys, values, output (and their gradients)
  long long query[3] = {};
  long long key[3] = {};
  long long value[3] = {};
  long long output[3] = {};
  long long mask[4] = {};  // of batch, head, query and key
};

// A function and the number of rows that one of its blocks takes: the grid is (rows / those, heads, batch).
struct GpuAttentionLaunch {
  std::string function;
  int rows = 0;
  int threads = 0;
  std::int64_t shared_bytes = 0;
};

struct GpuAttentionKernels {
  std::string text;
  // forward(query, key, value, mask, output, log_sum_exp, shape), over queries. log_sum_exp is f32 [batch, heads,
  // queries] of the scaled scores; of rows that may look nowhere the output is 0 and log_sum_exp −∞.
  GpuAttentionLaunch forward;
  // The gradient: delta(output, output_gradient, delta, shape) over queries, f32 like log_sum_exp; then
  // by_key(query, key, value, mask, output_gradient, log_sum_exp, delta, key_gradient, value_gradient, shape) over keys
  // and heads of keys, and by_query(…, delta, query_gradient, shape) over queries. All sums have one order: the bits
  // are the same in every run. Gradients have the strides of what they are gradients of.
  GpuAttentionLaunch delta;
  GpuAttentionLaunch by_key;
  GpuAttentionLaunch by_query;
};

// Throws InternalError for widths and dtypes that it does not take.
GpuAttentionKernels render_gpu_attention(const GpuAttention& attention, std::string_view name);

}  // namespace asg
